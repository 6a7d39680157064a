"""Reading JSON reports again: those of whole runs are lists, those of shards are objects."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpsafe_lint import __version__
from mpsafe_lint.config import ConfigError
from mpsafe_lint.files import source
from mpsafe_lint.files.environment import find_environment
from mpsafe_lint.files.notebooks import SUFFIX, Notebook, blank
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Crossing, Edit, ErrorText, Finding, Repair, Span, Step
from mpsafe_lint.knowledge.rules import all_codes

TOOL = "mpsafe-lint"
"""The key of a shard's report that names the version."""

_REMEDY = "--merge reads what --output-format json writes"
_RANGE = {"path", "line", "column", "end_line", "end_column"}
_REPAIR = ("name", "applicability", "summary", "caution")
_FINDING = {
    *_RANGE,
    *("code", "kind", "boundary", "message", "errors", "start_methods", "serializer", "outcome", "crossing", "chain"),
    *("also", "fix", "fingerprint"),
}


@dataclass(frozen=True, slots=True)
class Document:
    """A report as it was read: the findings of a whole run, or the work of a shard."""

    file: str
    findings: list[dict[str, Any]]
    work: dict[str, Any] | None = None


def read(file: str) -> Document:
    """Read a report; `-` is stdin. Raises ConfigError, in one line, where it is none of this version."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: not a report: {str(error).splitlines()[0]}; {_REMEDY}") from None
    if isinstance(document, list):
        return Document(file, document)
    version = document.get(TOOL) if isinstance(document, dict) else None
    if version is None:
        raise ConfigError(f"{file}: not a report; {_REMEDY}")
    if version != __version__:
        raise ConfigError(f"{file}: a report of mpsafe-lint {version}, not {__version__}: run it again with this one")
    if not isinstance(document.get("work"), dict):
        raise ConfigError(f"{file}: not a report: it holds no work; {_REMEDY}")
    return Document(file, [], document["work"])


def project_of(documents: Iterable[Document]) -> Project:
    """Return what stands for the projects that findings are about: the files below the current folder that are named,
    as they are now."""
    folder = Path.cwd()
    cells: dict[str, dict[int, int]] = {}
    for place in (place for document in documents for place in _places(document.findings)):
        if isinstance(place.get("cell"), int) and isinstance(place.get("line"), int):
            here = cells.setdefault(str(place["path"]), {})
            here[place["cell"]] = max(here.get(place["cell"], 1), place["line"], place.get("end_line") or 1)
    absent: dict[str, source.Source] = {
        path: blank(path, lines) for path, lines in cells.items() if not _is_notebook(folder, path)
    }
    return Project(folder, (), find_environment(folder, None), _sources=absent)


def _is_notebook(folder: Path, path: str) -> bool:
    try:
        return isinstance(source.read(folder / path, path), Notebook)
    except source.SourceError:
        return False


def _places(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _places(part)


def findings_of(document: Document, project: Project) -> Iterator[Finding]:
    """Yield the findings of a report. Raises ConfigError where one is none of this version."""
    for number, entry in enumerate(document.findings, 1):
        try:
            yield _Reader(project).finding(entry)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else error
            message = f"{document.file}: entry {number} is no finding of mpsafe-lint {__version__}: {reason}"
            raise ConfigError(f"{message}; write the report again with this version") from None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what `reports.json` writes."""

    project: Project

    def finding(self, data: Any) -> Finding:
        if not isinstance(data, dict):
            raise TypeError(f"{type(data).__name__} instead of an object")
        for key in (*sorted(_FINDING - data.keys()), *sorted(data.keys() - _FINDING - {"cell"})):
            raise ValueError(f"it has no {key!r}" if key in _FINDING else f"{key!r} is unknown")
        if data["code"] not in all_codes():
            raise ValueError(f"{data['code']!r} is no rule")
        return Finding(
            code=data["code"],
            kind=all_codes()[data["code"]].kind,
            span=self._range(data),
            message=_text(data["message"]),
            boundary=_text_or_none(data["boundary"]),
            errors=tuple(ErrorText(_text(one["python"]), _text(one["text"])) for one in _list(data["errors"])),
            methods=_texts(data["start_methods"]),
            serializer=_text_or_none(data["serializer"]),
            outcome=_text_or_none(data["outcome"]),
            crossing=None if data["crossing"] is None else self._crossing(data["crossing"]),
            chain=tuple(Step(_text(one["text"]), self._place(one)) for one in _list(data["chain"])),
            also=tuple(map(self._crossing, _list(data["also"]))),
            repair=None if data["fix"] is None else self._repair(data["fix"]),
            fingerprint=_text(data["fingerprint"]),
        )

    def _range(self, data: Mapping[str, Any]) -> Span:
        path = _text(data["path"])
        start, end = (self._line(path, data, key) for key in ("line", "end_line"))
        return Span(path, start, _number(data["column"]) - 1, end, _number(data["end_column"]) - 1)

    def _place(self, data: Mapping[str, Any]) -> Span | None:
        if data["path"] is None:
            return None
        return self._range({**data, "end_line": data["line"], "end_column": data["column"]})

    def _line(self, path: str, data: Mapping[str, Any], key: str) -> int:
        """Return the line of a file, or of the text that stands for a notebook's cells."""
        line = _number(data[key])
        if "cell" not in data or not path.endswith(SUFFIX):
            return line
        notebook = self.project.source(path)
        return notebook.line_of(_number(data["cell"]), line) if isinstance(notebook, Notebook) else line

    def _crossing(self, data: Mapping[str, Any]) -> Crossing:
        span = self._place(data)
        if span is None:
            raise ValueError("a crossing has no path")
        return Crossing(
            span,
            _text(data["boundary"]),
            _text(data["serializer"]),
            _text(data["text"]),
            _texts(data["start_methods"]),
            _text(data["outcome"]),
        )

    def _repair(self, data: Mapping[str, Any]) -> Repair:
        edits = tuple(Edit(self._range(one), _text(one["text"])) for one in _list(data["edits"]))
        name, applicability, summary, caution = map(_text, map(data.__getitem__, _REPAIR))
        return Repair(name, applicability, edits, summary, caution)


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise TypeError(f"{type(data).__name__} instead of a text")
    return data


def _text_or_none(data: Any) -> str | None:
    return None if data is None else _text(data)


def _texts(data: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(data)))


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError(f"{type(data).__name__} instead of a list")
    return data


def _number(data: Any) -> int:
    if type(data) is not int or data < 1:
        raise TypeError(f"{data!r} instead of a number from 1")
    return data
