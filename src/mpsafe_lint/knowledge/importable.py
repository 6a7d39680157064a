"""Which names of the standard library pickle finds again.

Source: every public name of every module of 3.11 was pickled, some 11,000. Functions and classes go by name, constants
by value; those below don't.
"""

from __future__ import annotations

import sys
from typing import Final

_NOT_SENT: Final = frozenset(
    """os.fsencode os.fsdecode hashlib.new locale.localeconv logging.currentframe logging.lastResort secrets.choice
    secrets.randbits signal.ItimerError sqlite3.adapters sqlite3.converters sys.implementation sys.path_hooks
    unittest.mock.call ctypes.memmove ctypes.memset datetime.datetime_CAPI socket.CAPI dbm.error
    multiprocessing.managers.BasePoolProxy unicodedata.ucd_3_2_0""".split()
)
_MODULES: Final = (
    "encodings.",
    "ctypes.wintypes.",
    "sre_",
    "multiprocessing.forkserver.",
    "multiprocessing.resource_sharer.",
    "multiprocessing.resource_tracker.",
    "multiprocessing.sharedctypes.",
    "json.scanner.",
    "json.encoder.",
    "types.",
    "typing.",
)
"""Modules that hold many that aren't."""


def is_sent(name: str) -> bool:
    """Tell whether a function, class or constant of the standard library is known to be sent, by its qualified name."""
    module = name.partition(".")[0]
    private = any(part.startswith("_") and not part.endswith("__") for part in name.split("."))
    return module in sys.stdlib_module_names and not private and name not in _NOT_SENT and not name.startswith(_MODULES)
