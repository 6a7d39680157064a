"""The measured kinds of value, and the rule that reports each.

A kind groups values that fail in the same way. Single types of a kind may stand under another rule where their leaf is
another: see `types`. Kinds that always pickle have no rule.
"""

from __future__ import annotations

from typing import Final

_KINDS: Final = {
    # By rule. Source: each kind was measured on CPython 3.8 to 3.15, third-party kinds on 3.11.
    "dict-view": "dict-view odict-view class-vars-view itertools-of-view",
    "lambda": "lambda local-lambda container-of-lambda torch-lambdalr",
    "local-function": "local-function container-of-local-function",
    "generator": "generator path-iterdir pandas-groupby-iter",
    "iterator": "itertools itertools-new regex-iterator csv scandir library-iterator numpy-iterator "
    "torch-dataloader-iter",
    "local-class": "local-class local-class-instance",
    "file-handle": "file pandas-reader fsspec-opened pil-image-closed tqdm",
    "thread-object": "lock threading queue executor holds-lock log-handler filelock",
    "connection": "database shelf socket selector subprocess urllib-opener h5py h5py-view lmdb pytables pyarrow-handle "
    "sqlalchemy duckdb zmq grpc av soundfile netcdf4 rasterio redis",
    "module": "module-object",
    "mp-object": "mp-sync mp-sync-fork-context mp-sync-default-context mp-sharedctypes mp-queue mp-queue-fork-context "
    "mp-listener mp-pool mp-process-unstarted mp-process-started mp-authkey mp-manager",
    "misnamed": "rebound-name missing-name missing-module make-dataclass builtin-type-without-name "
    "struct-sequence-no-new mock jinja2 sympy-lambdify numpy-ufunc logger-unregistered",
    "internal": "mappingproxy os-environ abc-view-of-unpicklable descriptor cmp-to-key coroutine memoryview "
    "picklebuffer asyncio-loop asyncio-sync asyncio-task contextvars weakref interpreter-object traceback-exception "
    "getset-descriptor descriptor-cached-property argparse newtype super frame-locals dataclass-field too-deep "
    "refuses-pickling torch-non-leaf-tensor torch-autograd-node",
    "unloadable": "bound-method-of-lambda bound-method-private frozen-slots loads-fails exception-init-args "
    "getattr-keyerror xmlrpc-proxy codec-info mp-proxy shared-memory h5py-attrs pil-font torch-generator torch-storage",
    "native-object": "mmap ssl-context database-row system-random regex-match struct-object hash-object compressor "
    "decimal-context-manager zoneinfo-from-file ctypes-pointer ctypes-library parser-object pil-draw cv2 torch-jit "
    "torch-finfo",
    "": "plain-data abc-view configparser dbm-dumb partial module-function module-instance bound-method "
    "builtin-callable operator-object module-class magic-getattr copyreg builtin-iterator dict-key-iterator "
    "spooled-file finalizer weakref-proxy member-descriptor exception exception-init-silent logger mp-connection "
    "sentinel numpy-memmap torch-compile torch-profiler torch-cuda pil-image polars-udf yaml",
}

RULE_OF_KIND: Final = {kind: rule for rule, kinds in _KINDS.items() for kind in kinds.split()}
"""The rule of each measured kind, empty for those that always pickle."""
