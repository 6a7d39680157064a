"""What the analysis of a project says, as plain data that can be kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mpsafe_lint.findings import Crossing, Edit, ErrorText, Finding, NotRepaired, Repair, Span, Step

if TYPE_CHECKING:
    from mpsafe_lint.pickling.opinion import Opinion


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the analysis of a project says: every finding of it, unfiltered and sorted, and what it could not resolve.

    `files` counts the files that were analysed; `unresolved` maps a qualified name that could not be found to how
    often it was asked for. `opinions` say of each value that is sent what is known of it; they are not kept.
    """

    findings: tuple[Finding, ...]
    files: int
    unresolved: dict[str, int]
    opinions: tuple[tuple[Crossing, Opinion], ...] = ()


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as JSON has it."""
    found = [asdict(finding) for finding in analysis.findings]
    return {"findings": found, "files": analysis.files, "unresolved": analysis.unresolved}


def from_json(data: dict[str, Any]) -> Analysis:
    """Return what `as_json` was given. Raises KeyError, TypeError or ValueError for what it didn't write."""
    return Analysis(tuple(map(_finding, data["findings"])), int(data["files"]), dict(data["unresolved"]))


def _finding(data: dict[str, Any]) -> Finding:
    given = dict(data)
    given["span"] = Span(**data["span"])
    given["errors"] = tuple(ErrorText(**one) for one in data["errors"])
    given["crossing"] = None if data["crossing"] is None else _crossing(data["crossing"])
    given["chain"] = tuple(Step(one["text"], _span(one["span"])) for one in data["chain"])
    given["also"] = tuple(map(_crossing, data["also"]))
    given["library_origin"] = _span(data["library_origin"])
    for name in ("methods", "unpicklable_captures"):
        given[name] = tuple(data[name])
    return Finding(**given)


def _crossing(data: dict[str, Any]) -> Crossing:
    return Crossing(**(data | {"span": Span(**data["span"]), "methods": tuple(data["methods"])}))


def _span(data: dict[str, Any] | None) -> Span | None:
    return None if data is None else Span(**data)


def repair_from_json(data: dict[str, Any]) -> Repair | NotRepaired:
    """Return the repair that was written by `asdict`. Raises KeyError, TypeError or ValueError for anything else."""
    if "edits" not in data:
        return NotRepaired(**data)
    edits = tuple(Edit(**(one | {"span": Span(**one["span"])})) for one in data["edits"])
    return Repair(**(data | {"edits": edits}))
