"""One page that needs nothing else: the findings by file, each with its lines, and a picture of what is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import groupby

from mpsafe_lint import __version__
from mpsafe_lint.findings import Crossing, Finding, Span
from mpsafe_lint.knowledge.rules import all_codes
from mpsafe_lint.reports.closing import count
from mpsafe_lint.reports.full import beside, notes
from mpsafe_lint.reports.junit import clean
from mpsafe_lint.reports.picture import picture
from mpsafe_lint.reports.report import Report, severity

AROUND = 2
"""Lines that are shown before and after a finding."""

LINES = 12
"""Lines of a finding that are shown at most."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --line: #d5dae3; --paper: #fff; --card: #f6f7f9;
  --bad: #b3261e; --bad-paper: #fdecea; --mark: #ffe08a; --note: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #3a4150; --paper: #14171d;
  --card: #1d2129; --bad: #ff8a80; --bad-paper: #3b1d1b; --mark: #6b5200; --note: #8ab4f8; } }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
a { color: var(--note); } p { margin: .35rem 0; } .soft { color: var(--soft); }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .15rem .9rem .15rem 0; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
article { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; margin: .8rem 0;
  padding: .8rem 1rem; background: var(--card); }
article.warning, article.note { border-left-color: var(--note); }
h3 { font-size: 1rem; font-weight: 600; margin: 0 0 .4rem; overflow-wrap: anywhere; }
code, pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { margin: .5rem 0; padding: .5rem .7rem; overflow-x: auto; background: var(--paper); border-radius: 4px; }
pre i { color: var(--soft); font-style: normal; user-select: none; } mark { background: var(--mark); color: inherit; }
.tag { white-space: nowrap; border: 1px solid currentColor; border-radius: 1em; padding: 0 .55em; font-size: .8em;
  color: var(--note); }
ul { margin: .35rem 0; padding-left: 1.1rem; } li { white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: .6rem 0 0; overflow-x: auto; } figcaption { color: var(--soft); font-size: .9em; }
svg text { fill: var(--ink); text-anchor: middle; font: 12px ui-monospace, Menlo, Consolas, monospace; }
svg .place { fill: var(--soft); font-size: 11px; } svg rect { fill: var(--paper); stroke: var(--soft); }
svg .edge { fill: none; stroke: var(--soft); } svg .bad rect { stroke: var(--bad); stroke-dasharray: 4 3; }
svg .bad .label { fill: var(--bad); }
svg .shown rect { fill: var(--bad-paper); stroke-width: 2; stroke-dasharray: none; }
"""


def render(report: Report) -> str:
    """Return the page. It is well-formed XML as well, and holds no script."""
    total = count(len(report.findings), "finding")
    crossing: dict[Crossing, list[Finding]] = {}
    for finding in report.findings:
        if finding.crossing:
            crossing.setdefault(finding.crossing, []).append(finding)
    parts = [
        "<!DOCTYPE html>",
        '<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>mpsafe-lint: {total}</title><style>{_STYLE}</style></head><body>",
        f'<header><h1>mpsafe-lint: {total}</h1><p class="soft">{_text(report.folder)} · mpsafe-lint {__version__}</p>',
        _table(report),
        "</header><main>",
        *(part for path, here in groupby(report.findings, _path) for part in _file(report, path, list(here), crossing)),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _path(finding: Finding) -> str:
    return finding.span.path


def _table(report: Report) -> str:
    """Return how often each rule was broken; nothing where none was."""
    counts = Counter(finding.code for finding in report.findings)
    if not counts:
        return "<p>Nothing was found.</p>"
    rows = [
        f'<tr><td class="number">{number}</td><td><code>{code}</code></td><td>{_text(all_codes()[code].kind)}</td></tr>'
        for code, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _file(report: Report, path: str, findings: list[Finding], crossing: dict[Crossing, list[Finding]]) -> Iterator[str]:
    yield f'<section><h2>{_text(report.path(path))} <span class="soft">({len(findings)})</span></h2>'
    for finding in findings:
        yield from _finding(report, finding, crossing)
    yield "</section>"


def _finding(report: Report, finding: Finding, crossing: dict[Crossing, list[Finding]]) -> Iterator[str]:
    where = _text(report.place(finding.span))
    fixable = ' <span class="tag">--fix</span>' if report.repair(finding) else ""
    yield f'<article class="{severity(finding.code)}">'
    yield f"<h3><code>{finding.code}</code> {_text(finding.message)}{fixable}</h3>"
    yield f'<p class="soft"><code>{where}</code></p>'
    yield _excerpt(report, finding.span)
    text = report.line(finding.span.path, finding.span.line) or ""
    said = [part for part in (beside(finding, text).strip(), *notes(report, finding)) if part]
    yield f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in said)}</ul>"
    if finding.crossing:
        svg = picture(report, finding.crossing, crossing[finding.crossing], finding)
        yield f"<figure>{svg}<figcaption>What goes over, and what pickle refuses of it.</figcaption></figure>"
    yield "</article>"


def _excerpt(report: Report, span: Span) -> str:
    """Return the lines round a finding, in a notebook those of its cell, with the finding marked."""
    cell, _ = report.line_in_cell(span.path, span.line)
    last = min(span.end_line, span.line + LINES)
    lines = []
    for line in range(span.line - AROUND, last + AROUND + 1):
        text = report.line(span.path, line)
        in_cell, number = report.line_in_cell(span.path, line)
        if text is not None and in_cell == cell:
            lines.append(f"<i>{number:5} </i>{_marked(text, line, span)}")
    return f"<pre>{chr(10).join(lines)}</pre>" if lines else ""


def _marked(text: str, line: int, span: Span) -> str:
    if not span.line <= line <= span.end_line:
        return _text(text)
    start = span.column if line == span.line else len(text) - len(text.lstrip())
    end = span.end_column if line == span.end_line else len(text)
    return f"{_text(text[:start])}<mark>{_text(text[start:end])}</mark>{_text(text[end:])}"


def _text(text: object) -> str:
    return escape(clean(str(text)))
