"""`explain` says of measured values what pickling them really did: see agree.py, which holds all rows to it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_one_value_of_each_kind() -> None:
    command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("agree.py")), "--kinds"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    closing = done.stdout.splitlines()[-1]
    found = re.fullmatch(r"3\.\d+: (\d+) outcomes, 0 differ", closing)
    assert found and done.returncode == 0, done.stdout + done.stderr
    assert int(found[1]) > 400
