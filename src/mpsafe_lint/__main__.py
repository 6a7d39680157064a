"""`python -m mpsafe_lint` is `mpsafe-lint`."""

from __future__ import annotations

import sys

from mpsafe_lint.cli import lint_main

if __name__ == "__main__":
    sys.exit(lint_main())
