"""What is known of a rule, and of an error text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from importlib.resources import files

from mpsafe_lint.knowledge.rules import all_codes
from mpsafe_lint.repairs import PLANNERS
from mpsafe_lint.runtime.logs import ErrorExplanation

_TESTED = re.compile(r"^```python .*$", re.MULTILINE)
"""Where an example begins, with what the tests are to see when it runs: nothing for a reader."""


def page(code: str) -> str:
    """Return the page of a rule, in Markdown; what the rule table says of it where it has none."""
    rule = all_codes()[code]
    file = files("mpsafe_lint.knowledge") / "pages" / f"{rule.kind}.md"
    if file.is_file():
        return _TESTED.sub("```python", file.read_text(encoding="utf-8"))
    off = "" if rule.default else "\nOff by default; select it with `--extend-select`.\n"
    return f"# {rule.kind} ({code})\n\n{rule.noun[0].upper()}{rule.noun[1:]}: {rule.advice}.\n{off}"


def pages(codes: Iterable[str]) -> str:
    """Return the pages of rules, each once."""
    return "\n".join(dict.fromkeys(page(code) for code in codes))


def as_json(codes: Iterable[str]) -> str:
    """Return what is known of rules, as a JSON list."""
    rules = [
        {
            "code": code,
            "kind": rule.kind,
            "summary": rule.noun,
            "advice": rule.advice,
            "default": rule.default,
            "fixable": rule.kind in PLANNERS,
            "page": page(code),
        }
        for code, rule in ((code, all_codes()[code]) for code in codes)
    ]
    return json.dumps(rules, indent=2) + "\n"


def error_as_json(explanation: ErrorExplanation | None) -> str:
    """Return what is behind an error text as a JSON object; null where nothing is known."""
    return json.dumps(asdict(explanation) if explanation else None, indent=2) + "\n"
