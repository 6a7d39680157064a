"""What calls, methods, attributes and iterations give, against the real ones."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from knowledge import objects
from mpsafe_lint.knowledge import makers, types
from mpsafe_lint.knowledge.makers import aliases, choices, libraries, stdlib

TABLES = (stdlib, libraries)
HERE = sys.version_info[:2]


# --------------------------------------------------------------------------------------------------- consistency


def results() -> set[str]:
    """Return every type that the tables give."""
    found: set[str] = set()
    for table in TABLES:
        for name in ("MAKES", "VALUES", "ITERATED", "ITERATORS", "ITEMS"):
            found.update(getattr(table, name))
        for name in ("METHODS", "ATTRIBUTES"):
            for row in getattr(table, name).values():
                found.update(row)
    return found - {"self"}


@pytest.mark.parametrize("result", sorted(results()))
def test_every_result_is_a_known_type(result: str) -> None:
    assert types.row_of(result) is not None
    item = makers.iterated(result)
    if result.partition("[")[0] in makers.CONTAINERS and item is not None:
        assert types.row_of(item) is not None


@pytest.mark.parametrize("choice", [*choices.CALLS.items(), *choices.METHODS.items()], ids=lambda item: item[0])
def test_every_choice_is_a_known_type(choice: tuple[str, choices.Choice]) -> None:
    unknown = object()
    answers = [
        choice[1](None),
        choice[1]({}),
        choice[1]({0: unknown, 1: unknown, 2: unknown, 3: unknown}),
        *(choice[1]({position: mode}) for position in range(3) for mode in ("r", "w", "rb", "wb", "w+b", "rt", True)),
    ]
    assert all(answer is None or types.row_of(answer) is not None for answer in answers)


@pytest.mark.parametrize("table", TABLES, ids=["stdlib", "libraries"])
@pytest.mark.parametrize("name", ["MAKES", "VALUES", "ITERATED", "ITERATORS", "ITEMS"])
def test_no_name_has_two_results(table: Any, name: str) -> None:
    names = [name for row in getattr(table, name).values() for name in row.split()]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("table", TABLES, ids=["stdlib", "libraries"])
def test_no_member_has_two_results(table: Any) -> None:
    for members in (table.METHODS, table.ATTRIBUTES):
        for row in members.values():
            names = [name for made in row.values() for name in made.split()]
            assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("table", TABLES, ids=["stdlib", "libraries"])
def test_names_of_tables_are_canonical(table: Any) -> None:
    names = {name for made in (table.MAKES, table.VALUES) for row in made.values() for name in row.split()}
    names.update(choices.CALLS, table.METHODS, table.ATTRIBUTES, table.BASES, table.BASES.values())
    assert {name: makers.canonical(name) for name in names if makers.canonical(name) != name} == {}


def test_types_are_canonical() -> None:
    names = types.type_names()
    assert {name: makers.canonical(name) for name in names if makers.canonical(name) != name} == {}


ABSTRACT_TYPES = {
    # Bases of several types, with no row of their own.
    "collections.abc.Mapping",
    "concurrent.futures.Executor",
    "multiprocessing.context.BaseContext",
    "http.client.HTTPConnection",
}


@pytest.mark.parametrize("table", TABLES, ids=["stdlib", "libraries"])
def test_what_has_members_is_a_known_type(table: Any) -> None:
    names = {*table.METHODS, *table.ATTRIBUTES, *table.BASES, *table.BASES.values()}
    for by_type in (table.ITERATED, table.ITERATORS, table.ITEMS):
        names.update(name for row in by_type.values() for name in row.split())
    assert {name for name in names - ABSTRACT_TYPES if types.row_of(name) is None} == set()


def test_what_is_made_by_name_has_no_entry() -> None:
    """A class that gives its own instances needs none."""
    for table in TABLES:
        assert [made for made, row in table.MAKES.items() if made in row.split()] == []


# --------------------------------------------------------------------------------------------------- aliases


def find(name: str) -> Any:
    """Return what a qualified name stands for; None where this Python has no such thing."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found
    return getattr(objects.builtins, name, None)


STANDARD = sys.stdlib_module_names
ABSTRACT = {
    # A name of typing or collections.abc stands for the type that it describes.
    "typing",
    "collections",
    "multiprocessing",
}


