"""One real object of each type of the standard library that has a row."""

from __future__ import annotations

import asyncio
import builtins
import ctypes
import functools
import importlib
import multiprocessing
import multiprocessing.managers
import socket
import sqlite3
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

SPAWN = multiprocessing.get_context("spawn")
FORK = multiprocessing.get_context("fork")
KEPT: list[Any] = []

SUBMODULES = (
    "asyncio.sslproto collections.abc concurrent.futures dbm.dumb email.feedparser email.message html.parser "
    "http.client http.cookiejar http.cookies http.server logging.handlers multiprocessing.connection "
    "multiprocessing.dummy multiprocessing.pool multiprocessing.shared_memory multiprocessing.sharedctypes os.path "
    "unittest.mock urllib.error urllib.parse urllib.request urllib.response xml.dom.minidom xml.etree.ElementTree "
    "xml.parsers.expat xmlrpc.client xmlrpc.server"
)
for submodule in SUBMODULES.split():
    importlib.import_module(submodule)

# A type, behind a `#` the first Python that has it where that is newer than 3.10, and an expression for one.
EXPRESSIONS = r"""
dict_keys                                 {"a": 1}.keys()
dict_values                               {"a": 1}.values()
dict_items                                {"a": 1}.items()
odict_keys                                collections.OrderedDict(a=1).keys()
odict_values                              collections.OrderedDict(a=1).values()
odict_items                               collections.OrderedDict(a=1).items()
collections.abc.KeysView                  collections.UserDict(a=1).keys()
collections.abc.ValuesView                collections.ChainMap({"a": 1}).values()
collections.abc.ItemsView                 collections.UserDict(a=1).items()
collections.abc.KeysView[environ]         os.environ.keys()
collections.abc.ValuesView[environ]       os.environ.values()
collections.abc.ItemsView[environ]        os.environ.items()
collections.abc.KeysView[shelf]           shelve.open("shelf").keys()
collections.abc.ValuesView[shelf]         shelve.open("shelf").values()
collections.abc.ItemsView[shelf]          shelve.open("shelf").items()
mappingproxy                              types.MappingProxyType({"a": 1})
os._Environ                               os.environ
generator                                 numbers()
generator[finite]                         os.walk(".")
async_generator                           async_numbers()
contextlib._GeneratorContextManager       contextlib.contextmanager(numbers)()
contextlib._AsyncGeneratorContextManager  contextlib.asynccontextmanager(async_numbers)()
pathlib.Path.iterdir                      pathlib.Path(".").iterdir()
glob.iglob[recursive]                     glob.iglob("**", recursive=True)
email.feedparser.FeedParser               email.feedparser.FeedParser()
email.feedparser.BytesFeedParser          email.feedparser.BytesFeedParser()
itertools.count                           itertools.count()
itertools.cycle                           itertools.cycle([1])
itertools.repeat                          itertools.repeat(1)
itertools.repeat[times]                   itertools.repeat(1, 2)
itertools.chain                           itertools.chain([1])
itertools.islice                          itertools.islice([1], 0, None)
itertools.islice[stop]                    itertools.islice([1], 1)
itertools.accumulate                      itertools.accumulate([1])
itertools.groupby                         itertools.groupby([1])
itertools.starmap                         itertools.starmap(pow, [(1, 2)])
itertools.takewhile                       itertools.takewhile(bool, [1])
itertools.dropwhile                       itertools.dropwhile(bool, [1])
itertools.filterfalse                     itertools.filterfalse(bool, [1])
itertools.compress                        itertools.compress([1], [1])
itertools.zip_longest                     itertools.zip_longest([1], [2])
itertools.combinations                    itertools.combinations([1, 2], 1)
itertools.combinations_with_replacement   itertools.combinations_with_replacement([1, 2], 1)
itertools.permutations                    itertools.permutations([1])
itertools.product                         itertools.product([1], [2])
itertools._tee                            itertools.tee([1])[0]
itertools._grouper                        next(itertools.groupby([1]))[1]
itertools.pairwise                        itertools.pairwise([1, 2])
itertools.batched#3.12                    itertools.batched([1, 2], 2)
callable_iterator[finditer]               re.finditer("a", "a")
_csv.reader                               csv.reader(["a"])
csv.DictReader                            csv.DictReader(["a"])
posix.ScandirIterator                     os.scandir(".")
_elementtree._element_iterator            xml.etree.ElementTree.Element("a").iter()
formatteriterator                         string.Formatter().parse("{a}")
_struct.unpack_iterator                   struct.iter_unpack("i", bytes(4))
memory_iterator                           iter(memoryview(b"a"))
xml.etree.ElementTree.iterparse           xml.etree.ElementTree.iterparse(io.BytesIO(b"<a/>"))
_collections._deque_reverse_iterator      reversed(collections.deque([1]))
map                                       map(str, [1])
filter                                    filter(None, [1])
zip                                       zip([1], {"a": 1}.keys())
enumerate                                 enumerate([1])
reversed                                  reversed((1, 2))
list_reverseiterator                      reversed([1])
list_iterator                             iter([1])
tuple_iterator                            iter((1,))
set_iterator                              iter({1})
dict_keyiterator                          iter({"a": 1})
dict_valueiterator                        iter({"a": 1}.values())
dict_itemiterator                         iter({"a": 1}.items())
odict_iterator                            iter(collections.OrderedDict(a=1))
dict_reversekeyiterator                   reversed({"a": 1})
dict_reversevalueiterator                 reversed({"a": 1}.values())
dict_reverseitemiterator                  reversed({"a": 1}.items())
_collections._deque_iterator              iter(collections.deque([1]))
iterator                                  iter(Sequence())
callable_iterator                         iter(time.time, 0)
str_iterator                              iter("a€")
bytes_iterator                            iter(b"a")
bytearray_iterator                        iter(bytearray(b"a"))
range_iterator                            iter(range(1))
longrange_iterator                        iter(range(2**70, 2**70 + 1))
array.arrayiterator                       iter(array.array("i", [1]))
_io.TextIOWrapper                         open("text")
_io.TextIOWrapper[w]                      open("written", "w")
_io.TextIOWrapper[wrapped]                gzip.open("gzipped", "rt")
_io.BufferedReader                        open("text", "rb")
_io.FileIO                                open("text", "rb", buffering=0)
_io.BufferedWriter                        open("written", "wb")
_io.BufferedRandom                        open("written", "w+b")
tarfile.ExFileObject                      tarfile.open("tarred").extractfile("text")
_io.BufferedRWPair                        io.BufferedRWPair(io.BytesIO(), io.BytesIO())
_io.IncrementalNewlineDecoder             io.IncrementalNewlineDecoder(None, True)
codecs.StreamReaderWriter                 codecs.open("text", "r", "utf-8")
tempfile._TemporaryFileWrapper            tempfile.NamedTemporaryFile()
tempfile._TemporaryFileWrapper[text]      tempfile.NamedTemporaryFile("w")
tempfile._TemporaryFileWrapper[r]         tempfile.NamedTemporaryFile("rb")
tempfile._TemporaryFileWrapper[w]         tempfile.NamedTemporaryFile("wb")
gzip.GzipFile                             gzip.open("gzipped")
gzip.GzipFile[w]                          gzip.open("a.gz", "wb")
bz2.BZ2File                               bz2.open("bzipped")
bz2.BZ2File[w]                            bz2.open("a.bz2", "wb")
lzma.LZMAFile                             lzma.open("xzipped")
lzma.LZMAFile[w]                          lzma.open("a.xz", "wb")
tarfile.TarFile                           tarfile.open("tarred")
tarfile.TarFile[w]                        tarfile.open("a.tar", "w")
zipfile.ZipFile                           zipfile.ZipFile("zipped")
zipfile.ZipFile[w]                        zipfile.ZipFile("a.zip", "w")
zipfile.ZipFile[memory]                   zipfile.ZipFile(io.BytesIO(), "w")
zipfile.ZipExtFile                        zipfile.ZipFile("zipped").open("text")
zipfile._ZipWriteFile                     zipfile.ZipFile("b.zip", "w").open("text", "w")
os._wrap_close                            os.popen("true")
wave.Wave_read                            wave.open("waved")
wave.Wave_write                           wave.open("a.wav", "wb")
mailbox.mbox                              mailbox.mbox("mails")
mailbox.MMDF                              mailbox.MMDF("mmdf")
mailbox.Babyl                             mailbox.Babyl("babyl")
pprint.PrettyPrinter                      pprint.PrettyPrinter()
cmd.Cmd                                   cmd.Cmd()
pdb.Pdb                                   pdb.Pdb()
pstats.Stats                              pstats.Stats()
unittest.TextTestRunner                   unittest.TextTestRunner()
unittest.TestResult                       unittest.TestResult()
urllib.response.addinfourl                urllib.request.urlopen(pathlib.Path("text").resolve().as_uri())
fileinput.FileInput                       fileinput.input(["text"])
tempfile.SpooledTemporaryFile             tempfile.SpooledTemporaryFile()
tempfile.TemporaryDirectory               tempfile.TemporaryDirectory()
_io.BytesIO                               io.BytesIO()
_io.StringIO                              io.StringIO()
_thread.lock                              threading.Lock()
_thread.RLock                             threading.RLock()
threading.Event                           threading.Event()
threading.Semaphore                       threading.Semaphore()
threading.BoundedSemaphore                threading.BoundedSemaphore()
threading.Barrier                         threading.Barrier(2)
threading.Condition                       threading.Condition()
queue.Queue                               queue.Queue()
queue.LifoQueue                           queue.LifoQueue()
queue.PriorityQueue                       queue.PriorityQueue()
concurrent.futures.Future                 concurrent.futures.Future()
sched.scheduler                           sched.scheduler()
threading.Thread                          threading.Thread(target=print)
threading.Timer                           threading.Timer(1, print)
threading._MainThread                     threading.main_thread()
multiprocessing.dummy.DummyProcess        multiprocessing.dummy.DummyProcess(target=print)
_thread._local                            threading.local()
_queue.SimpleQueue                        queue.SimpleQueue()
concurrent.futures.ThreadPoolExecutor     concurrent.futures.ThreadPoolExecutor(1)
concurrent.futures.ProcessPoolExecutor    concurrent.futures.ProcessPoolExecutor(1, mp_context=SPAWN)
concurrent.futures.ProcessPoolExecutor[started]  working(concurrent.futures.ProcessPoolExecutor(1, mp_context=SPAWN))
logging.Handler                           logging.Handler()
logging.StreamHandler                     logging.StreamHandler(io.StringIO())
logging.FileHandler                       logging.FileHandler("log")
logging.handlers.RotatingFileHandler      logging.handlers.RotatingFileHandler("log")
logging.handlers.TimedRotatingFileHandler logging.handlers.TimedRotatingFileHandler("log")
logging.handlers.WatchedFileHandler       logging.handlers.WatchedFileHandler("log")
logging.handlers.MemoryHandler            logging.handlers.MemoryHandler(1)
logging.handlers.SocketHandler            logging.handlers.SocketHandler("localhost", 9)
logging.handlers.DatagramHandler          logging.handlers.DatagramHandler("localhost", 9)
logging.handlers.SysLogHandler            logging.handlers.SysLogHandler()
logging.handlers.SMTPHandler              logging.handlers.SMTPHandler("localhost", "a", "b", "c")
logging.handlers.HTTPHandler              logging.handlers.HTTPHandler("localhost", "a")
logging.handlers.BufferingHandler         logging.handlers.BufferingHandler(1)
logging.handlers.QueueHandler             logging.handlers.QueueHandler(queue.Queue())
logging.handlers.QueueListener            logging.handlers.QueueListener(queue.Queue())
http.cookiejar.CookieJar                  http.cookiejar.CookieJar()
http.cookiejar.FileCookieJar              http.cookiejar.FileCookieJar()
http.cookiejar.MozillaCookieJar           http.cookiejar.MozillaCookieJar()
http.cookiejar.LWPCookieJar               http.cookiejar.LWPCookieJar()
sqlite3.Connection                        sqlite3.connect(":memory:")
sqlite3.Cursor                            sqlite3.connect(":memory:").cursor()
sqlite3.Row                               sqlite3.Row(sqlite3.connect(":memory:").cursor(), ())
sqlite3.Blob#3.11                         blob()
dbm.sqlite3._Database#3.13                importlib.import_module("dbm.sqlite3").open("sqlite", "c")
shelve.DbfilenameShelf                    shelve.open("shelf")
dbm.dumb._Database                        dbm.dumb.open("dumb", "c")
shelve.Shelf                              shelve.Shelf(dbm.dumb.open("dumb", "c"))
socket.socket                             socket.socket()
ssl.SSLSocket                             tls()
subprocess.Popen                          subprocess.Popen([sys.executable, "-c", ""])
select.epoll                              select.epoll()
select.poll                               select.poll()
selectors.EpollSelector                   selectors.EpollSelector()
selectors.PollSelector                    selectors.PollSelector()
http.client.HTTPSConnection               http.client.HTTPSConnection("localhost")
http.client.HTTPResponse                  http.client.HTTPResponse(socket.socketpair()[0])
urllib.request.OpenerDirector             urllib.request.OpenerDirector()
urllib.request.OpenerDirector[built]      urllib.request.build_opener()
socketserver.TCPServer                    socketserver.TCPServer(("127.0.0.1", 0), None)
socketserver.UDPServer                    socketserver.UDPServer(("127.0.0.1", 0), None)
socketserver.ThreadingTCPServer           socketserver.ThreadingTCPServer(("127.0.0.1", 0), None)
socketserver.ThreadingUDPServer           socketserver.ThreadingUDPServer(("127.0.0.1", 0), None)
http.server.HTTPServer                    http.server.HTTPServer(("127.0.0.1", 0), None)
http.server.ThreadingHTTPServer           http.server.ThreadingHTTPServer(("127.0.0.1", 0), None)
xmlrpc.server.SimpleXMLRPCServer          xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0))
xmlrpc.client.ServerProxy#3.11            xmlrpc.client.ServerProxy("http://127.0.0.1:9/")
module                                    math
warnings.catch_warnings                   warnings.catch_warnings()
multiprocessing.Lock                      SPAWN.Lock()
multiprocessing.RLock                     SPAWN.RLock()
multiprocessing.Semaphore                 SPAWN.Semaphore()
multiprocessing.BoundedSemaphore          SPAWN.BoundedSemaphore()
multiprocessing.Condition                 SPAWN.Condition()
multiprocessing.Event                     SPAWN.Event()
multiprocessing.Barrier                   SPAWN.Barrier(2)
multiprocessing.Queue                     SPAWN.Queue()
multiprocessing.JoinableQueue             SPAWN.JoinableQueue()
multiprocessing.SimpleQueue               SPAWN.SimpleQueue()
multiprocessing.Lock[fork]                FORK.Lock()
multiprocessing.RLock[fork]               FORK.RLock()
multiprocessing.Semaphore[fork]           FORK.Semaphore()
multiprocessing.BoundedSemaphore[fork]    FORK.BoundedSemaphore()
multiprocessing.Condition[fork]           FORK.Condition()
multiprocessing.Event[fork]               FORK.Event()
multiprocessing.Barrier[fork]             FORK.Barrier(2)
multiprocessing.Queue[fork]               FORK.Queue()
multiprocessing.JoinableQueue[fork]       FORK.JoinableQueue()
multiprocessing.SimpleQueue[fork]         FORK.SimpleQueue()
multiprocessing.sharedctypes.Synchronized             SPAWN.Value("i", 0)
multiprocessing.sharedctypes.SynchronizedArray        SPAWN.Array("i", 3)
multiprocessing.sharedctypes.SynchronizedString       SPAWN.Array("c", 3)
multiprocessing.sharedctypes.Synchronized[fork]       FORK.Value("i", 0)
multiprocessing.sharedctypes.SynchronizedArray[fork]  FORK.Array("i", 3)
multiprocessing.RawValue                  SPAWN.RawValue("i", 0)
multiprocessing.RawArray                  SPAWN.RawArray("i", 3)
multiprocessing.Pool                      kept(SPAWN.Pool(1))
multiprocessing.pool.ThreadPool           kept(multiprocessing.pool.ThreadPool(1))
multiprocessing.pool.ApplyResult          kept(multiprocessing.pool.ThreadPool(1)).apply_async(time.sleep, (1,))
multiprocessing.pool.MapResult            kept(multiprocessing.pool.ThreadPool(1)).map_async(time.sleep, [1])
multiprocessing.pool.IMapIterator         kept(multiprocessing.pool.ThreadPool(1)).imap(time.sleep, [1])
multiprocessing.pool.IMapUnorderedIterator  kept(multiprocessing.pool.ThreadPool(1)).imap_unordered(time.sleep, [1])
multiprocessing.Process                   SPAWN.Process(target=print)
multiprocessing.Process[started]          started(SPAWN.Process(target=int))
multiprocessing.process._MainProcess      multiprocessing.current_process()
multiprocessing.process.AuthenticationString  multiprocessing.process.AuthenticationString(b"a")
multiprocessing.managers.BaseManager      multiprocessing.managers.BaseManager()
multiprocessing.managers.SyncManager      manager()
multiprocessing.managers.SharedMemoryManager  multiprocessing.managers.SharedMemoryManager()
multiprocessing.managers.BaseProxy        manager().Event()
multiprocessing.managers.DictProxy        manager().dict()
multiprocessing.managers.ListProxy        manager().list()
multiprocessing.managers.AutoProxy[Queue] manager().Queue()
multiprocessing.managers.AcquirerProxy    manager().Lock()
multiprocessing.managers.ConditionProxy   manager().Condition()
multiprocessing.managers.EventProxy       manager().Event()
multiprocessing.managers.BarrierProxy     manager().Barrier(2)
multiprocessing.managers.NamespaceProxy   manager().Namespace()
multiprocessing.managers.ValueProxy       manager().Value("i", 0)
multiprocessing.managers.ArrayProxy       manager().Array("i", [0])
multiprocessing.managers.PoolProxy        manager().Pool(1)
multiprocessing.connection.Listener       multiprocessing.connection.Listener()
multiprocessing.connection.Connection     kept(SPAWN.Pipe())[0]
multiprocessing.dummy.connection.Connection  multiprocessing.dummy.Pipe()[0]
multiprocessing.shared_memory.SharedMemory   kept(multiprocessing.shared_memory.SharedMemory(create=True, size=9))
multiprocessing.shared_memory.ShareableList  kept(multiprocessing.shared_memory.ShareableList([1]))
multiprocessing.context.SpawnContext      SPAWN
multiprocessing.context.ForkContext       FORK
multiprocessing.context.ForkServerContext multiprocessing.get_context("forkserver")
multiprocessing.context.DefaultContext    multiprocessing.get_context()
coroutine                                 coroutine()
coroutine_wrapper                         coroutine().__await__()
frame                                     sys._getframe()
traceback                                 raised().__traceback__
code                                      numbers.__code__
cell                                      types.CellType(1)
property                                  property(len)
staticmethod                              staticmethod(len)
classmethod                               classmethod(len)
getset_descriptor                         int.real
functools.cached_property                 functools.cached_property(len)
functools.KeyWrapper                      functools.cmp_to_key(len)
memoryview                                memoryview(b"a")
pickle.PickleBuffer                       pickle.PickleBuffer(b"a")
_pickle.Pickler                           pickle.Pickler(io.BytesIO())
_pickle.Unpickler                         pickle.Unpickler(io.BytesIO())
super                                     super(Derived, Derived())
FrameLocalsProxy#3.13                     (lambda: sys._getframe().f_locals)()
weakref.ReferenceType                     weakref.ref(Derived)
weakref.WeakMethod                        weakref.WeakMethod(kept(Derived()).method)
weakref.WeakValueDictionary               weakref.WeakValueDictionary()
weakref.WeakKeyDictionary                 weakref.WeakKeyDictionary()
weakref.WeakKeyDictionary[filled]         weakref.WeakKeyDictionary({Derived: 1})
weakref.WeakSet                           weakref.WeakSet()
weakref.WeakSet[filled]                   weakref.WeakSet([Derived])
weakref.ProxyType                         weakref.proxy(kept(Derived()))
weakref.finalize                          weakref.finalize(Derived, print)
_contextvars.ContextVar                   contextvars.ContextVar("a")
_contextvars.Token                        contextvars.ContextVar("a").set(1)
_contextvars.Context                      contextvars.copy_context()
_asyncio.Future                           kept(asyncio.new_event_loop()).create_future()
_asyncio.Task                             task()
asyncio.AbstractEventLoop                 kept(asyncio.SelectorEventLoop())
asyncio.StreamReader                      asyncio.StreamReader(loop=kept(asyncio.SelectorEventLoop()))
asyncio.Lock                              asyncio.Lock()
asyncio.Event                             asyncio.Event()
asyncio.Condition                         asyncio.Condition()
asyncio.Semaphore                         asyncio.Semaphore()
asyncio.BoundedSemaphore                  asyncio.BoundedSemaphore()
asyncio.Queue                             asyncio.Queue()
asyncio.LifoQueue                         asyncio.LifoQueue()
asyncio.PriorityQueue                     asyncio.PriorityQueue()
asyncio.Runner#3.11                       asyncio.Runner()
argparse.ArgumentParser                   argparse.ArgumentParser()
argparse.Action                           argparse.ArgumentParser().add_argument("--a")
argparse._ArgumentGroup                   argparse.ArgumentParser().add_argument_group()
argparse._SubParsersAction                argparse.ArgumentParser().add_subparsers()
dataclasses.Field                         dataclasses.field()
dis.Bytecode                              dis.Bytecode(numbers)
typing.ForwardRef                         typing.ForwardRef("a")
traceback.TracebackException              traceback.TracebackException.from_exception(raised())
contextlib.ExitStack                      contextlib.ExitStack()
contextlib.AsyncExitStack                 contextlib.AsyncExitStack()
contextlib.ExitStack[callback]            with_callback(contextlib.ExitStack())
sys.flags                                 sys.flags
sys.version_info                          sys.version_info
sys.float_info                            sys.float_info
sys.int_info                              sys.int_info
sys.hash_info                             sys.hash_info
sys.thread_info                           sys.thread_info
timeit.Timer                              timeit.Timer("1")
logging.Logger[unregistered]              logging.Logger("a")
shutil.usage                              shutil.disk_usage(".")
unittest.mock.Mock                        unittest.mock.Mock()
unittest.mock.NonCallableMock             unittest.mock.NonCallableMock()
unittest.mock.MagicMock                   unittest.mock.MagicMock()
unittest.mock.NonCallableMagicMock        unittest.mock.NonCallableMagicMock()
unittest.mock.AsyncMock                   unittest.mock.AsyncMock()
urllib.error.HTTPError                    urllib.error.HTTPError("http://a/", 404, "no", {}, io.BytesIO())
codecs.CodecInfo                          codecs.lookup("utf-8")
_hashlib.HASH                             hashlib.sha256()
_hashlib.HASHXOF                          hashlib.shake_128()
_blake2.blake2b                           hashlib.blake2b()
_blake2.blake2s                           hashlib.blake2s()
zlib.Compress                             zlib.compressobj()
zlib.Decompress                           zlib.decompressobj()
_bz2.BZ2Compressor                        bz2.BZ2Compressor()
_bz2.BZ2Decompressor                      bz2.BZ2Decompressor()
_lzma.LZMACompressor                      lzma.LZMACompressor()
_lzma.LZMADecompressor                    lzma.LZMADecompressor()
compression.zstd.ZstdCompressor#3.14      importlib.import_module("compression.zstd").ZstdCompressor()
compression.zstd.ZstdDecompressor#3.14    importlib.import_module("compression.zstd").ZstdDecompressor()
decimal.ContextManager                    decimal.localcontext()
xml.etree.ElementTree.XMLParser           xml.etree.ElementTree.XMLParser()
xml.etree.ElementTree.TreeBuilder         xml.etree.ElementTree.TreeBuilder()
xml.etree.ElementTree.XMLPullParser       xml.etree.ElementTree.XMLPullParser()
pyexpat.xmlparser                         xml.parsers.expat.ParserCreate()
re.Match                                  re.match("a", "a")
posix.DirEntry                            next(os.scandir("."))
hmac.HMAC                                 hmac.new(b"a", digestmod="sha256")
_struct.Struct                            struct.Struct("i")
mmap.mmap                                 mmap.mmap(-1, 9)
ssl.SSLContext                            ssl.create_default_context()
json.JSONDecoder                          json.JSONDecoder()
_csv.writer                               csv.writer(io.StringIO())
_csv.Dialect                              csv.get_dialect("excel")
csv.DictWriter                            csv.DictWriter(io.StringIO(), [])
random.SystemRandom                       random.SystemRandom()
zoneinfo.ZoneInfo[file]                   zoneinfo.ZoneInfo.from_file(io.BytesIO(zone()))
ctypes.c_char_p                           ctypes.c_char_p(b"a")
ctypes.c_wchar_p                          ctypes.c_wchar_p("a")
ctypes.c_void_p                           ctypes.c_void_p(1)
ctypes.py_object                          ctypes.py_object(1)
ctypes._Pointer                           ctypes.pointer(ctypes.c_int())
ctypes._CFuncPtr                          ctypes.CDLL(None).strlen
ctypes._CArgObject                        ctypes.byref(ctypes.c_int())
ctypes.CDLL                               ctypes.CDLL(None)
ctypes.PyDLL                              ctypes.PyDLL(None)
cProfile.Profile                          cProfile.Profile()
data                                      json.loads("[1]")
NoneType                                  None
bool                                      True
int                                       1
float                                     1.0
complex                                   1j
str                                       "a"
bytes                                     b"a"
bytearray                                 bytearray(b"a")
range                                     range(1)
ellipsis                                  ...
NotImplementedType                        NotImplemented
object                                    object()
function                                  numbers
method_descriptor                         str.upper
wrapper_descriptor                        int.__add__
method-wrapper                            (1).__add__
member_descriptor                         Slotted.a
array.array                               array.array("i", [1])
re.Pattern                                re.compile("a")
uuid.UUID                                 uuid.uuid4()
datetime.timezone                         datetime.timezone.utc
os.stat_result                            os.stat(".")
os.statvfs_result                         os.statvfs(".")
os.terminal_size                          os.terminal_size((1, 2))
time.struct_time                          time.gmtime(0)
platform.uname_result                     platform.uname()
argparse.FileType                         argparse.FileType()
string.Formatter                          string.Formatter()
zipfile.ZipInfo                           zipfile.ZipInfo("a")
tarfile.TarInfo                           tarfile.TarInfo("a")
email.message.Message                     email.message.Message()
email.message.EmailMessage                email.message.EmailMessage()
xml.etree.ElementTree.ElementTree         xml.etree.ElementTree.ElementTree()
xml.dom.minidom.Document                  xml.dom.minidom.parseString("<a/>")
string.Template                           string.Template("a")
logging.Formatter                         logging.Formatter()
logging.Filter                            logging.Filter()
logging.NullHandler                       logging.NullHandler()
textwrap.TextWrapper                      textwrap.TextWrapper()
difflib.SequenceMatcher                   difflib.SequenceMatcher(None, "a", "b")
difflib.Differ                            difflib.Differ()
configparser.ConfigParser                 configparser.ConfigParser()
configparser.RawConfigParser              configparser.RawConfigParser()
configparser.SectionProxy                 configparser.ConfigParser()["DEFAULT"]
json.JSONEncoder                          json.JSONEncoder()
csv.Sniffer                               csv.Sniffer()
ast.AST                                   ast.AST()
ast.Module                                ast.parse("1")
html.parser.HTMLParser                    html.parser.HTMLParser()
urllib.request.Request                    urllib.request.Request("http://a/")
urllib.parse.ParseResult                  urllib.parse.urlparse("http://a/")
urllib.parse.SplitResult                  urllib.parse.urlsplit("http://a/")
subprocess.CompletedProcess               subprocess.CompletedProcess(["a"], 0)
traceback.StackSummary                    traceback.extract_stack()
shlex.shlex                               shlex.shlex("a")
statistics.NormalDist                     statistics.NormalDist()
http.cookies.SimpleCookie                 http.cookies.SimpleCookie()
optparse.OptionParser                     optparse.OptionParser()
optparse.Values                           optparse.Values()
calendar.TextCalendar                     calendar.TextCalendar()
graphlib.TopologicalSorter                graphlib.TopologicalSorter()
calendar.Calendar                         calendar.Calendar()
tracemalloc.Snapshot                      tracemalloc.Snapshot([], 1)
filecmp.dircmp                            filecmp.dircmp(".", ".")
pwd.struct_passwd                         pwd.getpwuid(0)
grp.struct_group                          grp.getgrgid(0)
resource.struct_rusage                    resource.getrusage(0)
collections.UserString                    collections.UserString("a")
unittest.TestCase                         unittest.TestCase()
unittest.TestSuite                        unittest.TestSuite()
pathlib._PathParents                      pathlib.PurePath("a/b").parents
codecs.IncrementalDecoder                 codecs.getincrementaldecoder("utf-8")()
codecs.IncrementalEncoder                 codecs.getincrementalencoder("utf-8")()
sentinel#3.15                             builtins.sentinel("MISSING")
datetime.datetime                         datetime.datetime(2020, 1, 1)
datetime.date                             datetime.date(2020, 1, 1)
datetime.time                             datetime.time(1)
datetime.timedelta                        datetime.timedelta(1)
decimal.Decimal                           decimal.Decimal("1")
decimal.Context                           decimal.Context()
fractions.Fraction                        fractions.Fraction(1)
pathlib.Path                              pathlib.Path("a")
pathlib.PurePath                          pathlib.PurePath("a")
random.Random                             random.Random(1)
ipaddress.IPv4Address                     ipaddress.IPv4Address(1)
ipaddress.IPv6Address                     ipaddress.IPv6Address(1)
ipaddress.IPv4Network                     ipaddress.IPv4Network("10.0.0.0/8")
ipaddress.IPv6Network                     ipaddress.IPv6Network("::/8")
zoneinfo.ZoneInfo                         zoneinfo.ZoneInfo("UTC")
logging.Logger                            logging.getLogger("a")
xml.etree.ElementTree.Element             xml.etree.ElementTree.Element("a")
ctypes._SimpleCData                       ctypes.c_short(1)
ctypes.Structure                          Pair(1)
signal.Signals                            signal.SIGINT
list                                      [1]
tuple                                     (1,)
set                                       {1}
frozenset                                 frozenset([1])
dict                                      {"a": 1}
frozendict#3.15                           builtins.frozendict(a=1)
collections.OrderedDict                   collections.OrderedDict(a=1)
collections.UserDict                      collections.UserDict(a=1)
collections.UserList                      collections.UserList([1])
collections.deque                         collections.deque([1])
collections.Counter                       collections.Counter("a")
collections.defaultdict                   collections.defaultdict(int)
collections.ChainMap                      collections.ChainMap({"a": 1})
functools.partial                         functools.partial(print, 1)
functools.partialmethod                   functools.partialmethod(print, 1)
types.SimpleNamespace                     types.SimpleNamespace(a=1)
argparse.Namespace                        argparse.Namespace(a=1)
slice                                     slice(1)
operator.itemgetter                       operator.itemgetter(1)
operator.attrgetter                       operator.attrgetter("a")
operator.methodcaller                     operator.methodcaller("a")
logging.LoggerAdapter                     logging.LoggerAdapter(logging.getLogger("a"), {})
logging.LogRecord                         logging.makeLogRecord({})
contextlib.closing                        contextlib.closing(io.StringIO())
contextlib.nullcontext                    contextlib.nullcontext()
contextlib.redirect_stdout                contextlib.redirect_stdout(io.StringIO())
contextlib.redirect_stderr                contextlib.redirect_stderr(io.StringIO())
contextlib.suppress                       contextlib.suppress(ValueError)
inspect.Signature                         inspect.signature(numbers)
inspect.Parameter                         inspect.Parameter("a", inspect.Parameter.KEYWORD_ONLY)
inspect.BoundArguments                    inspect.signature(numbers).bind()
types.GenericAlias                        list[int]
types.UnionType                           int | None
typing._GenericAlias                      typing.List[int]
typing._UnionGenericAlias                 typing.Optional[int]
typing._CallableGenericAlias              typing.Callable[[int], str]
method                                    Derived().method
builtin_function_or_method                len
subprocess.CalledProcessError             subprocess.CalledProcessError(1, "a")
subprocess.TimeoutExpired                 subprocess.TimeoutExpired("a", 1)
json.JSONDecodeError                      json.JSONDecodeError("a", "b", 0)
argparse.ArgumentError                    argparse.ArgumentError(None, "a")
configparser.NoOptionError                configparser.NoOptionError("a", "b")
configparser.NoSectionError               configparser.NoSectionError("a")
asyncio.IncompleteReadError               asyncio.IncompleteReadError(b"a", 2)
UnicodeDecodeError                        UnicodeDecodeError("utf-8", b"a", 0, 1, "a")
UnicodeEncodeError                        UnicodeEncodeError("utf-8", "a", 0, 1, "a")
UnicodeTranslateError                     UnicodeTranslateError("a", 0, 1, "a")
BaseExceptionGroup#3.11                   builtins.BaseExceptionGroup("a", [ValueError()])
ExceptionGroup#3.11                       builtins.ExceptionGroup("a", [ValueError()])
"""

