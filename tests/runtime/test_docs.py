"""The outputs on the page are real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mpsafe_lint

PAGE = Path(__file__).parents[2] / "docs" / "runtime.md"
BLOCKS = re.findall(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
FILES = {name: text for language, name, text in BLOCKS if language == "python" and name}
OUTPUTS = {name: text for language, name, text in BLOCKS if language == "text"}
PROGRAMS = {
    "mpsafe-trace train.py": "import sys; from mpsafe_lint.runtime.trace import main; sys.exit(main(['train.py']))",
    "explain": "from mpsafe_lint.runtime import *; from train import *\n"
    "print(explain(Recordings(), start_method='spawn'))",
    "make_mp_safe": "from mpsafe_lint.runtime import *; from train import *\n"
    "copy, report = make_mp_safe(Recordings()); print(copy.settings.names); print(report)",
    "explain_error": "from mpsafe_lint.runtime import *\n"
    "print(explain_error(\"TypeError: cannot pickle 'TextIOWrapper' instances\"))",
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_output(tmp_path: Path, name: str) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    env = os.environ | {"PYTHONPATH": str(Path(mpsafe_lint.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[name]], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
    )
    assert OUTPUTS[name] in done.stdout + done.stderr


def test_every_output_has_a_program() -> None:
    assert OUTPUTS.keys() == PROGRAMS.keys() and FILES.keys() == {"birds.py", "train.py"}