@pytest.mark.parametrize(("name", "known"), aliases.RENAMED.items())
def test_an_alias_is_what_it_stands_for(name: str, known: str) -> None:
    assert makers.canonical(name) == known
    given, there = find(name), find(known)
    if name.partition(".")[0] in STANDARD - ABSTRACT and isinstance(given, type) and isinstance(there, type):
        assert issubclass(given, there)


def moved_names() -> Iterator[tuple[str, str]]:
    for old, new, names in aliases.MOVED:
        for name in names.split():
            # In multiprocessing a function, a method and a class go by one name, which is that of all three here.
            if old.partition(".")[0] in STANDARD - {"multiprocessing"}:
                yield old + name, new + name


@pytest.mark.parametrize(("old", "new"), list(moved_names()))
def test_a_moved_name_is_the_same_object(old: str, new: str) -> None:
    given, there = find(old), find(new)
    assert given is not None or there is not None or new in ELSEWHERE
    if given is not None and there is not None and old.partition(".")[0] != "typing":
        assert given is there


def test_other_names_come_back() -> None:
    assert makers.canonical("my.own.thing") == "my.own.thing"
    assert makers.canonical("numpyx.core") == "numpyx.core"
    assert makers.result_of("my.own.thing") is None
    assert makers.result_of("data") is None


# --------------------------------------------------------------------------------------------------- names


ELSEWHERE = {
    # Not on every Python, or not on this system.
    "os.process_cpu_count",
    "audioop.add",
    "cgi.parse_header",
    "imp.load_source",
    "sys.getwindowsversion",
    "inspect.getargspec",
    "ssl.wrap_socket",
    "ssl._create_stdlib_context",
    "math.cbrt",
    "math.exp2",
    "hashlib.file_digest",
    "logging.getHandlerNames",
    "tomllib.load",
    "tomllib.loads",
    "dbm.gnu.open",
    "dbm.ndbm.open",
    "dbm.sqlite3.open",
    "datetime.UTC",
    "asyncio.Runner",
}


@pytest.mark.parametrize("kind", ["MAKES", "VALUES"])
def test_names_of_the_standard_library_exist(kind: str) -> None:
    names = {name for row in getattr(stdlib, kind).values() for name in row.split()}
    wanted = {name for name in names if name.partition(".")[0] in STANDARD or "." not in name}
    missing = {name for name in wanted - ELSEWHERE if find(name) is None}
    assert missing == set()


NEWER = {
    # Members that the oldest Python that is supported doesn't have.
    "pathlib.Path.walk",
    "sqlite3.Connection.blobopen",
}


def test_members_of_the_standard_library_exist() -> None:
    missing = set()
    for name, expression in objects.expressions().items():
        rows = [*stdlib.METHODS.get(name, {}).values(), *stdlib.ATTRIBUTES.get(name, {}).values()]
        value = objects.build(expression) if rows and name != "data" else None
        missing.update(
            f"{name}.{member}"
            for row in rows
            for member in row.split()
            if value is not None and not hasattr(value, member)
        )
    assert missing <= NEWER


# --------------------------------------------------------------------------------------------------- results


