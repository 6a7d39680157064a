"""JUnit XML: a suite for each file, a failed case for each finding."""

from __future__ import annotations

import re
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from mpsafe_lint.findings import Finding
from mpsafe_lint.reports.report import Report, advice

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """Return the document. Where nothing was found it holds one case that passed, so that it isn't taken for no run."""
    count = len(report.findings)
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    lines.append(f'<testsuites name="mpsafe-lint" tests="{count or 1}" failures="{count}" errors="0">')
    if not count:
        lines += _suite("mpsafe-lint", ['    <testcase name="no findings" classname="mpsafe-lint"/>'], 0)
    for path, findings in groupby(report.findings, key=lambda finding: finding.span.path):
        cases = [_case(report, finding) for finding in findings]
        lines += _suite(report.path(path), cases, len(cases))
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(name: str, cases: list[str], failures: int) -> list[str]:
    head = f'  <testsuite name={_quoted(name)} tests="{len(cases)}" failures="{failures}" errors="0" skipped="0">'
    return [head, *cases, "  </testsuite>"]


def _case(report: Report, finding: Finding) -> str:
    line, path, place = report.in_file(finding.span).line, report.path(finding.span.path), report.place(finding.span)
    name = f"{finding.code} {place}"
    text = escape(clean(f"{place}: {finding.message}\n{advice(finding)}"))
    return (
        f'    <testcase name={_quoted(name)} classname={_quoted(path)} file={_quoted(path)} line="{line}">\n'
        f"      <failure type={_quoted(finding.code)} message={_quoted(finding.message)}>{text}</failure>\n"
        f"    </testcase>"
    )


def _quoted(text: str) -> str:
    return quoteattr(clean(text))


def clean(text: str) -> str:
    """Replace what XML can't hold, even escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
