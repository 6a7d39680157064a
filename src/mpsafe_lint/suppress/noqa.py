"""`# noqa` comments, to the letter of flake8."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from mpsafe_lint.files.source import Source
from mpsafe_lint.findings import Finding, Span

INLINE = re.compile(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+[,\s]*)+))?", re.IGNORECASE)
_WHOLE_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)
_NEVER = {tokenize.ENDMARKER, tokenize.DEDENT}
_ENDS = {tokenize.NL, tokenize.NEWLINE}


@dataclass(frozen=True, slots=True)
class Comment:
    """A noqa comment that names codes: the lines that it stands for, and each code with its place."""

    lines: range
    codes: tuple[tuple[str, Span], ...]


class Noqa:
    """What one file suppresses.

    flake8 looks for the comment in the line that a finding begins in, with the lines that a string over several of them
    or a backslash ties to it. It takes the first one there, be it in a string, and compares codes by prefix and case.
    """

    def __init__(self, source: Source, every_line: bool = False) -> None:
        """Read a file's comments; with `every_line`, also which lines are tied together in one without comments."""
        self._lines = source.lines
        self._path = source.path
        self.whole_file = any(_WHOLE_FILE.match(line) for line in self._lines)
        self._ranges: dict[int, range] = {}
        self._comments: list[tokenize.TokenInfo] = []
        if every_line or any(INLINE.search(line) for line in self._lines):
            self._read_tokens()

    def suppresses(self, finding: Finding) -> bool:
        """Whether a comment silences a finding."""
        if self.whole_file:
            return True
        match = INLINE.search(self.text_for(finding.span.line))
        if match is None:
            return False
        codes = match["codes"]
        return codes is None or finding.code.startswith(tuple(split(codes)))

    def range_for(self, line: int) -> range:
        """Return the lines in which a comment for `line` may stand."""
        return self._ranges.get(line, range(line, line + 1))

    def text_for(self, line: int) -> str:
        """Return the text in which a comment for `line` is looked for."""
        return "".join(self._lines[number - 1] for number in self.range_for(line) if number <= len(self._lines))

    def in_comment(self, line: int, column: int) -> bool:
        """Whether a place lies in a comment, rather than in a string that looks like one."""
        return any(token.start <= (line, column) < token.end for token in self._comments)

    def comments(self) -> list[Comment]:
        """Return the comments that name codes."""
        found = []
        for token in self._comments:
            match = INLINE.search(token.string)
            if match and match["codes"]:
                line, start = token.start[0], token.start[1] + match.start("codes")
                codes = tuple(
                    (code[0], Span(self._path, line, start + code.start(), line, start + code.end()))
                    for code in re.finditer(r"[^,\s]+", match["codes"])
                )
                found.append(Comment(self.range_for(line), codes))
        return found

    def _read_tokens(self) -> None:
        lines = iter(self._lines)
        first, last = len(self._lines) + 2, -1
        try:
            for token in list(tokenize.generate_tokens(lambda: next(lines))):
                if token.type in _NEVER:
                    continue
                if token.type == tokenize.COMMENT:
                    self._comments.append(token)
                first, last = min(first, token.start[0]), max(last, token.end[0])
                if token.type in _ENDS:
                    self._ranges.update(dict.fromkeys(range(first, last + 1), range(first, last + 1)))
                    first, last = len(self._lines) + 2, -1
        except (tokenize.TokenError, SyntaxError):
            self._ranges = {}  # flake8 then looks at the line alone


def split(codes: str) -> list[str]:
    """Split the codes of a comment."""
    return re.findall(r"[^,\s]+", codes)


def unused(noqa: Noqa, findings: Iterable[Finding]) -> list[tuple[str, Span]]:
    """Return the MPS codes of a file's comments that silence none of the file's findings."""
    placed = [(finding.span.line, finding.code) for finding in findings]
    return [
        (code, span)
        for comment in noqa.comments()
        for code, span in comment.codes
        if code.upper().startswith("MPS")
        and not any(line in comment.lines and found.startswith(code) for line, found in placed)
    ]