EXAMPLES = r"""
os.listdir(".")
os.getcwd()
os.path.join("a", "b")
os.path.splitext("a.b")
os.path.exists("a")
os.path.getsize("text")
os.path.getmtime("text")
os.environ
os.environ.copy()
os.environ.keys()
os.environ.items()
os.environ["HOME"]
os.environ.get("HOME")
os.getenv("HOME")
os.cpu_count()
os.getpid()
os.walk(".")
os.fwalk(".")
os.scandir(".")
os.stat(".")
os.statvfs(".")
os.popen("true")
os.urandom(3)
os.times()
os.uname()
os.fdopen(os.open("text", 0))
os.fdopen(os.open("text", 0), "rb")
glob.glob("*")
glob.iglob("*")
glob.iglob("**", recursive=True)
shutil.which("sh")
shutil.disk_usage(".")
shutil.get_terminal_size()
tempfile.mkdtemp()
tempfile.gettempdir()
tempfile.NamedTemporaryFile()
tempfile.NamedTemporaryFile("w")
tempfile.NamedTemporaryFile(mode="rb")
tempfile.TemporaryFile()
tempfile.TemporaryFile("w")
tempfile.SpooledTemporaryFile()
tempfile.TemporaryDirectory()
open("text")
open("text", "rb")
open("text", mode="rb", buffering=0)
open("written", "w")
open("written", "wb")
open("written", "r+b")
open("written", "a")
open("text").read()
open("text").readlines()
open("text").readline()
open("text").name
open("text", "rb").read()
open("text", "rb").readlines()
open("text").fileno()
io.open("text")
io.BytesIO()
io.BytesIO().getvalue()
io.BytesIO().getbuffer()
io.StringIO()
io.StringIO().getvalue()
io.TextIOWrapper(io.BytesIO())
codecs.open("text")
codecs.open("text", "r", "utf-8")
codecs.open("text", encoding="utf-8")
codecs.lookup("utf-8")
gzip.open("gzipped")
gzip.open("gzipped", "rt")
gzip.open("a.gz", "wb")
gzip.GzipFile("gzipped")
bz2.open("bzipped")
bz2.open("a.bz2", "wb")
lzma.open("xzipped")
lzma.open("a.xz", "w")
zipfile.ZipFile("zipped")
zipfile.ZipFile("a.zip", "w")
zipfile.ZipFile("zipped").namelist()
zipfile.ZipFile("zipped").infolist()
zipfile.ZipFile("zipped").open("text")
zipfile.ZipFile("zipped").read("text")
zipfile.ZipFile("a.zip", "w").open("text", "w")
tarfile.open("tarred")
tarfile.open("a.tar", "w")
tarfile.open("a.tgz", "w:gz")
tarfile.open("tarred").getmembers()
tarfile.open("tarred").getnames()
tarfile.open("tarred").extractfile("text")
wave.open("waved")
wave.open("a.wav", "wb")
mmap.mmap(-1, 9)
pathlib.Path("a")
pathlib.PosixPath("a")
pathlib.Path.cwd()
pathlib.Path.home()
pathlib.Path("a").parent
pathlib.Path("a.b").stem
pathlib.Path("a.b").suffixes
pathlib.Path("a").parts
pathlib.Path(".").iterdir()
pathlib.Path(".").glob("*")
pathlib.Path(".").rglob("*")
pathlib.Path("text").open()
pathlib.Path("text").open("rb")
pathlib.Path("text").read_text()
pathlib.Path("text").read_bytes()
pathlib.Path("text").stat()
pathlib.Path("text").exists()
pathlib.Path("text").resolve()
pathlib.Path("text").with_suffix(".a")
json.loads("[1]")
json.loads("{}").keys()
json.load(open("json"))
json.dumps(1)
json.JSONDecoder()
json.JSONEncoder()
json.JSONEncoder().iterencode([])
pickle.dumps(1)
marshal.dumps(1)
ast.literal_eval("1")
ast.parse("1")
ast.walk(ast.parse("1"))
ast.unparse(ast.parse("1"))
csv.reader([])
csv.writer(io.StringIO())
csv.DictReader([])
csv.DictWriter(io.StringIO(), [])
csv.get_dialect("excel")
csv.list_dialects()
re.compile("a")
re.match("a", "a")
re.search("a", "a")
re.finditer("a", "a")
re.findall("a", "a")
re.split("a", "a")
re.escape("a")
re.compile("a").finditer("a")
re.compile("a").match("a")
re.compile("a").findall("a")
re.compile("a").sub("b", "a")
re.compile("a").pattern
re.match("a", "a").group()
re.match("a", "a").groups()
re.match("a", "a").groupdict()
re.match("a", "a").span()
{"a": 1}.keys()
{"a": 1}.values()
{"a": 1}.items()
{"a": 1}.copy()
dict.fromkeys("a")
dict(a=1)
dict(a=1).keys()
list("a")
list("a").copy()
tuple("a")
set("a")
set("a").union("b")
frozenset("a")
sorted("a")
reversed((1, 2))
enumerate("a")
zip("a")
map(str, "a")
filter(None, "a")
iter(time.time, 0)
range(3)
len("a")
repr(1)
int("1")
float("1")
str(1)
bytes(1)
bytearray(1)
memoryview(b"a")
slice(1)
object()
property()
super(Derived, Derived())
isinstance(1, int)
hash(1)
round(1.5)
divmod(1, 2)
print()
globals()
dir()
compile("1", "a", "eval")
"a".upper()
"a".split()
"a".encode()
"a".join(["b"])
"a".partition("b")
"a".startswith("b")
"a".find("b")
b"a".decode()
b"a".split()
b"a".hex()
b"a".upper()
collections.OrderedDict(a=1)
collections.OrderedDict(a=1).keys()
collections.OrderedDict(a=1).values()
collections.OrderedDict(a=1).items()
collections.OrderedDict(a=1).copy()
collections.defaultdict(list)
collections.defaultdict(list).keys()
collections.Counter("a")
collections.Counter("a").keys()
collections.Counter("a").most_common()
collections.Counter("a").elements()
collections.UserDict(a=1).keys()
collections.UserDict(a=1).items()
collections.ChainMap({}).values()
collections.deque([1])
collections.deque([1]).copy()
types.MappingProxyType({})
types.MappingProxyType({}).keys()
types.SimpleNamespace()
types.ModuleType("a")
configparser.ConfigParser()
configparser.ConfigParser().sections()
configparser.ConfigParser().keys()
configparser.ConfigParser().items()
configparser.ConfigParser()["DEFAULT"]
shelve.open("shelf")
shelve.open("shelf").keys()
dbm.dumb.open("dumb", "c")
itertools.count()
itertools.chain([1], [2])
itertools.chain.from_iterable([[1]])
itertools.islice([1], 1)
itertools.islice([1], 0, 1)
itertools.repeat(1)
itertools.repeat(1, 2)
itertools.groupby([1])
itertools.product([1])
itertools.tee([1])
itertools.zip_longest([1])
functools.partial(print)
functools.cmp_to_key(print)
operator.itemgetter(1)
heapq.merge([1])
heapq.nlargest(1, [1])
contextlib.ExitStack()
contextlib.closing(io.StringIO())
contextlib.nullcontext()
contextlib.suppress()
threading.Lock()
threading.RLock()
threading.Event()
threading.Condition()
threading.Semaphore()
threading.Barrier(2)
threading.Thread(target=print)
threading.Thread(target=print).name
threading.Timer(1, print)
threading.local()
threading.main_thread()
threading.current_thread()
threading.enumerate()
threading.get_ident()
queue.Queue()
queue.SimpleQueue()
queue.PriorityQueue()
concurrent.futures.ThreadPoolExecutor(1)
concurrent.futures.ThreadPoolExecutor(1).submit(int)
concurrent.futures.ThreadPoolExecutor(1).map(int, [1])
concurrent.futures.as_completed([])
concurrent.futures.thread.ThreadPoolExecutor(1)
multiprocessing.Lock()
multiprocessing.RLock()
multiprocessing.Semaphore()
multiprocessing.Event()
multiprocessing.Condition()
multiprocessing.Barrier(2)
multiprocessing.Queue()
multiprocessing.JoinableQueue()
multiprocessing.SimpleQueue()
multiprocessing.Value("i", 0)
multiprocessing.Array("i", 3)
multiprocessing.Pipe()
multiprocessing.Process(target=print)
multiprocessing.Process(target=print).name
multiprocessing.cpu_count()
multiprocessing.current_process()
multiprocessing.active_children()
multiprocessing.get_context("spawn")
multiprocessing.get_context("fork")
multiprocessing.get_context()
multiprocessing.get_context("spawn").Queue()
multiprocessing.get_context("spawn").Lock()
multiprocessing.get_context("spawn").Process(target=print)
multiprocessing.get_context("spawn").Pipe()
multiprocessing.get_context("fork").Event()
multiprocessing.get_logger()
multiprocessing.dummy.Lock()
multiprocessing.dummy.Queue()
multiprocessing.dummy.Process(target=print)
multiprocessing.connection.Listener()
sqlite3.connect(":memory:")
sqlite3.connect(":memory:").cursor()
sqlite3.connect(":memory:").execute("select 1")
sqlite3.connect(":memory:").cursor().execute("select 1")
sqlite3.connect(":memory:").iterdump()
sqlite3.connect(":memory:").cursor().connection
socket.socket()
socket.socketpair()
socket.gethostname()
socket.socket().fileno()
ssl.create_default_context()
ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
subprocess.run(["true"])
subprocess.run(["true"]).returncode
subprocess.Popen(["true"])
subprocess.Popen(["true"]).wait()
subprocess.Popen(["true"]).pid
subprocess.check_output(["true"])
selectors.DefaultSelector()
urllib.parse.urlparse("a")
urllib.parse.quote("a")
urllib.parse.parse_qs("a")
urllib.request.Request("http://a")
urllib.request.build_opener()
http.client.HTTPSConnection("a")
email.message_from_string("a")
email.message_from_string("a").walk()
xml.etree.ElementTree.fromstring("<a/>")
xml.etree.ElementTree.fromstring("<a/>").iter()
xml.etree.ElementTree.fromstring("<a/>").findall("b")
xml.etree.ElementTree.fromstring("<a/>").iterfind("b")
xml.etree.ElementTree.fromstring("<a/>").attrib
xml.etree.ElementTree.fromstring("<a/>").tag
xml.etree.ElementTree.fromstring("<a/>").items()
xml.etree.ElementTree.ElementTree()
xml.dom.minidom.parseString("<a/>")
logging.getLogger("a")
logging.getLogger("a").getChild("b")
logging.getLogger("a").name
logging.Logger("a")
logging.StreamHandler()
logging.Formatter()
logging.makeLogRecord({})
datetime.datetime.now()
datetime.datetime(2020, 1, 1).date()
datetime.datetime(2020, 1, 1).isoformat()
datetime.datetime(2020, 1, 1).timestamp()
datetime.datetime(2020, 1, 1).year
datetime.date.today()
datetime.timedelta(1).total_seconds()
datetime.timezone.utc
time.time()
time.gmtime(0)
time.strftime("%Y")
time.perf_counter_ns()
calendar.Calendar().itermonthdates(2020, 1)
calendar.month(2020, 1)
zoneinfo.ZoneInfo("UTC")
random.random()
random.randint(1, 2)
random.sample([1], 1)
random.Random()
random.Random().random()
random.SystemRandom()
secrets.token_hex()
secrets.token_bytes()
math.sqrt(2)
math.floor(2.5)
math.pi
statistics.fmean([1])
decimal.Decimal("1")
decimal.getcontext()
decimal.localcontext()
fractions.Fraction(1)
uuid.uuid4()
uuid.uuid4().hex
hashlib.md5()
hashlib.md5().hexdigest()
hashlib.md5().digest()
hashlib.new("md5")
hashlib.blake2b()
hashlib.shake_128()
hmac.new(b"a", digestmod="md5")
zlib.compress(b"a")
zlib.compressobj()
zlib.decompressobj()
zlib.crc32(b"a")
base64.b64encode(b"a")
struct.pack("i", 1)
struct.unpack("i", bytes(4))
struct.Struct("i")
struct.Struct("i").pack(1)
struct.iter_unpack("i", bytes(4))
array.array("i")
array.array("i").tolist()
ctypes.c_int(1)
ctypes.CDLL(None)
weakref.ref(Derived)
weakref.WeakSet()
weakref.WeakSet([Derived])
weakref.WeakValueDictionary()
weakref.WeakValueDictionary().keys()
weakref.WeakKeyDictionary()
weakref.proxy(kept(Derived()))
inspect.currentframe()
inspect.signature(os.walk)
sys._getframe()
sys._getframe().f_code
sys.argv
sys.path
sys.platform
sys.maxsize
sys.version_info
sys.modules
sys.getsizeof(1)
traceback.format_exc()
traceback.extract_stack()
importlib.import_module("json")
importlib.metadata.version("pytest")
pkgutil.iter_modules()
platform.system()
platform.uname()
platform.python_version()
argparse.ArgumentParser()
argparse.ArgumentParser().parse_args([])
argparse.ArgumentParser().add_argument("--a")
argparse.ArgumentParser().add_argument_group()
argparse.ArgumentParser().add_subparsers()
argparse.ArgumentParser().add_subparsers().add_parser("a")
optparse.OptionParser()
difflib.unified_diff([], [])
difflib.get_close_matches("a", ["a"])
textwrap.dedent("a")
textwrap.wrap("a")
shlex.split("a")
fnmatch.filter(["a"], "a")
string.ascii_letters
string.Formatter().parse("a")
html.escape("a")
pprint.pformat(1)
contextvars.ContextVar("a")
contextvars.copy_context()
asyncio.Lock()
asyncio.Queue()
asyncio.new_event_loop()
asyncio.sleep(0)
unittest.TestCase()
unittest.mock.Mock()
tracemalloc.Snapshot([], 1)
ipaddress.ip_address("10.0.0.1")
ipaddress.ip_network("10.0.0.0/8")
ipaddress.ip_network("10.0.0.0/8").hosts()
timeit.Timer("1")
timeit.default_timer()
tokenize.generate_tokens(io.StringIO("1").readline)
dataclasses.field()
graphlib.TopologicalSorter().static_order()
"""