ABSENT: dict[str, str] = {
    "file": "stands for one of the classes of io",
    "_gdbm.gdbm": "needs gdbm",
    "_dbm.dbm": "needs ndbm",
    "threading._DummyThread": "takes the place of the current thread",
    "select.kqueue": "not on Linux",
    "select.devpoll": "not on Linux",
    "select.kevent": "not on Linux",
    "asyncio.StreamWriter": "needs a connection",
    "string.templatelib.Template": "needs a template string, of 3.14",
    "tkinter.Tk": "needs a display or Tcl",
    "tkinter.Widget": "needs a display or Tcl",
    "tkinter.Variable": "needs a display or Tcl",
}


def numbers() -> Iterator[int]:
    yield 1


async def async_numbers() -> AsyncIterator[int]:
    yield 1


async def coroutine() -> None:
    pass


def raised() -> ValueError:
    try:
        raise ValueError("a")
    except ValueError as error:
        return error


class Derived:
    def method(self) -> None:
        pass


class Slotted:
    __slots__ = ("a",)


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_short),)


class Sequence:
    def __getitem__(self, index: int) -> int:
        raise IndexError


def with_callback(stack: Any) -> Any:
    stack.callback(print)
    return stack


def blob() -> Any:
    connection = kept(sqlite3.connect(":memory:"))
    connection.execute("create table t(a)")
    connection.execute("insert into t values (zeroblob(9))")
    return connection.blobopen("t", "a", 1)


