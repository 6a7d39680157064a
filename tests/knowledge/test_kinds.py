"""Every measured kind of value that can fail has a rule."""

from __future__ import annotations

from mpsafe_lint.knowledge import kinds, rules

ALWAYS_PICKLES = (
    "plain-data abc-view configparser dbm-dumb partial module-function module-instance bound-method builtin-callable "
    "operator-object module-class magic-getattr copyreg builtin-iterator dict-key-iterator spooled-file finalizer "
    "weakref-proxy member-descriptor exception exception-init-silent logger mp-connection sentinel numpy-memmap "
    "torch-compile torch-profiler torch-cuda pil-image polars-udf yaml"
)
"""Under pickle and multiprocessing, on every Python; torch-cuda can't be measured without a GPU."""

CAN_FAIL = (
    "dict-view odict-view abc-view-of-unpicklable shelf class-vars-view generator mappingproxy os-environ database "
    "container-of-lambda lambda local-lambda bound-method-of-lambda local-function rebound-name missing-name "
    "container-of-local-function bound-method-private local-class-instance holds-lock descriptor file cmp-to-key "
    "mock local-class frozen-slots make-dataclass dataclass-field loads-fails getattr-keyerror refuses-pickling "
    "executor module-object threading too-deep coroutine memoryview itertools itertools-new regex-iterator csv "
    "scandir library-iterator path-iterdir parser-object mmap picklebuffer socket selector ssl-context "
    "urllib-opener xmlrpc-proxy subprocess lock queue asyncio-loop asyncio-sync asyncio-task contextvars weakref "
    "interpreter-object traceback-exception getset-descriptor descriptor-cached-property builtin-type-without-name "
    "struct-sequence-no-new exception-init-args logger-unregistered log-handler database-row system-random "
    "regex-match struct-object hash-object compressor decimal-context-manager zoneinfo-from-file argparse "
    "ctypes-pointer ctypes-library codec-info newtype mp-sync mp-sync-fork-context mp-sync-default-context "
    "mp-sharedctypes mp-queue mp-queue-fork-context mp-listener mp-pool mp-process-unstarted mp-process-started "
    "mp-authkey mp-manager mp-proxy shared-memory super frame-locals itertools-of-view h5py h5py-view h5py-attrs "
    "lmdb numpy-ufunc numpy-iterator pandas-groupby-iter pytables pandas-reader torch-non-leaf-tensor "
    "torch-lambdalr torch-generator torch-dataloader-iter torch-jit torch-finfo torch-storage torch-autograd-node "
    "pil-image-closed pil-draw pil-font cv2 tqdm pyarrow-handle sqlalchemy duckdb zmq grpc av soundfile netcdf4 "
    "rasterio redis jinja2 sympy-lambdify filelock fsspec-opened missing-module"
)


def test_all_measured_kinds_are_here() -> None:
    assert len(CAN_FAIL.split()) + len(ALWAYS_PICKLES.split()) == 167
    assert set(kinds.RULE_OF_KIND) == {*CAN_FAIL.split(), *ALWAYS_PICKLES.split()}


def test_no_kind_that_can_fail_is_without_a_home() -> None:
    assert [
        kind for kind in CAN_FAIL.split() if kinds.RULE_OF_KIND[kind] not in {rule.kind for rule in rules.VALUES}
    ] == []


def test_what_always_pickles_has_no_rule() -> None:
    assert {kinds.RULE_OF_KIND[kind] for kind in ALWAYS_PICKLES.split()} == {""}


def test_every_rule_has_a_kind() -> None:
    assert {rule.kind for rule in rules.VALUES} <= set(kinds.RULE_OF_KIND.values())
