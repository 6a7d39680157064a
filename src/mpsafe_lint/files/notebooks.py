"""Notebooks: the code cells of an `.ipynb` file as one text of Python, and back.

Before each cell stands a line that names it, a string by itself. Magics become statements that do nothing, on a line of
the same number. Going back, only the `source` of cells that changed is written anew; every other byte stays.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mpsafe_lint.files.source import Source, SourceError, digest_of

SUFFIX = ".ipynb"

_MARK = re.compile(r"^'mpsafe-lint: cell (\d+)'\n", re.MULTILINE)
_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.*\[\]]+\?\??\s*$)")
_ASSIGNED = re.compile(r"\s*([A-Za-z_][\w., ]*?)\s*=\s*[%!]")
_HIDDEN = re.compile(r"^[ \t]*(?:pass|[A-Za-z_][\w., ]*? = get_ipython\(\))  # mpsafe-lint: magic: (.*)$", re.MULTILINE)
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "python", "python3"})
"""Magics of a whole cell whose cell is Python nevertheless."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. `number` counts all cells of the notebook, from 1. `start` and `end` are where its `source` stands
    in the file, `code` is what it says."""

    number: int
    start: int
    end: int
    code: str


@dataclass(frozen=True)
class Notebook(Source):
    """A notebook. `text` holds the Python of its code cells; `raw` is the file."""

    raw: str = ""
    cells: tuple[Cell, ...] = field(default=(), repr=False)

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell in which a line of the text stands, and which line of the cell it is."""
        index = max(bisect_right([mark for mark, _ in self._marks], line) - 1, 0)
        if not self._marks:  # there is no code
            return 1, line
        mark, number = self._marks[index]
        return number, max(line - mark, 1)

    def line_of(self, number: int, line: int) -> int:
        """Return the line of the text that is that line of a cell. Raises ValueError where there is no such cell."""
        mark = next((mark for mark, cell in self._marks if cell == number), None)
        if mark is None:
            raise ValueError(f"{self.path} has no cell {number} of code")
        return mark + line

    def shown(self, line: int) -> str | None:
        """Return a line of a cell as its author wrote it; None for the line between two cells."""
        text = super().shown(line)
        return None if text is None or _MARK.match(f"{text}\n") else _shown_again(text)

    def file_line(self, line: int) -> int:
        """Return the line of the file in which a line of the text stands."""
        number, inside = self.place(line)
        cell = next((cell for cell in self.cells if cell.number == number), None)
        if cell is None:
            return 1
        start = cell.start
        for begin, end in _elements(self.raw, cell.start):
            start = begin
            inside -= json.loads(self.raw[begin:end]).count("\n")
            if inside < 1:
                break
        return self.raw.count("\n", 0, start) + 1

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with a changed text. Raises SourceError where the cells are no longer there."""
        return super().encode(self.rewritten(text))

    def rewritten(self, text: str) -> str:
        """Return the file with a changed text."""
        parts = _MARK.split(text)
        numbers = [int(number) for number in parts[1::2]]
        if parts[0] or numbers != [cell.number for cell in self.cells]:
            raise SourceError("cannot be written: the change reaches from one cell into another")
        raw, at = [], 0
        for cell, after in zip(self.cells, parts[2::2], strict=True):
            if after != _shown(cell):
                raw += [self.raw[at : cell.start], _replaced(self.raw, cell, _shown_again(after))]
                at = cell.end
        return "".join([*raw, self.raw[at:]])

    @property
    def contents(self) -> str:
        """The text of the file, with the cells as they are in `text`."""
        return self.rewritten(self.text)

    @cached_property
    def _marks(self) -> list[tuple[int, int]]:
        """The line of the text that names each cell, with its number."""
        return [(self.text.count("\n", 0, match.start()) + 1, int(match[1])) for match in _MARK.finditer(self.text)]


class _Blank(Notebook):
    """A notebook that isn't here: its cells are known, and nothing of what is in them."""

    def shown(self, line: int) -> str | None:
        return None


def blank(path: str, lines: Mapping[int, int]) -> Notebook:
    """Return what stands for a notebook that can't be read, with so many lines in each cell."""
    text = "".join(f"'mpsafe-lint: cell {number}'\n" + "\n" * lines[number] for number in sorted(lines))
    return _Blank(path, text)


def decode_notebook(data: bytes, path: str) -> Notebook:
    """Read a notebook from the bytes of its file. Raises SourceError."""
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8-sig" if bom else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(f"is not valid utf-8: byte 0x{data[error.start]:02x}", line) from None
    return notebook(Source(path, text, bom=bom, digest=digest_of(data)))


