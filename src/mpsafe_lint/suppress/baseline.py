"""Baselines: the findings that a code base lives with for now, counted by fingerprint."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mpsafe_lint.config import Config, ConfigError
from mpsafe_lint.files.writing import write_bytes
from mpsafe_lint.findings import Finding
from mpsafe_lint.knowledge.rules import all_codes

FORMAT = 1
DEFAULT_NAME = "mpsafe-baseline.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding that is known. `path`, `kind` and `message` are for people; the fingerprint alone is compared."""

    fingerprint: str
    code: str
    path: str
    message: str


def file_of(config: Config, root: Path) -> Path:
    """Return where the baseline of a project is, or would be written: relative to the configuration that names it."""
    return (config.folder or root) / (config.baseline or DEFAULT_NAME)


def entries(config: Config, root: Path) -> list[Entry]:
    """Return the entries of a project's baseline, none where no baseline is named. Raises ConfigError."""
    return read(file_of(config, root)) if config.baseline else []


def read(file: Path) -> list[Entry]:
    """Read a baseline. Raises ConfigError, in one line, where it is none or of another format."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{file}: not a baseline: {error}") from None
    version = document.get("mpsafe-baseline") if isinstance(document, dict) else None
    if version != FORMAT:
        said = "not a baseline" if version is None else f"a baseline of format {version}, not {FORMAT}"
        raise ConfigError(f"{file}: {said}; write a new one with --write-baseline")
    try:
        found = [Entry(**entry) for entry in document["findings"]]
    except (TypeError, KeyError):
        raise ConfigError(f"{file}: not a baseline: damaged entries; write a new one with --write-baseline") from None
    return [entry for entry in found if entry.code in all_codes()]


def as_entries(findings: Iterable[Finding]) -> list[Entry]:
    """Return findings as a baseline holds them."""
    return [Entry(finding.fingerprint, finding.code, finding.span.path, finding.message) for finding in findings]


def write(file: Path, findings: Iterable[Finding]) -> None:
    """Write a baseline of these findings. Raises OSError."""
    document = {"mpsafe-baseline": FORMAT, "findings": [asdict(entry) for entry in as_entries(findings)]}
    write_bytes(file, (json.dumps(document, indent=1) + "\n").encode())


def subtract(findings: Iterable[Finding], entries: Sequence[Entry]) -> tuple[list[Finding], list[Entry]]:
    """Return the findings that are new, and the entries that no longer occur."""
    left = Counter(entry.fingerprint for entry in entries)
    new = []
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            new.append(finding)
    stale = []
    for entry in reversed(entries):
        if left[entry.fingerprint] > 0:
            left[entry.fingerprint] -= 1
            stale.append(entry)
    return new, stale[::-1]
