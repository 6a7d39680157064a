"""Source files as they are: bytes to text and back, without loss."""

from __future__ import annotations

import codecs
import io
import os
import re
import tokenize
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class SourceError(Exception):
    """A file can't be read. The message is a reason in one line; `line` is where, 1 where it is the file as a whole."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class Source:
    """The text of a file. `text` holds its exact characters, with its own line ends and without the BOM.

    `newline` is what most of its lines end with. `digest` is of the bytes.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    digest: str = ""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, with their ends, as Python counts them: a form feed ends none."""
        return tuple(_LINE.findall(self.text))

    @cached_property
    def newline(self) -> str:
        """The line end that most lines have."""
        crlf = self.text.count("\r\n")
        counts = {"\n": self.text.count("\n") - crlf, "\r\n": crlf, "\r": self.text.count("\r") - crlf}
        return max(counts, key=lambda end: counts[end])

    def shown(self, line: int) -> str | None:
        """Return a line as its author wrote it, without its end; None where there is none."""
        return self.lines[line - 1].rstrip("\r\n") if 1 <= line <= len(self.lines) else None

    @property
    def contents(self) -> str:
        """The text of the file as it is on disk."""
        return self.text

    def with_text(self, text: str) -> Source:
        """Return the source as if its text were another."""
        return replace(self, text=text, digest=digest_of(text.encode("utf-8", "surrogatepass")))

    def encode(self, text: str) -> bytes:
        """Return the bytes of a changed text, in this file's encoding. Raises UnicodeEncodeError."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)


def digest_of(data: bytes) -> str:
    """Return the digest by which contents are compared."""
    return blake2b(data, digest_size=16).hexdigest()


def decode_text(text: str, path: str) -> Source:
    """Return a text that stands for a file's (an editor's buffer, which may be a notebook's). Raises SourceError."""
    source = Source(path, text, digest=digest_of(text.encode("utf-8", "surrogatepass")))
    if not path.endswith(".ipynb"):
        return source
    from mpsafe_lint.files.notebooks import notebook

    return notebook(source)


def read(file: Path, path: str) -> Source:
    """Read a file; `path` is the name that it goes by. Raises SourceError."""
    try:
        if file.is_dir():
            os.scandir(file).close()  # only a folder that can't be listed is taken for a file
        if not file.is_file():
            raise SourceError(
                "cannot be read: it is no regular file" if file.exists() else "cannot be read: no such file"
            )
        data = file.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}") from None
    return decode(data, path)


def decode(data: bytes, path: str) -> Source:
    """Decode a file's bytes: a notebook's, or by their BOM and coding cookie (PEP 263). Raises SourceError."""
    if path.endswith(".ipynb"):
        from mpsafe_lint.files.notebooks import decode_notebook

        return decode_notebook(data, path)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        reason = str(error)
        if "unknown encoding" in reason or "encoding problem" in reason:
            raise SourceError(reason) from None
        encoding = "utf-8"  # the first lines are no UTF-8: decoding says where
    bom = data.startswith(codecs.BOM_UTF8)
    body, encoding = (data[3:], "utf-8") if bom else (data, encoding)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise SourceError(f"is not valid {encoding}: byte 0x{body[error.start]:02x}", line) from None
    except (LookupError, UnicodeError, ValueError) as error:
        raise SourceError(f"cannot be decoded as {encoding}: {error}") from None
    return Source(path, text, encoding, bom, digest_of(data))
