"""Put on PYTHONPATH, it makes START_METHOD the default start method of this interpreter and of all that it starts.

Only the default: a program that asks for a context or calls set_start_method() still gets what it asks for.
"""

import os

if method := os.environ.get("START_METHOD"):
    from multiprocessing import context

    context._default_context._default_context = context._concrete_contexts[method]
