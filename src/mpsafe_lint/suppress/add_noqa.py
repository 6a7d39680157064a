"""Writing `# noqa: MPS…` comments where findings stand."""

from __future__ import annotations

from collections.abc import Iterable

from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import Source, SourceError
from mpsafe_lint.files.writing import write_source
from mpsafe_lint.findings import Finding
from mpsafe_lint.knowledge.rules import TOOL, all_codes
from mpsafe_lint.suppress.noqa import INLINE, Noqa


def add_noqa(findings: Iterable[Finding], project: Project) -> tuple[int, list[str]]:
    """Silence findings by comments. Return how many were, and a line for each file or finding that couldn't be.

    The comment goes to where flake8 looks for it; one that is there gets the code added.
    """
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        if all_codes()[finding.code] not in TOOL:
            by_path.setdefault(finding.span.path, []).append(finding)
    done, failures = 0, []
    for path, here in by_path.items():
        try:
            source = project.source(path)
            text, count = _with_comments(source, here)
            if count < len(here):
                failures.append(f"{path}: {len(here) - count} not silenced: a string there looks like a noqa comment")
            if count:
                write_source(project.root / path, source, text)
            done += count
        except SourceError as error:
            failures.append(f"{path}: {error}")
    return done, failures


def _with_comments(source: Source, findings: Iterable[Finding]) -> tuple[str, int]:
    noqa = Noqa(source, every_line=True)
    lines = list(source.lines)
    codes: dict[range, list[str]] = {}
    for finding in findings:
        codes.setdefault(noqa.range_for(finding.span.line), []).append(finding.code)
    done = 0
    for place, here in codes.items():
        wanted = ", ".join(dict.fromkeys(here))
        number, column = _first_comment(lines, place)
        if number is None:
            line = lines[place[-1] - 1]
            body = line.rstrip("\r\n")
            lines[place[-1] - 1] = f"{body.rstrip()}  # noqa: {wanted}{line[len(body) :]}"
        elif noqa.in_comment(number, column):
            line = lines[number - 1]
            match = INLINE.match(line, column)
            assert match is not None and match["codes"]  # a bare one would have silenced the finding
            end = match.start("codes") + len(match["codes"].rstrip(", \t\r\n\f"))
            lines[number - 1] = f"{line[:end]}, {wanted}{line[end:]}"
        else:
            continue
        done += len(here)
    return "".join(lines), done


def _first_comment(lines: list[str], place: range) -> tuple[int | None, int]:
    for number in place:
        if match := INLINE.search(lines[number - 1]):
            return number, match.start()
    return None, 0
