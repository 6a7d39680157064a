"""A picture of what goes over at a crossing: a tree from what is sent to all that pickle refuses, as inline SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from mpsafe_lint.findings import Crossing, Finding, Span
from mpsafe_lint.reports.junit import clean
from mpsafe_lint.reports.report import Report, chain_text, rule_of

LEAVES = 12
"""Refused values that one picture shows at most."""

_CHARACTER, _PAD, _HEIGHT, _GAP, _BETWEEN = 7.3, 12, 42, 14, 44
_LONGEST = 34


@dataclass(eq=False)
class _Node:
    """A box: what is kept there, and the line that put it there. `finding` is what stands at a refused leaf."""

    label: str
    place: str
    depth: int
    finding: Finding | None = None
    below: dict[str, _Node] = field(default_factory=dict)
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        return max(len(self.label), len(self.place)) * _CHARACTER + 2 * _PAD

    def all(self) -> Iterator[_Node]:
        yield self
        for node in self.below.values():
            yield from node.all()


def picture(report: Report, crossing: Crossing, findings: Sequence[Finding], shown: Finding) -> str:
    """Draw what a crossing sends. `findings` are all that cross there; that of `shown` is the one that is spoken of."""
    others = [finding for finding in findings if finding is not shown][: LEAVES - 1]
    root = _tree(report, crossing, sorted([shown, *others], key=lambda finding: finding.span))
    width, height = _place(root)
    about = f"{chain_text(crossing, shown.chain)} is a {rule_of(shown).noun}"
    nodes = list(root.all())
    lines = [_edge(node, child) for node in nodes for child in node.below.values()]
    boxes = [_box(node, shown) for node in nodes]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
    size = f'width="{width:.0f}" height="{height:.0f}"'
    return f"{head} {size}><title>{_text(about)}</title>{''.join([*lines, *boxes])}</svg>"


def _tree(report: Report, crossing: Crossing, findings: Sequence[Finding]) -> _Node:
    root = _Node(_short(crossing.sent), _where(report, crossing.span), 0)
    for finding in findings:
        node = root
        for step in finding.chain:
            if step.text not in node.below:
                node.below[step.text] = _Node(_short(step.text), _where(report, step.span), node.depth + 1)
            node = node.below[step.text]
        leaf = f"{finding.code} {finding.span}"
        node.below[leaf] = _Node(rule_of(finding).noun, _where(report, finding.span), node.depth + 1, finding)
    return root


def _where(report: Report, span: Span | None) -> str:
    """Return the file's own name and the line: the page says in full where a finding stands."""
    return _short(report.place(span, column=False).rpartition("/")[2]) if span else ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"…{text[1 - _LONGEST :]}"


def _place(root: _Node) -> tuple[float, float]:
    """Give each box its place: a column for each depth, a row for each leaf. Return width and height of the picture."""
    nodes = list(root.all())
    x = 1.0
    for depth in range(max(node.depth for node in nodes) + 1):
        column = [node for node in nodes if node.depth == depth]
        for node in column:
            node.x = x
        x += max(node.width for node in column) + _BETWEEN
    y = 1.0
    for node in reversed(nodes):  # those below a node come after it
        if node.below:
            rows = [child.y for child in node.below.values()]
            node.y = (rows[0] + rows[-1]) / 2
        else:
            node.y = y
            y += _HEIGHT + _GAP
    for node in nodes:  # the first finding on top
        node.y = y - _HEIGHT - node.y - _GAP + 1
    return x - _BETWEEN + 1, y - _GAP + 1


def _edge(node: _Node, child: _Node) -> str:
    start, end, middle = node.x + node.width, child.x, child.x - _BETWEEN / 2
    top, bottom = node.y + _HEIGHT / 2, child.y + _HEIGHT / 2
    way = f"M{start:.1f} {top:.1f} L{middle - 14:.1f} {top:.1f} C{middle:.1f} {top:.1f} {middle:.1f} {bottom:.1f}"
    return f'<path class="edge" d="{way} {middle + 14:.1f} {bottom:.1f} L{end:.1f} {bottom:.1f}"/>'


def _box(node: _Node, shown: Finding) -> str:
    kind = "kept" if node.finding is None else "bad shown" if node.finding is shown else "bad"
    middle = node.x + node.width / 2
    box = f'<rect x="{node.x:.1f}" y="{node.y:.1f}" width="{node.width:.1f}" height="{_HEIGHT}" rx="6"/>'
    label = f'<text class="label" x="{middle:.1f}" y="{node.y + 18:.1f}">{_text(node.label)}</text>'
    place = f'<text class="place" x="{middle:.1f}" y="{node.y + 33:.1f}">{_text(node.place)}</text>'
    return f'<g class="{kind}">{box}{label}{place if node.place else ""}</g>'


def _text(text: str) -> str:
    return escape(clean(text))
