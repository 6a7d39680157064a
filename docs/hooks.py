"""What mkdocs builds from the project itself: the rules, the table of what pickles, the options, the change log."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from mpsafe_lint.config import KNOWN_VERSIONS
from mpsafe_lint.knowledge import rules, types
from mpsafe_lint.knowledge.types import libraries, stdlib
from mpsafe_lint.reports.explain import page as page_of

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = re.compile(r"^```python (?:good|bad)\b.*$", re.MULTILINE)
NAMED = re.compile(r"^```(\w+) (?!title=)(\S.*)$", re.MULTILINE)
RULE_LINK = re.compile(r"\]\(\.\./src/mpsafe_lint/knowledge/pages/([a-z-]+\.md)")
BUILT = re.compile(r"^<!-- built: (.+) -->$", re.MULTILINE)
FAMILIES = (
    ("Values", "what can't be sent", rules.VALUES),
    ("Habits", "what hangs, crashes or leaks", rules.HABITS),
    ("Advice", "off by default", rules.ADVICE),
    ("The tool itself", "what could not be looked at", rules.TOOL),
)
SERIALIZERS = ("pickle", "forking", "spawning", "cloudpickle", "dill")


def on_config(config: Any) -> Any:
    """Put the pages of the rules into the navigation."""
    section = next(entry["Rules"] for entry in config.nav if isinstance(entry, dict) and "Rules" in entry)
    for name, _, family in FAMILIES:
        section.append({name: [{_title(rule): f"rules/{rule.kind}.md"} for rule in family]})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are built."""
    for path, text in _pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Leave out what only the tests read, show names of files as titles, point links at the rules' pages, and put in
    what is built."""
    markdown = CLAIMS.sub("```python", markdown)
    markdown = NAMED.sub(r'```\1 title="\2"', markdown)
    markdown = RULE_LINK.sub(r"](rules/\1", markdown)
    return BUILT.sub(lambda match: PARTS[match[1]](), markdown)


def _pages() -> Iterator[tuple[str, str]]:
    for rule in rules.BY_KIND.values():
        yield f"rules/{rule.kind}.md", page_of(rules.code_of(rule.kind))
    yield "changelog.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def _codes(rule: rules.Rule) -> list[str]:
    return sorted({rules.code_of(rule.kind), rules.code_of(rule.kind, kept=True)})


def _title(rule: rules.Rule) -> str:
    return f"{', '.join(_codes(rule))} {rule.kind}"


def _help(main: str) -> str:
    command = [sys.executable, "-c", f"from mpsafe_lint.cli import {main}; {main}()", "--help"]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return f"```text\n{text}```"


def _rules() -> str:
    parts = []
    for name, what, family in FAMILIES:
        parts.append(f"## {name}\n\n{what[0].upper()}{what[1:]}.\n")
        lines = ["| Code | Name | What it finds | By default |", "| --- | --- | --- | --- |"]
        for rule in family:
            codes, link = ", ".join(_codes(rule)), f"[{rule.kind}]({rule.kind}.md)"
            default = "on" if rule.default else "off"
            lines.append(f"| {codes} | {link} | {_first_sentence(page_of(rules.code_of(rule.kind)))} | {default} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _first_sentence(page: str) -> str:
    """Return the first sentence of the section that says what a rule does."""
    section = re.search(r"^## What it does\n+(.+?)(?:\n\n|\Z)", page, re.MULTILINE | re.DOTALL)
    text = " ".join((section[1] if section else page).split())
    return re.split(r"(?<=\.)\s(?=[A-Z`])", text)[0].replace("|", "\\|")


# --- what pickles ---------------------------------------------------------------------------------------------------


def _refused() -> str:
    rows = (*stdlib.ROWS, *libraries.ROWS)
    parts = []
    for rule in rules.VALUES:
        here = [row for row in rows if row.rule == rule.kind]
        if here:
            parts.append(f"### [{rule.kind}](rules/{rule.kind}.md)\n\n{_table(here)}\n")
    return "\n".join(parts)


def _table(rows: list[types.TypeRow]) -> str:
    lines = [
        "| Type | pickle | queue, pool, executor | start of a process | cloudpickle | dill | Error |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        cells = [_names(row.name.split()), *(_verdict(row, serializer) for serializer in SERIALIZERS), _error(row)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _sent() -> str:
    """Return the types that every serializer sends: those that are leaves, and those whose parts decide."""
    rows = [row for row in (*stdlib.ROWS, *libraries.ROWS) if not row.rule]
    leaves, holders = (
        _names(sorted(name for row in rows if row.walks is walks for name in row.name.split()))
        for walks in (False, True)
    )
    return f"By themselves: {leaves}.\n\nWhere their parts are: {holders}."


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _verdict(row: types.TypeRow, serializer: str) -> str:
    texts = row.texts(serializer)
    failing = [version for version in KNOWN_VERSIONS if any(types.covers(text.python, version) for text in texts)]
    word = "not loaded" if serializer in row.loads else "no"
    if not failing:
        return "yes"
    if len(failing) == len(KNOWN_VERSIONS):
        return word
    first, last = (".".join(map(str, version)) for version in (failing[0], failing[-1]))
    if failing[-1] == KNOWN_VERSIONS[-1]:
        return f"{word} from {first}"
    return f"{word} until {last}" if failing[0] == KNOWN_VERSIONS[0] else f"{word} in {first} to {last}"


def _error(row: types.TypeRow) -> str:
    """The texts under the first serializer that refuses it."""
    texts = next((texts for serializer in SERIALIZERS if (texts := row.texts(serializer))), ())
    name = row.name.split()[0].partition("[")[0]
    return "<br>".join(f"{text.python + ': ' if text.python else ''}`{_shown(text.text, name)}`" for text in texts)


def _shown(text: str, name: str) -> str:
    filled = text.replace("{name}", name).replace("{last}", name.rpartition(".")[2])
    return filled.replace("|", "\\|")


PARTS = {
    "help of mpsafe-lint": lambda: _help("lint_main"),
    "help of mpsafe-fix": lambda: _help("fix_main"),
    "rules": _rules,
    "what is refused": _refused,
    "what is sent": _sent,
}
"""What a comment `<!-- built: … -->` stands for."""
