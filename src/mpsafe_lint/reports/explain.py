"""The page of a rule."""

from __future__ import annotations

import re
from importlib.resources import files

from mpsafe_lint.knowledge.rules import all_codes

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
