"""Keeps to the layout of a file that a formatter made: what fits on a line stands on one, what doesn't is divided.

A file counts as formatted where no line is longer than one of the usual widths, nothing in it could be joined, and what
is in brackets over several lines begins on a line of its own. In any other file the layout is its author's: only a new
line that is longer than all others is divided.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.scopes import end_position, position
from mpsafe_lint.repairs.tree import Tree

WIDTHS = (88, 79, 80, 100, 110, 119, 120)
_OPENING, _CLOSING = "([{", ")]}"
_DEF = re.compile(r"\s*(?:async\s+)?def\b")
_ENDS = re.compile(r"(?: -> [\w.]+)?[:,]?")

Group = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class Style:
    """How long lines may be, and how deep a step of indentation is; `newline` ends a line.

    `kept` are the lines of a file that no formatter made, without their indentation: they stay as they are.
    """

    width: int
    indent: str
    newline: str
    kept: frozenset[str] | None = None

    def of_text(self, text: str) -> str:
        """Return a text of whole statements, with the lines joined that fit, and those divided that are too long."""
        lines: list[str] = []
        old = text.split(self.newline)
        for line in joined(old, self.width) if self.kept is None else old:
            if len(line) <= self.width or (self.kept and line.strip() in self.kept):
                lines.append(line)
            elif lines and lines[-1].endswith(tuple(_OPENING)) and (items := _items(line)):
                lines += items
            else:
                lines += divided(line, self.width, self.indent)
        return self.newline.join(lines)


@lru_cache(maxsize=16)
def style_of(tree: Tree) -> Style:
    """Return the style of a file: that of its formatter, where one made it."""
    lines = [line.rstrip("\r\n") for line in tree.source.lines]
    strings = tree.string_lines
    code = [line for number, line in enumerate(lines, 1) if number not in strings and not _may_be_long(line)]
    longest = max(map(len, code), default=0)
    groups = _groups(lines)
    for width in WIDTHS if tree.indent == "    " and not _is_laid_out_by_hand(lines) else ():
        if longest <= width and _next_group(lines, groups, 0, width) is None:
            return Style(width, tree.indent, tree.newline)
    return Style(_usual_width(code), tree.indent, tree.newline, frozenset(line.strip() for line in lines))


def _is_laid_out_by_hand(lines: list[str]) -> bool:
    """Whether brackets over several lines have something behind them on the line that opens them."""
    divided_there: list[bool] = []
    tokens = _tokens(lines)
    for token, following in pairwise(tokens):
        if token.type == tokenize.OP and token.string in _OPENING:
            divided_there.append(following.type in (tokenize.NL, tokenize.COMMENT))
        elif token.type == tokenize.OP and token.string in _CLOSING:
            divided_there.pop()
        elif token.type == tokenize.NL and divided_there and not divided_there[-1]:
            return True
    return False


def _usual_width(code: list[str]) -> int:
    """Return the length that no line is to exceed: where several come close to the longest one, that is it."""
    longest = max(map(len, code), default=0)
    close = sum(len(line) > longest - 6 for line in code)
    return longest if longest > 72 and close > 2 else max(88, longest)


def _may_be_long(line: str) -> bool:
    """Whether no formatter would divide a line: a comment, or a string that ends it."""
    return "#" in line or bool(re.search(r"[\"'][\])},:]*$", line))


def restyled(tree: Tree, patches: Iterable[Patch], at: Iterable[ast.AST]) -> list[Patch]:
    """Return patches with those inside the statements that hold the nodes `at` laid out as the file is."""
    style = style_of(tree)
    patches = list(patches)
    for start, end in dict.fromkeys(_header(tree, tree.statement(node), node) for node in at):
        inside = [
            patch
            for patch in patches
            if start <= patch.start
            and patch.end <= end
            and (patch.start < end or not patch.text.startswith(("\r", "\n")))
        ]
        others = [patch for patch in patches if patch not in inside]
        if not inside or any(patch.start < end and patch.end > start for patch in others):
            continue
        plain = apply(tree.text, inside, start, end)
        laid_out = style.of_text(plain)
        if laid_out != plain:
            patches = [*others, Patch(start, end, laid_out)]
    return patches


def _header(tree: Tree, statement: ast.stmt, node: ast.AST) -> tuple[int, int]:
    """Return the bounds of the lines of a simple statement, or of those above the block of a compound one.

    Where `node` stands in a decorator, that is all.
    """
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    for decorator in getattr(statement, "decorator_list", []):
        if position(decorator) <= position(node) < end_position(decorator):
            last = decorator.end_lineno
            return tree.starts[decorator.lineno - 1], tree.starts[last - 1] + len(tree.line(last))
    body = getattr(statement, "body", None)
    if body:
        last = max(first, body[0].lineno - 1)
    decorators = getattr(body[0], "decorator_list", []) if body else []
    last = min([last, *(max(first, position(d)[0] - 1) for d in decorators)])
    return tree.starts[first - 1], tree.starts[last - 1] + len(tree.line(last))


# --- joining


def joined(lines: list[str], width: int) -> list[str]:
    """Return lines with every bracket closed on the line that opens it, where that fits and no comma says otherwise.

    >>> joined(["f(", "    a, b", ")"], 20), joined(["f(", "    a,", ")"], 20)
    (['f(a, b)'], ['f(', '    a,', ')'])
    """
    lines = list(lines)
    start = 0
    while (group := _next_group(lines, _groups(lines), start, width)) is not None:
        first, last, text = group
        lines[first : last + 1] = [text]
        start = first
    return lines


def _next_group(lines: list[str], groups: list[Group], start: int, width: int) -> tuple[int, int, str] | None:
    """Return the first lines from `start` on that can be one: their numbers, from 0, and that line."""
    for first, last, bare in groups:
        if first < start:
            continue
        parts = [lines[first], *(line.strip() for line in lines[first + 1 : last + 1])]
        text = parts[0]
        for part in parts[1:]:
            text += part if text[-1] in _OPENING or part[0] in _CLOSING else f" {part}"
        if bare:
            opening = len(lines[first]) - 1
            text = text[:opening] + text[opening + 1 : -1]
        if len(text) <= width:
            return first, last, text
    return None


def _tokens(lines: list[str]) -> list[tokenize.TokenInfo]:
    """Return the tokens of lines; none where they are no whole statements."""
    try:
        return list(tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def _groups(lines: list[str]) -> list[Group]:
    """Return the brackets that end one line and begin another, without comments, strings over lines and last commas.

    Each with the numbers of its lines, from 0, and whether the brackets serve but to divide the line.
    """
    tokens = _tokens(lines)
    found: list[Group] = []
    stack: list[_Bracket] = []
    for index, token in enumerate(tokens):
        if token.type == tokenize.OP and token.string in _OPENING:
            stack.append(_Bracket(index, tokens[index + 1].type == tokenize.NL))
        elif not stack:
            continue
        elif token.type == tokenize.OP and token.string in _CLOSING:
            bracket = stack.pop()
            last = next(t for t in reversed(tokens[:index]) if t.type != tokenize.NL)
            magic = last.type == tokenize.OP and last.string == ","
            line = token.start[0] - 1
            begins_line = not lines[line][: token.start[1]].strip()
            if bracket.ends_line and begins_line and not bracket.fixed and not magic:
                bare = _is_bare(tokens, bracket.index, index, bracket.comma)
                found.append((tokens[bracket.index].start[0] - 1, line, bare))
            if stack and (bracket.fixed or (magic and bracket.ends_line)):
                stack[-1].fixed = True
        elif token.type == tokenize.OP and token.string == ",":
            stack[-1].comma = True
        elif token.type == tokenize.COMMENT or (token.type != tokenize.NL and token.start[0] != token.end[0]):
            stack[-1].fixed = True
    return sorted(found)


@dataclass(slots=True)
class _Bracket:
    """An open bracket: `fixed` where a comment, a string over lines or a last comma in it keeps its lines apart."""

    index: int
    ends_line: bool
    fixed: bool = False
    comma: bool = False


def _is_bare(tokens: list[tokenize.TokenInfo], opening: int, closing: int, comma: bool) -> bool:
    """Whether brackets hold the whole of what is assigned or returned, and can go where that is on one line."""
    before, after = tokens[opening - 1] if opening else None, tokens[closing + 1]
    ends = after.type in (tokenize.NEWLINE, tokenize.ENDMARKER)
    holds = before is not None and before.string in ("=", "return", "+=", "-=")
    return tokens[opening].string == "(" and holds and ends and not comma


# --- dividing


def divided(line: str, width: int, indent: str) -> list[str]:
    """Return a line that is too long as several, divided at its last brackets; by itself where that isn't possible.

    >>> divided("x = f(aaaa, bbbb)", 12, "  "), divided("x = f(aaaa, bbbb)", 8, "  ")
    (['x = f(', '  aaaa, bbbb', ')'], ['x = f(', '  aaaa,', '  bbbb,', ')'])
    >>> divided("[f(a) for a in aaaa if a]", 15, "  ")
    ['[', '  f(a)', '  for a in aaaa', '  if a', ']']
    """
    brackets = _last_brackets(line)
    if brackets is None:
        return [line]
    opening, closing, commas, clauses = brackets
    outer = line[: len(line) - len(line.lstrip())]
    inner = outer + indent
    head, body, tail = line[: opening + 1], line[opening + 1 : closing].strip(), line[closing:]
    if not body or len(head) > width:
        return [line]
    if len(inner + body) <= width:
        return [head, inner + body, outer + tail]
    places = [opening, *(clauses or commas), closing]
    parts = [line[a + 1 : b].strip() for a, b in pairwise(places)]
    comma = "," if commas and not clauses else ""
    lines = [part for item in parts if item for part in _fitting(f"{inner}{item}{comma}", width, indent)]
    return [head, *lines, outer + tail]


def _fitting(line: str, width: int, indent: str) -> list[str]:
    return divided(line, width, indent) if len(line) > width else [line]


def _items(line: str) -> list[str]:
    """Return what commas outside of all brackets divide in a line, each as a line with a comma; empty without commas.

    >>> _items("  a, f(b, c)")
    ['  a,', '  f(b, c),']
    """
    found = _last_brackets(f"({line.strip()})")
    if found is None or not found[2]:
        return []
    opening, closing, commas, _ = found
    outer, text = line[: len(line) - len(line.lstrip())], f"({line.strip()})"
    parts = [text[a + 1 : b].strip() for a, b in pairwise([opening, *commas, closing])]
    return [f"{outer}{part}," for part in parts if part]


def _last_brackets(line: str) -> tuple[int, int, list[int], list[int]] | None:
    """Return where the last brackets of a line stand that are in no others, and the commas directly in them.

    Last come the blanks in front of the clauses of a comprehension. Of a definition these are the brackets round its
    parameters.
    """
    stack: list[tuple[int, list[int], list[int]]] = []
    last: tuple[int, int, list[int], list[int]] | None = None
    is_def = bool(_DEF.match(line))
    tokens = _tokens([line.strip()])
    shift = len(line) - len(line.lstrip())
    for previous, token in pairwise([*tokens[:1], *tokens]):
        place = token.start[1] + shift
        if token.type == tokenize.COMMENT:
            return None
        if token.type == tokenize.NAME and stack and _begins_clause(previous, token, stack[-1][2]):
            stack[-1][2].append(place - 1)
        elif token.type != tokenize.OP:
            continue
        elif token.string in _OPENING:
            stack.append((place, [], []))
        elif token.string in _CLOSING:
            if not stack:
                return None
            opening, commas, clauses = stack.pop()
            if not stack and not (is_def and last):
                last = (opening, place, commas, clauses)
        elif token.string == "," and stack:
            stack[-1][1].append(place)
    if stack or last is None or not (is_def or _ENDS.fullmatch(line, last[1] + 1)):
        return None
    return last


def _begins_clause(previous: tokenize.TokenInfo, token: tokenize.TokenInfo, clauses: list[int]) -> bool:
    """Whether a word begins a clause of a comprehension, as far as words tell."""
    if token.string == "for":
        return previous.string != "async"
    return token.string == "async" or (token.string == "if" and bool(clauses))