def tls() -> Any:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return context.wrap_socket(socket.socket(), server_hostname="a")


def task(cls: Any = asyncio.Task) -> Any:
    loop = asyncio.SelectorEventLoop()
    made = cls(coroutine(), loop=loop)
    loop.run_until_complete(made)
    loop.close()
    return made


def zone() -> bytes:
    """Return the time zone file of UTC: it has no transitions."""
    header = b"TZif2" + bytes(15)
    counts = (0, 0, 0, 0, 1, 4)
    block = b"".join(number.to_bytes(4, "big") for number in counts) + bytes(6) + b"UTC\0"
    return (header + block) * 2 + b"\nUTC0\n"


def kept(value: Any) -> Any:
    """Keep an object alive until the test is over."""
    KEPT.append(value)
    return value


def started(process: Any) -> Any:
    process.start()
    return kept(process)


def working(executor: Any) -> Any:
    executor.submit(int).result()
    return kept(executor)


@functools.cache
def manager() -> Any:
    return SPAWN.Manager()


def release() -> None:
    """End what `kept` kept."""
    while KEPT:
        value = KEPT.pop()
        for name in ("terminate", "unlink", "close", "shutdown"):
            if hasattr(value, name):
                getattr(value, name)()
                break
        if hasattr(value, "join"):
            value.join()


