"""From an error text, or a pasted log, to the rule behind it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from mpsafe_lint.knowledge import errors
from mpsafe_lint.knowledge.rules import BY_KIND, code_of

_LINE = re.compile(r"(?P<name>(?:[A-Za-z_]\w*\.)*[A-Z]\w*): ?(?P<text>.*)")
_ENCODING = re.compile(
    r"Error sending result: '.*'\. Reason: '(?P<name>\w+)\((?P<quote>[\"'])(?P<text>.*)(?P=quote),?\)'", re.DOTALL
)
_PICKLING = re.compile(
    r"\bpickl|multiprocessing|concurrent.futures|ForkingPickler|_bootstrap|reduction\.py|joblib|loky|DataLoader"
)


@dataclass(frozen=True)
class ErrorExplanation:
    """What an error text says.

    `text` is the line that was recognised. `kind` is that of the linter's rule, `codes` are the rule's: two for a
    value, since the text doesn't tell whether it is kept in an object (MPS1xx) or handed over directly (MPS2xx).
    `phase` is `save`, `load` or `run`. `pythons` is the range of versions that print the text, empty for all. `path`
    is told by Python's own notes from 3.14 on, else empty. `names` are the names in the text.
    """

    text: str
    kind: str
    codes: tuple[str, ...]
    noun: str
    advice: str
    phase: str
    pythons: str
    path: str
    names: dict[str, str]

    def __str__(self) -> str:
        what = {"save": "cannot be pickled", "load": "was pickled, and cannot be loaded again"}.get(self.phase, "")
        lines = [self.text, f"  {' '.join(part for part in (self.noun, what) if part)}"]
        if self.path:
            lines.append(f"  path    {self.path}")
        lines.append(f"  {' or '.join(self.codes)}: {self.advice}" if self.codes else f"  {self.advice}")
        return "\n".join(lines)


def explain_error(error: str | BaseException) -> ErrorExplanation | None:
    """Say what is behind an exception, a traceback or a whole log; None where nothing in it is known.

    In a log the last line that is known counts, and what Python says in notes below it.
    """
    if isinstance(error, BaseException):
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        notes = getattr(error, "__notes__", ())
        if notes and "when serializing" not in text:  # 3.10 prints no notes
            text += "\n".join(notes)
    else:
        text = error
    lines = text.splitlines()
    pickling = _PICKLING.search(text) is not None
    for index in reversed(range(len(lines))):
        found = _recognised(lines, index, pickling)
        if found is not None:
            notes = [line for line in map(str.strip, lines[index + 1 :]) if errors.NOTE.fullmatch(line)]
            return _explanation(lines[index].strip(), found, path_of_notes(notes))
    return None


def _recognised(lines: list[str], index: int, pickling: bool) -> errors.Match | None:
    """Match one line, with or without the name of the exception before it."""
    line = lines[index].strip().strip("|").strip()
    found = _LINE.match(line)
    if found is None:
        return errors.match(line, pickling=pickling) if line else None
    name, text = found["name"].rpartition(".")[2], found["text"].strip()
    if name == "MaybeEncodingError":
        inner = _ENCODING.search(text)
        return errors.match(inner["text"].replace("\\'", "'"), inner["name"]) if inner else None
    if not text and name == "RuntimeError":  # a text that begins on the next line
        text = next((other.strip() for other in lines[index + 1 :] if other.strip()), "")
    return errors.match(text, name, pickling=pickling)


def _explanation(line: str, found: errors.Match, path: str) -> ErrorExplanation:
    rule = BY_KIND[found.kind]
    if len(rule.number) == 3:
        codes: tuple[str, ...] = (code_of(found.kind),)
    elif path:
        codes = (code_of(found.kind, kept="." in re.sub(r"'[^']*'", "", path)),)
    else:
        codes = (code_of(found.kind, kept=True), code_of(found.kind, kept=False))
    return ErrorExplanation(
        line, found.kind, codes, rule.noun, rule.advice, found.row.phase, found.row.pythons, path, found.names
    )


def path_of_notes(notes: Iterable[str]) -> str:
    """Return the path that pickle's notes tell, innermost note first, in the grammar of a chain.

    >>> path_of_notes(["when serializing list item 0", "when serializing dict item 'a'",
    ...                "when serializing dict item 'cfg'", "when serializing mod.Holder state"])
    ".cfg['a'][0]"
    >>> path_of_notes(["when serializing tuple item 0", "when serializing functools.partial reconstructor arguments"])
    '<args>[0]'
    """
    steps: list[str] = []
    attributes = False
    for found in filter(None, map(errors.NOTE.fullmatch, reversed([note.strip() for note in notes]))):
        if found["part"]:
            attributes = found["part"] == "state"
            if "arguments" in found["part"]:
                steps.append("<args>")
            elif found["part"] == "reconstructor":
                steps.append("<func>")
            continue
        if found["sequence"]:
            if attributes and found["sequence"] == "tuple":  # the pair of __dict__ and slots
                continue
            steps.append(f"[{found['index']}]")
        elif found["key"]:
            key = found["key"].strip("'\"")
            steps.append(f".{key}" if attributes and key.isidentifier() else f"[{found['key']}]")
        elif found["item"]:
            steps.append(f"[{found['item']}]")
        elif found["set"]:
            steps.append("[*]")
        attributes = False
    return "".join(steps)
