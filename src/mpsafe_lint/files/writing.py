"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from mpsafe_lint.files.source import Source, SourceError, digest_of


class Changed(SourceError):  # noqa: N818
    """A file is no longer what was read."""


def write_source(file: Path, source: Source, text: str) -> None:
    """Replace a source file's text, and keep its encoding, its BOM and its mode; a link stays a link.

    Raises Changed where the file isn't any more what was read, another SourceError where it can't be written.
    """
    try:
        if digest_of(file.read_bytes()) != source.digest:
            raise Changed("changed since it was read; left alone")
        write_bytes(file, source.encode(text))
    except UnicodeEncodeError as error:
        raise SourceError(f"cannot be written as {source.encoding}: {error.reason}") from None
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}") from None


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file atomically: a reader sees the old contents or the new ones. Raises OSError."""
    target = Path(os.path.realpath(file))
    try:
        status = os.stat(target)
    except FileNotFoundError:
        status = None
    if status and not os.access(target, os.W_OK):  # replacing it would work, and go against its mode
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    if status and not stat.S_ISREG(status.st_mode):  # /dev/stdout, a pipe: nothing to keep whole
        target.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, stat.S_IMODE(status.st_mode) if status else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