def told(node: ast.expr) -> str | None:
    """Return the type that the tables tell for an expression of module names, literals, calls and members."""
    match node:
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.Dict() | ast.List() | ast.Set() | ast.Tuple():
            return type(node).__name__.lower()
        case ast.Call(func=called):
            name = dotted(called)
            arguments = {position: constant(argument) for position, argument in enumerate(node.args)}
            named = {keyword.arg or "": constant(keyword.value) for keyword in node.keywords}
            if name is not None:
                return makers.result_of(name, arguments | named)
            if isinstance(called, ast.Attribute) and (owner := told(called.value)) is not None:
                return makers.method_of(owner, called.attr, arguments | named)
        case ast.Attribute(value=value, attr=attribute):
            if (name := dotted(node)) is not None:
                return makers.value_of(name)
            if (owner := told(value)) is not None:
                return makers.attribute_of(owner, attribute)
        case ast.Subscript(value=value):
            if (owner := told(value)) is not None:
                return makers.item_of(owner)
    return None


def dotted(node: ast.expr) -> str | None:
    """Return a dotted name that begins with a module or is a builtin, and is no member of a value."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := dotted(node.value)) is not None:
        return f"{owner}.{node.attr}" if makers.value_of(owner) is None else None
    return None


def constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else ast.literal_eval(node) if numeric(node) else object()


def numeric(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


PLAIN = (str, int, float, bool, bytes, type(None))


def fits(value: object, expected: str) -> bool:
    """Say whether a value is of a type of the tables."""
    bare, _, item = expected.partition("[")
    if expected == "data":
        return isinstance(value, (*PLAIN, list, tuple, dict)) and is_data(value)
    if bare in makers.CONTAINERS:
        items = list(value.values() if isinstance(value, dict) else value)[:3]
        return type(value).__name__ == bare and (not item or all(fits(each, item[:-1]) for each in items))
    names = [qualified(cls) for cls in type(value).__mro__]
    return bare in map(makers.canonical, names) or bare in SPECIAL.get(names[0], ())


def qualified(cls: type) -> str:
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


SPECIAL = {
    # What the tables know by the name of its maker, or by a name that covers several classes.
    "map": ("pathlib.Path.iterdir", "generator"),
    "generator": ("pathlib.Path.iterdir", "glob.iglob"),
    "itertools.chain": ("glob.iglob",),
    "posix.times_result": ("data",),
    "asyncio.unix_events._UnixSelectorEventLoop": ("asyncio.AbstractEventLoop",),
    "tempfile._TemporaryFileWrapper": ("tempfile._TemporaryFileWrapper",),
    "argparse._StoreAction": ("argparse.Action",),
    "multiprocessing.context.ForkContext": ("multiprocessing.context.DefaultContext",),
    "multiprocessing.context.ForkServerContext": ("multiprocessing.context.DefaultContext",),
    "ctypes.c_int": ("ctypes._SimpleCData",),
    "xml.etree.ElementTree.iterparse.<locals>.IterParseIterator": ("xml.etree.ElementTree.iterparse",),
}


def is_data(value: object) -> bool:
    if isinstance(value, dict):
        return all(is_data(key) and is_data(each) for key, each in value.items())
    return all(map(is_data, value)) if isinstance(value, list | tuple) else isinstance(value, PLAIN)


@pytest.mark.parametrize("expression", EXAMPLES.strip().splitlines())
def test_a_call_gives_what_the_tables_tell(expression: str) -> None:
    expected = told(ast.parse(expression, mode="eval").body)
    assert expected is not None, "the tables don't know"
    value = objects.build(expression)
    assert fits(value, expected), f"{type(value)} is no {expected}"


@pytest.mark.parametrize("name", [name for name in objects.expressions() if not name.endswith("[w]")])
def test_iterating_gives_what_the_tables_tell(name: str) -> None:
    expected, item = makers.iterator_of(name), makers.iterated(name)
    if expected is None and item is None:
        return
    value = objects.build(objects.expressions()[name])
    if expected is not None:
        assert fits(iter(value), expected)
    row = types.row_of(name)
    if item is not None and row is not None and row.finite == "always":
        first = next(iter(value), None)
        assert first is None or fits(first, item)
