"""From sightings to findings: one for each origin, with its message, chain and fingerprint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b

from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.crossings.sending import Sighting
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Crossing, ErrorText, Finding, Span
from mpsafe_lint.knowledge import types
from mpsafe_lint.knowledge.rules import BY_KIND, code_of
from mpsafe_lint.modules.syntax import known_since
from mpsafe_lint.values.program import Program


def findings_of(crossings: Crossings, project: Project, program: Program) -> list[Finding]:
    """Join the sightings of one origin into one finding, and those that would say the same of a line as well."""
    groups: dict[tuple[str, Span], list[Sighting]] = {}
    for sighting in crossings.found:
        place = _place(sighting, project)
        if place is not None and _holds(sighting, crossings):
            groups.setdefault((sighting.refused.kind, place), []).append(sighting)
    ordered = sorted(groups.items(), key=lambda item: item[0][1])
    findings = [_finding(kind, place, sightings, project) for (kind, place), sightings in ordered]
    return list({_said(one): one for one in reversed(findings)}.values())


def _said(finding: Finding) -> tuple[object, ...]:
    """Return what a finding tells a person: where, what, and where it is sent to."""
    crossing = finding.crossing.span if finding.crossing else None
    return finding.span.path, finding.span.line, finding.message, crossing


def _holds(sighting: Sighting, crossings: Crossings) -> bool:
    """A class whose instances are made to be sent counts where no loader is seen, and not where none has workers."""
    cls = sighting.sent_class
    if cls is None:
        return True
    loaded = crossings.loaded.get(cls, set())
    return not loaded or True in loaded


def _place(sighting: Sighting, project: Project) -> Span | None:
    """A finding stands at its origin where that is in the project, else at the last step before the library."""
    places = [sighting.crossing.span, *(step.span for step in sighting.chain if step.span), sighting.origin]
    return next((place for place in reversed(places) if place.path in project.file_set), None)


def _finding(kind: str, place: Span, sightings: Sequence[Sighting], project: Project) -> Finding:
    first = min(sightings, key=_rank)
    kept = any(one.kept for one in sightings)
    shown = first if first.kept == kept else min((one for one in sightings if one.kept), key=_rank)
    errors = shown.refused.errors
    crossing = shown.crossing
    others = _distinct((one.crossing for one in sightings), crossing)
    return Finding(
        code=code_of(kind, kept),
        kind=kind,
        span=place,
        message=_message(kind, shown, errors, project),
        boundary=crossing.boundary,
        errors=errors,
        methods=crossing.methods,
        serializer=crossing.serializer,
        outcome=crossing.outcome,
        crossing=crossing,
        chain=shown.chain,
        also=others,
        unpicklable_captures=shown.refused.captures,
        library_origin=shown.origin if shown.origin.path not in project.file_set else None,
    )


def _rank(sighting: Sighting) -> tuple[object, ...]:
    """A crossing that is seen comes before one that is taken for granted, a short chain before a long one."""
    return (sighting.sent_class is not None, len(sighting.chain), sighting.crossing.span, sighting.crossing.boundary)


def _distinct(crossings: Iterable[Crossing], shown: Crossing) -> tuple[Crossing, ...]:
    """Return the other crossings, one for each place and boundary."""
    by_place = {(one.span, one.boundary): one for one in crossings}
    by_place.pop((shown.span, shown.boundary), None)
    return tuple(by_place[key] for key in sorted(by_place))


def _message(kind: str, sighting: Sighting, errors: Sequence[ErrorText], project: Project) -> str:
    noun = BY_KIND[kind].noun
    verb = "cannot be loaded again" if sighting.refused.only_in_worker else "cannot be pickled"
    if sighting.owner:
        where = f"kept in {sighting.owner}.{sighting.attribute}"
    elif sighting.crossing.boundary == "result":
        where = "sent back by a worker"
    else:
        where = f"sent as {sighting.crossing.sent}"
    text = _quoted(errors, project)
    outcome = {"hangs": ", and the parent waits for ever", "lost": ", and the item is lost"}
    return f"{noun} {where} {verb}{f' ({text})' if text else ''}{outcome.get(sighting.crossing.outcome, '')}"


def _quoted(errors: Sequence[ErrorText], project: Project) -> str:
    """Quote what the Python of the target environment prints, where it is among those targeted."""
    version = project.environment.version
    for error in errors:
        if version is not None and types.covers(error.python, version):
            return error.text
    return errors[0].text if errors else ""


def with_fingerprints(findings: Iterable[Finding], project: Project, program: Program) -> list[Finding]:
    """Give each finding a hash of what stays when code moves: its code, the enclosing scope, the normalised source of
    its origin, and its ordinal among equals."""
    seen: Counter[tuple[str, ...]] = Counter()
    result: list[Finding] = []
    for finding in findings:
        module = program.module(finding.span.path) if finding.span.path in project.file_set else None
        scope = module.scope_at(finding.span.line) if module is not None else ""
        key = (finding.code, scope, _normalised_source(finding.span, project))
        text = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        fingerprint = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
        result.append(replace(finding, fingerprint=fingerprint))
    return result


def _normalised_source(span: Span, project: Project) -> str:
    try:
        lines = list(project.source(span.path).lines[span.line - 1 : span.end_line])
    except SourceError:
        return ""
    if lines:
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
    return " ".join("".join(lines).split())


def tool_finding(kind: str, path: str, error: Exception) -> Finding:
    """Return the finding for a file that could not be analysed."""
    line = getattr(error, "lineno", None) or getattr(error, "line", None) or 1
    column = max((getattr(error, "offset", None) or 1) - 1, 0)
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    if kind == "internal-error":
        reason = f"the analysis of this file failed: {type(error).__name__}: {error}"
    elif isinstance(error, SyntaxError):
        since = known_since(error)
        reason = f"cannot be parsed: {reason}" + (f" (syntax of Python {since[0]}.{since[1]})" if since else "")
    span = Span(path, line, column, line, column + 1)
    return Finding(code_of(kind), kind, span, " ".join(str(reason).split()))