def notebook(source: Source) -> Notebook:
    """Read a notebook from the text of its file. Raises SourceError where it is none."""
    try:
        document: Any = json.loads(source.text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise SourceError(f"is no notebook: {getattr(error, 'msg', error)}", line) from None
    except RecursionError:
        raise SourceError("is no notebook: too deeply nested") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise SourceError("is no notebook of format 4: it has no list of cells")
    cells = tuple(_code_cells(source.text, document["cells"])) if _is_python(document) else ()
    text = "".join(f"'mpsafe-lint: cell {cell.number}'\n{_shown(cell)}" for cell in cells)
    if len(_MARK.findall(text)) != len(cells):
        raise SourceError("cannot be read: a line of it looks like one of those that mpsafe-lint puts between cells")
    return Notebook(source.path, text, source.encoding, source.bom, source.digest, source.text, cells)


def _is_python(document: dict[str, Any]) -> bool:
    """Tell whether a notebook's language is Python, as one that says nothing of it is."""
    about = document.get("metadata")
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        language = about.get(key) if isinstance(about, dict) else None
        if isinstance(language, dict) and isinstance(language.get(inner), str):
            return bool(re.fullmatch(r"(?i)i?python\d*", language[inner]))
    return True


def _code_cells(raw: str, cells: Sequence[Any]) -> Iterator[Cell]:
    top = dict(_members(raw, _skip(raw, 0)))
    for number, ((start, _), cell) in enumerate(zip(_elements(raw, top["cells"][0]), cells, strict=True), 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source")
        lines = [source] if isinstance(source, str) else source
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            line = raw.count("\n", 0, start) + 1
            raise SourceError(f"is no notebook of format 4: cell {number} has no source", line)
        begin, end = dict(_members(raw, start))["source"]
        yield Cell(number, begin, end, "".join(lines))


# --- places in JSON -------------------------------------------------------------------------------------------------


def _members(raw: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the keys of the object that begins at `start`, each with where its value stands."""
    at = _skip(raw, start + 1)
    while raw[at] != "}":
        key, at = _DECODER.raw_decode(raw, at)
        begin = _skip(raw, _skip(raw, at) + 1)
        end = _DECODER.raw_decode(raw, begin)[1]
        yield key, (begin, end)
        at = _skip(raw, end)
        at = _skip(raw, at + 1) if raw[at] == "," else at


def _elements(raw: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield where the elements stand of the list that begins at `start`; nothing where it is no list."""
    if raw[start] != "[":
        return
    at = _skip(raw, start + 1)
    while raw[at] != "]":
        end = _DECODER.raw_decode(raw, at)[1]
        yield at, end
        at = _skip(raw, end)
        at = _skip(raw, at + 1) if raw[at] == "," else at


def _skip(raw: str, at: int) -> int:
    match = _SPACE.match(raw, at)
    return match.end() if match else at


def _replaced(raw: str, cell: Cell, code: str) -> str:
    """Return a cell's `source` anew, in the form that it had."""
    code = code.strip("\n") + ("\n" if cell.code.endswith("\n") else "")
    spans = list(_elements(raw, cell.start))
    if raw[cell.start] != "[":
        return _literal(raw, code)
    literals = {json.loads(raw[start:end]): raw[start:end] for start, end in spans}
    in_one = len(spans) == 1 and "\n" in cell.code.rstrip("\n")
    lines = [literals.get(line) or _literal(raw, line) for line in ([code] if in_one else _LINE.findall(code))]
    head = raw[cell.start : spans[0][0]] if spans else "["
    tail = raw[spans[-1][1] : cell.end] if spans else "]"
    between = raw[spans[0][1] : spans[1][0]] if len(spans) > 1 else f",{head[1:] or ' '}"
    return f"{head}{between.join(lines)}{tail}" if lines else "[]"


def _literal(raw: str, text: str) -> str:
    return json.dumps(text, ensure_ascii=raw.isascii())


# --- magics ---------------------------------------------------------------------------------------------------------


def _shown(cell: Cell) -> str:
    """Return what stands for a cell in the text."""
    code = _hidden(cell.code)
    return code if not code or code.endswith("\n") else f"{code}\n"


def _hidden(code: str) -> str:
    """Return the code of a cell with its magics as statements that do nothing, each on the line where it was."""
    lines = _LINE.findall(code)
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if lines and lines[first].startswith("%%"):
        name = re.match(r"%%(\w*)", lines[first])
        if name is None or name[1] not in _PYTHON_CELLS:
            return "".join(_instead(line, "pass") for line in lines)
    shown: list[str] = []
    pending, indent, continues = "", "", False
    for line in lines:
        if not pending and (continues or _MAGIC.match(line) or _ASSIGNED.match(line)):
            assigned = None if continues else _ASSIGNED.match(line)
            indent = indent if continues else line[: len(line) - len(line.lstrip(" \t"))]
            statement = f"{assigned[1]} = get_ipython()" if assigned else "pass"
            shown.append(_instead(line, indent + statement))
            continues = line.rstrip("\n").endswith("\\")
            continue
        shown.append(line)
        pending = pending + line if _is_open(pending + line) else ""
    return "".join(shown)


def _instead(line: str, statement: str) -> str:
    body = line.rstrip("\n")
    return f"{statement}  # mpsafe-lint: magic: {body}{line[len(body) :]}"


def _shown_again(text: str) -> str:
    """Return the code of a cell with its magics as they were."""
    return _HIDDEN.sub(lambda match: match[1], text)


def _is_open(code: str) -> bool:
    """Tell whether a statement goes on in the next line: a bracket, a string or a backslash is open."""
    try:
        for _ in tokenize.generate_tokens(io.StringIO(code).readline):
            pass
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError) as error:  # the last is how 3.12 takes a bare \r
        return isinstance(error, tokenize.TokenError) and ("EOF" in str(error) or "triple-quoted" in str(error))
    return code.rstrip("\n").endswith("\\")