def write_files(folder: Path) -> None:
    """Write the files that the expressions read."""
    import bz2
    import gzip
    import lzma
    import tarfile
    import wave
    import zipfile

    (folder / "text").write_text("a\n")
    (folder / "json").write_text("{}")
    for module, name in ((gzip, "gzipped"), (bz2, "bzipped"), (lzma, "xzipped")):
        with module.open(folder / name, "wb") as file:
            file.write(b"a\n")
    with tarfile.open(folder / "tarred", "w") as archive:
        archive.add(folder / "text", "text")
    with zipfile.ZipFile(folder / "zipped", "w") as zipped:
        zipped.write(folder / "text", "text")
    with wave.open(str(folder / "waved"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))


def expressions() -> dict[str, str]:
    """Return the expression of each type that this Python has."""
    return {name: expression for name, since, expression in _lines() if sys.version_info >= since}


def newer() -> set[str]:
    """Return the types that this Python doesn't have yet."""
    return {name for name, since, _ in _lines() if sys.version_info < since}


def is_error(name: str) -> bool:
    """Say whether a name of a type is that of an exception."""
    if name in ABSENT or "[" in name:
        return False
    try:
        found = build(name)
    except (AttributeError, ImportError):
        return False
    return isinstance(found, type) and issubclass(found, BaseException)


def _lines() -> Iterator[tuple[str, tuple[int, ...], str]]:
    for line in EXPRESSIONS.strip().splitlines():
        name, expression = line.split(maxsplit=1)
        name, _, since = name.partition("#")
        yield name, tuple(map(int, (since or "3.10").split("."))), expression


class _Modules(dict[str, Any]):
    """Names of an expression: any module is imported on demand."""

    def __missing__(self, name: str) -> Any:
        if name in globals() or hasattr(builtins, name):
            raise KeyError(name)
        return importlib.import_module(name)


def build(expression: str, **names: object) -> Any:
    """Evaluate an expression in the names of this module, all modules, and those given."""
    return eval(expression, globals(), _Modules(names))
