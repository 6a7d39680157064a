"""python -m mpsafe_lint.runtime: mpsafe-trace."""

import sys

from mpsafe_lint.runtime.trace import main

sys.exit(main())
