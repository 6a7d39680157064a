"""Types of the standard library."""

from __future__ import annotations

from typing import Final

from mpsafe_lint.knowledge.types.row import (
    CANNOT,
    CANNOT_BARE,
    GENERATOR,
    LOCK,
    RANDOM,
    READER,
    RLOCK,
    SENT,
    SERIALIZERS,
    TEXT_FILE,
    WRITER,
    TypeRow,
    cannot,
    local,
    missing,
    shared,
    text,
)

FROM_3_14: Final = cannot("{name}", "3.14+")
INSTANCES: Final = text(
    ("3.8-3.11", "TypeError: cannot pickle '{name}' object"), ("3.12+", "TypeError: cannot pickle '{last}' instances")
)
HANDLE: Final = cannot("_thread.lock", "3.8-3.12") + cannot("_thread._ThreadHandle", "3.13+")
AUTHKEY: Final = text("TypeError: Pickling an AuthenticationString object is disallowed for security reasons")
WEAKREF: Final = cannot("weakref", "3.8-3.9") + cannot("weakref.ReferenceType", "3.10+")
POOL: Final = text("NotImplementedError: pool objects cannot be passed between processes or pickled")
POINTER: Final = text("ValueError: ctypes objects containing pointers cannot be pickled")
SSL: Final = cannot("SSLContext")
CONTEXT: Final = cannot("{last}", "3.8-3.9") + cannot("{name}", "3.10+")
FORK_CONTEXT: Final = text(
    (
        "3.11+",
        "RuntimeError: A SemLock created in a fork context is being shared with a process in a spawn context. This is "
        "not supported. Please use the same context to create multiprocessing objects and Process.",
    )
)
NOT_FOR_READING: Final = text("_pickle.PicklingError: Cannot pickle files that are not opened for reading: w")
NOT_SAME: Final = text("_pickle.PicklingError: Can't pickle <class '{name}'>: it's not the same object as {name}")
IDENTITY: Final = local("ArgumentParser.__init__.<locals>.identity", last="3.14")

ROWS: Final[tuple[TypeRow, ...]] = (
    # ------------------------------------------------------------------ views
    TypeRow(
        "dict_keys dict_values dict_items",
        "dict-view",
        CANNOT,
        managers=SENT,
        cloudpickle=SENT,
        dill=SENT,
        finite="always",
    ),
    TypeRow("odict_keys odict_values odict_items", "dict-view", CANNOT, cloudpickle=SENT, dill=SENT, finite="always"),
    TypeRow(
        "collections.abc.KeysView collections.abc.ValuesView collections.abc.ItemsView",
        "",
        walks=True,
        holds=("value",),
        finite="always",
    ),
    TypeRow("mappingproxy", "internal", CANNOT, cloudpickle=SENT, dill=SENT, finite="always"),
    TypeRow(
        "os._Environ collections.abc.KeysView[environ] collections.abc.ValuesView[environ] "
        "collections.abc.ItemsView[environ]",
        "internal",
        text(
            ("3.8-3.12", "AttributeError: Can't pickle local object '_createenviron.<locals>.encode'"),
            ("3.13", "AttributeError: Can't get local object '_createenviron.<locals>.encode'"),
            (
                "3.14+",
                "_pickle.PicklingError: Can't pickle local object "
                "<function _create_environ_mapping.<locals>.encode at 0x…>",
            ),
        ),
        cloudpickle=SENT,
        dill=SENT,
        finite="always",
    ),
    # ------------------------------------------------------------------ generators
    TypeRow("generator", "generator", CANNOT),
    TypeRow("generator[finite]", "generator", CANNOT, finite="always"),
    TypeRow("async_generator", "generator", CANNOT),
    TypeRow("contextlib._GeneratorContextManager", "generator", GENERATOR),
    TypeRow("contextlib._AsyncGeneratorContextManager", "generator", cannot("async_generator")),
    TypeRow(
        "pathlib.Path.iterdir",
        "generator",
        text(
            ("3.8-3.12", "TypeError: cannot pickle 'generator' object"),
            ("3.14+", "TypeError: cannot pickle 'generator' object"),
        ),
        finite="always",
    ),
    TypeRow(
        "glob.iglob[recursive]",
        "generator",
        text(
            ("3.8-3.13", "TypeError: cannot pickle 'generator' object"),
            ("3.14+", "TypeError: cannot pickle 'itertools.chain' object"),
        ),
        finite="always",
    ),
    TypeRow("email.feedparser.FeedParser email.feedparser.BytesFeedParser", "generator", GENERATOR, inherited=True),
    # ------------------------------------------------------------------ iterators
    TypeRow("itertools.count", "iterator", FROM_3_14, finite="never", inherited=True, keeps_attributes=False),
    TypeRow(
        "itertools.cycle",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("iterator",),
        finite="never",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.repeat", "iterator", FROM_3_14, walks=True, holds=("value",), inherited=True, keeps_attributes=False
    ),
    TypeRow(
        "itertools.repeat[times]", "iterator", FROM_3_14, walks=True, holds=("value",), finite="always", inherited=True
    ),
    TypeRow(
        "itertools.chain",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("value",),
        finite="sources",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.islice itertools.accumulate itertools.groupby",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("iterator", "value"),
        finite="sources",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.islice[stop]",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("iterator", "value"),
        finite="always",
        inherited=True,
    ),
    TypeRow(
        "itertools.starmap itertools.takewhile itertools.dropwhile itertools.filterfalse",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("value", "iterator"),
        finite="sources",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.compress itertools.zip_longest",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("iterator",),
        finite="sources",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.combinations itertools.combinations_with_replacement itertools.permutations",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("items", "nothing"),
        finite="always",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools.product",
        "iterator",
        FROM_3_14,
        walks=True,
        holds=("items",),
        finite="always",
        inherited=True,
        keeps_attributes=False,
    ),
    TypeRow(
        "itertools._tee itertools._grouper", "iterator", FROM_3_14, walks=True, holds=("iterator",), finite="sources"
    ),
    TypeRow("itertools.pairwise itertools.batched", "iterator", CANNOT, finite="sources", inherited=True),
    TypeRow("callable_iterator[finditer]", "iterator", cannot("_sre.SRE_Scanner"), finite="always"),
    TypeRow("_csv.reader", "iterator", CANNOT, finite="sources"),
    TypeRow("csv.DictReader", "iterator", cannot("_csv.reader"), finite="sources", inherited=True),
    TypeRow(
        "posix.ScandirIterator _elementtree._element_iterator formatteriterator", "iterator", CANNOT, finite="always"
    ),
    TypeRow(
        "_struct.unpack_iterator",
        "iterator",
        cannot("unpack_iterator", "3.8") + cannot("{name}", "3.9+"),
        finite="always",
    ),
    TypeRow(
        "memory_iterator", "iterator", cannot("memoryview", "3.8-3.9") + cannot("{name}", "3.10+"), finite="always"
    ),
    TypeRow(
        "xml.etree.ElementTree.iterparse",
        "iterator",
        local(
            "iterparse.<locals>.IterParseIterator",
            "<class 'xml.etree.ElementTree.iterparse.<locals>.IterParseIterator'>",
        ),
        cloudpickle=GENERATOR,
        dill=GENERATOR,
        finite="always",
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "_collections._deque_reverse_iterator",
        "iterator",
        text(
            (
                "3.12-3.13",
                "_pickle.PicklingError: Can't pickle <class 'collections._deque_reverse_iterator'>: "
                "attribute lookup _deque_reverse_iterator on collections failed",
            ),
            (
                "3.14+",
                "_pickle.PicklingError: Can't pickle <class 'collections._deque_reverse_iterator'>: "
                "it's not found as collections._deque_reverse_iterator",
            ),
        ),
        cloudpickle=text(
            (
                "3.12-3.13",
                "TypeError: cannot set '__doc__' attribute of immutable type 'collections._deque_reverse_iterator'",
            )
        ),
        loads=("cloudpickle",),
        walks=True,
        finite="always",
        source="measured on 3.10 to 3.13",
    ),
    # Iterators that do pickle, with what they run over.
    TypeRow("map filter", "", walks=True, holds=("value", "iterator"), finite="sources", keeps_attributes=False),
    TypeRow("zip", "", walks=True, holds=("iterator",), finite="sources", keeps_attributes=False),
    TypeRow("enumerate", "", walks=True, holds=("iterator", "value"), finite="sources", keeps_attributes=False),
    TypeRow("reversed list_reverseiterator", "", walks=True, holds=("value",), finite="always", keeps_attributes=False),
    TypeRow(
        "list_iterator tuple_iterator set_iterator dict_keyiterator dict_valueiterator dict_itemiterator "
        "odict_iterator dict_reversekeyiterator dict_reversevalueiterator dict_reverseitemiterator "
        "_collections._deque_iterator",
        "",
        walks=True,
        holds=("items",),
        finite="always",
    ),
    TypeRow("iterator", "", walks=True, holds=("value",)),
    TypeRow("callable_iterator", "", walks=True, holds=("value",)),
    TypeRow(
        "str_iterator bytes_iterator bytearray_iterator range_iterator longrange_iterator array.arrayiterator",
        "",
        finite="always",
    ),
    # ------------------------------------------------------------------ files
    TypeRow(
        "_io.TextIOWrapper", "file-handle", INSTANCES, cloudpickle=SENT, dill=SENT, finite="always", inherited=True
    ),
    TypeRow(
        "_io.TextIOWrapper[w]",
        "file-handle",
        INSTANCES,
        cloudpickle=NOT_FOR_READING,
        dill=SENT,
        inherited=True,
    ),
    TypeRow(
        "_io.TextIOWrapper[wrapped]",
        "file-handle",
        INSTANCES,
        cloudpickle=text("_pickle.PicklingError: Cannot pickle files that do not map to an actual file"),
        dill=text("AttributeError: '_io.TextIOWrapper' object has no attribute 'mode'"),
        finite="always",
        inherited=True,
    ),
    TypeRow("_io.BufferedReader _io.FileIO", "file-handle", INSTANCES, dill=SENT, finite="always", inherited=True),
    TypeRow("_io.BufferedWriter", "file-handle", INSTANCES, dill=SENT, inherited=True),
    TypeRow(
        "_io.BufferedRandom",
        "file-handle",
        INSTANCES,
        dill=text(("3.14+", "TypeError: cannot pickle 'BufferedRandom' instances")),
        finite="always",
        inherited=True,
    ),
    TypeRow(
        "file",
        "file-handle",
        text(
            ("3.8-3.11", "TypeError: cannot pickle '_io.…' object"), ("3.12+", "TypeError: cannot pickle '…' instances")
        ),
        cloudpickle=SENT,
        dill=SENT,
        finite="always",
        source="measured: it is one of the classes of io, and the text names that",
    ),
    TypeRow(
        "fileinput.FileInput", "", walks=True, source="measured before its first line is read; then it holds a file"
    ),
    TypeRow(
        "tarfile.ExFileObject",
        "file-handle",
        text(
            ("3.8-3.11", "TypeError: cannot pickle '{last}' object"),
            ("3.12+", "TypeError: cannot pickle '{last}' instances"),
        ),
        finite="always",
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "_io.BufferedRWPair", "file-handle", CANNOT, finite="always", inherited=True, source="measured on 3.10 to 3.13"
    ),
    TypeRow(
        "_io.IncrementalNewlineDecoder", "native-object", CANNOT, inherited=True, source="measured on 3.10 to 3.13"
    ),
    TypeRow(
        "codecs.StreamReaderWriter",
        "file-handle",
        cannot("_io.BufferedReader", "3.8-3.10") + text(("3.11+", "TypeError: can't serialize {last}")),
        finite="always",
        inherited=True,
        source="measured on 3.10 to 3.13, opened for reading",
    ),
    TypeRow(
        "tempfile._TemporaryFileWrapper",
        "file-handle",
        RANDOM,
        dill=text(("3.8-3.13", "KeyError: 'file'"))
        + text(("3.14+", "TypeError: cannot pickle 'BufferedRandom' instances")),
        loads=("dill",),
        finite="always",
        source="measured; from 3.14 on dill's error comes when it is saved",
    ),
    TypeRow("tempfile._TemporaryFileWrapper[text]", "file-handle", TEXT_FILE, cloudpickle=NOT_FOR_READING),
    TypeRow("tempfile._TemporaryFileWrapper[r]", "file-handle", READER, finite="always"),
    TypeRow("tempfile._TemporaryFileWrapper[w]", "file-handle", WRITER),
    TypeRow(
        "gzip.GzipFile lzma.LZMAFile tarfile.TarFile zipfile.ZipExtFile",
        "file-handle",
        READER,
        finite="always",
        inherited=True,
    ),
    TypeRow(
        "bz2.BZ2File",
        "file-handle",
        cannot("_thread.RLock", "3.8-3.9") + cannot("_io.BufferedReader", "3.10-3.11") + READER[1:],
        finite="always",
        inherited=True,
    ),
    TypeRow("gzip.GzipFile[w]", "file-handle", WRITER, dill=cannot("zlib.Compress"), inherited=True),
    TypeRow(
        "bz2.BZ2File[w]",
        "file-handle",
        cannot("_thread.RLock", "3.8-3.9") + cannot("_io.BufferedWriter", "3.10-3.11") + WRITER[1:],
        dill=cannot("_bz2.BZ2Compressor"),
        inherited=True,
    ),
    TypeRow("lzma.LZMAFile[w]", "file-handle", WRITER, dill=cannot("_lzma.LZMACompressor"), inherited=True),
    TypeRow("tarfile.TarFile[w]", "file-handle", WRITER, dill=SENT, inherited=True),
    TypeRow("zipfile.ZipFile", "file-handle", READER, dill=SENT, inherited=True),
    TypeRow(
        "zipfile.ZipFile[w]",
        "file-handle",
        RANDOM,
        dill=text(("3.14+", "TypeError: cannot pickle 'BufferedRandom' instances")),
        inherited=True,
    ),
    TypeRow("zipfile.ZipFile[memory]", "file-handle", RLOCK, dill=SENT, inherited=True),
    TypeRow("zipfile._ZipWriteFile", "file-handle", RANDOM, source="measured on 3.10 to 3.13"),
    TypeRow(
        "os._wrap_close",
        "file-handle",
        TEXT_FILE,
        cloudpickle=text("_pickle.PicklingError: Cannot pickle files that do not map to an actual file"),
        dill=text("io.UnsupportedOperation: underlying stream is not seekable"),
        finite="always",
    ),
    TypeRow("wave.Wave_read", "file-handle", READER, source="measured on 3.10 to 3.13"),
    TypeRow("wave.Wave_write", "file-handle", WRITER, source="measured on 3.10 to 3.13"),
    TypeRow(
        "mailbox.mbox mailbox.MMDF mailbox.Babyl",
        "file-handle",
        RANDOM,
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow("pprint.PrettyPrinter", "file-handle", TEXT_FILE, cloudpickle=SENT, dill=SENT, inherited=True),
    TypeRow(
        "cmd.Cmd pdb.Pdb",
        "file-handle",
        TEXT_FILE,
        cloudpickle=text("_pickle.PicklingError: Cannot pickle standard input"),
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "pstats.Stats unittest.TextTestRunner unittest.TestResult",
        "file-handle",
        TEXT_FILE,
        cloudpickle=SENT,
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow("urllib.response.addinfourl", "file-handle", READER, finite="always", source="measured on 3.10 to 3.13"),
    TypeRow("tempfile.SpooledTemporaryFile tempfile.TemporaryDirectory", "", walks=True),
    TypeRow("_io.BytesIO _io.StringIO", "", finite="always"),
    # ------------------------------------------------------------------ threads
    TypeRow("_thread.lock _thread.RLock", "thread-object", CANNOT, dill=SENT),
    TypeRow(
        "threading.Event threading.Semaphore threading.BoundedSemaphore threading.Barrier "
        "queue.Queue queue.LifoQueue queue.PriorityQueue",
        "thread-object",
        LOCK,
        dill=SENT,
        inherited=True,
    ),
    TypeRow("threading.Condition concurrent.futures.Future", "thread-object", RLOCK, dill=SENT, inherited=True),
    TypeRow(
        "sched.scheduler",
        "thread-object",
        RLOCK,
        dill=cannot("itertools.count", "3.14+"),
        inherited=True,
    ),
    TypeRow(
        "threading.Thread threading.Timer threading._MainThread threading._DummyThread "
        "multiprocessing.dummy.DummyProcess",
        "thread-object",
        HANDLE,
        dill=SENT,
        inherited=True,
    ),
    TypeRow("_thread._local", "thread-object", CANNOT, inherited=True),
    TypeRow("_queue.SimpleQueue", "thread-object", CANNOT, inherited=True),
    TypeRow(
        "concurrent.futures.ThreadPoolExecutor",
        "thread-object",
        text(
            ("3.8-3.13", "TypeError: cannot pickle '_queue.SimpleQueue' object"),
            (
                "3.14+",
                "_pickle.PicklingError: Can't pickle local object "
                "<function WorkerContext.prepare.<locals>.create_context at 0x…>",
            ),
        ),
        cloudpickle=cannot("_queue.SimpleQueue"),
        dill=cannot("_queue.SimpleQueue"),
        inherited=True,
    ),
    TypeRow(
        "concurrent.futures.ProcessPoolExecutor[started]",
        "thread-object",
        cannot("weakref", "3.8") + cannot("_thread.lock", "3.9+"),
        dill=shared("_SafeQueue"),
    ),
    TypeRow(
        "concurrent.futures.ProcessPoolExecutor",
        "thread-object",
        LOCK,
        dill=shared("_SafeQueue"),
        inherited=True,
    ),
    TypeRow(
        "logging.Handler logging.StreamHandler logging.FileHandler logging.handlers.RotatingFileHandler "
        "logging.handlers.TimedRotatingFileHandler logging.handlers.WatchedFileHandler logging.handlers.MemoryHandler "
        "logging.handlers.SocketHandler logging.handlers.DatagramHandler logging.handlers.SysLogHandler "
        "logging.handlers.SMTPHandler logging.handlers.HTTPHandler logging.handlers.BufferingHandler "
        "logging.handlers.QueueHandler",
        "thread-object",
        RLOCK,
        dill=SENT,
        inherited=True,
    ),
    TypeRow("logging.handlers.QueueListener", "thread-object", LOCK, inherited=True, source="measured on 3.10 to 3.13"),
    TypeRow(
        "http.cookiejar.CookieJar http.cookiejar.FileCookieJar http.cookiejar.MozillaCookieJar "
        "http.cookiejar.LWPCookieJar",
        "thread-object",
        RLOCK,
        dill=SENT,
        inherited=True,
    ),
    # ------------------------------------------------------------------ connections
    TypeRow("sqlite3.Connection sqlite3.Cursor", "connection", CANNOT, inherited=True),
    TypeRow("sqlite3.Row", "native-object", CANNOT),
    TypeRow("sqlite3.Blob", "connection", CANNOT, source="measured on 3.11 to 3.13"),
    TypeRow("dbm.sqlite3._Database", "connection", cannot("sqlite3.Connection")),
    TypeRow(
        "shelve.DbfilenameShelf",
        "connection",
        cannot("sqlite3.Connection", "3.13+"),
        inherited=True,
        source="measured; before 3.13 as with dbm.dumb, and gdbm or ndbm fail there as well",
    ),
    TypeRow(
        "collections.abc.KeysView[shelf] collections.abc.ValuesView[shelf] collections.abc.ItemsView[shelf]",
        "connection",
        cannot("sqlite3.Connection", "3.13+"),
        finite="always",
    ),
    TypeRow(
        "_gdbm.gdbm _dbm.dbm", "connection", CANNOT, source="Modules/_gdbmmodule.c, Modules/_dbmmodule.c: no __reduce__"
    ),
    TypeRow("dbm.dumb._Database shelve.Shelf", "", walks=True),
    TypeRow("socket.socket", "connection", CANNOT_BARE, forking=SENT, inherited=True),
    TypeRow(
        "ssl.SSLSocket",
        "connection",
        CANNOT_BARE,
        source="Lib/socket.py: socket.__getstate__ raises, and only socket itself is registered",
    ),
    TypeRow("subprocess.Popen", "connection", LOCK, dill=SENT, inherited=True),
    TypeRow("select.epoll select.poll select.kqueue select.devpoll", "connection", CANNOT),
    TypeRow("selectors.EpollSelector", "connection", cannot("select.epoll"), inherited=True),
    TypeRow("selectors.PollSelector", "connection", cannot("select.poll"), inherited=True),
    TypeRow("http.client.HTTPSConnection", "connection", SSL, inherited=True, source="measured on 3.10 to 3.13"),
    TypeRow("urllib.request.OpenerDirector", "", walks=True),
    TypeRow("urllib.request.OpenerDirector[built]", "connection", cannot("SSLContext", "3.12+")),
    TypeRow(
        "http.client.HTTPResponse",
        "connection",
        READER,
        source="measured on 3.10 to 3.13: it keeps the file of its socket",
    ),
    TypeRow(
        "socketserver.TCPServer socketserver.UDPServer socketserver.ThreadingTCPServer socketserver.ThreadingUDPServer "
        "http.server.HTTPServer http.server.ThreadingHTTPServer xmlrpc.server.SimpleXMLRPCServer",
        "connection",
        LOCK,
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "xmlrpc.client.ServerProxy",
        "unloadable",
        text(
            ("3.8-3.10", "ConnectionRefusedError: [Errno 111] Connection refused"),
            ("3.11+", "TypeError: encode() argument 'encoding' must be str, not _Method"),
        ),
        loads=SERIALIZERS,
        source="measured "
        "without a server; up to 3.10 it asks the server for its __getstate__ while it is being pickled",
    ),
    # ------------------------------------------------------------------ modules
    TypeRow("module", "module", CANNOT, cloudpickle=SENT, dill=SENT, inherited=True),
    TypeRow("warnings.catch_warnings", "module", cannot("module"), cloudpickle=SENT, dill=SENT, inherited=True),
    # ------------------------------------------------------------------ multiprocessing
    TypeRow(
        "multiprocessing.Lock multiprocessing.RLock multiprocessing.Semaphore multiprocessing.BoundedSemaphore "
        "multiprocessing.Condition multiprocessing.Queue multiprocessing.JoinableQueue multiprocessing.SimpleQueue",
        "mp-object",
        shared("{last}"),
        spawning=SENT,
        inherited=True,
    ),
    TypeRow(
        "multiprocessing.Lock[fork] multiprocessing.RLock[fork] multiprocessing.Semaphore[fork] "
        "multiprocessing.BoundedSemaphore[fork] multiprocessing.Condition[fork] multiprocessing.Queue[fork] "
        "multiprocessing.JoinableQueue[fork] multiprocessing.SimpleQueue[fork]",
        "mp-object",
        shared("{last}"),
        spawning=FORK_CONTEXT,
        inherited=True,
    ),
    TypeRow(
        "multiprocessing.Event multiprocessing.Barrier",
        "mp-object",
        shared("Condition"),
        spawning=SENT,
        inherited=True,
    ),
    TypeRow(
        "multiprocessing.Event[fork] multiprocessing.Barrier[fork]",
        "mp-object",
        shared("Condition"),
        spawning=FORK_CONTEXT,
        inherited=True,
    ),
    TypeRow(
        "multiprocessing.sharedctypes.Synchronized multiprocessing.sharedctypes.SynchronizedArray "
        "multiprocessing.sharedctypes.SynchronizedString",
        "mp-object",
        shared("{last}"),
        spawning=SENT,
    ),
    TypeRow(
        "multiprocessing.sharedctypes.Synchronized[fork] multiprocessing.sharedctypes.SynchronizedArray[fork]",
        "mp-object",
        shared("{last}"),
        spawning=FORK_CONTEXT,
    ),
    TypeRow(
        "multiprocessing.RawValue",
        "mp-object",
        cannot("mmap.mmap"),
        forking=shared("c_int"),
        spawning=SENT,
        source="measured with the type code 'i': the text names the ctypes type",
    ),
    TypeRow(
        "multiprocessing.RawArray",
        "mp-object",
        missing(
            "<class 'multiprocessing.sharedctypes.c_int_Array_3'>", "c_int_Array_3", "multiprocessing.sharedctypes"
        ),
        forking=shared("c_int_Array_3"),
        spawning=SENT,
        cloudpickle=cannot("mmap.mmap"),
        dill=text(
            (
                "3.8-3.11",
                "_pickle.PicklingError: "
                "Can't pickle <class '_ctypes.PyCArrayType'>: it's not found as _ctypes.PyCArrayType",
            ),
            (
                "3.12+",
                "_pickle.PicklingError: "
                "Can't pickle <class '_ctypes.CType_Type'>: it's not found as _ctypes.CType_Type",
            ),
        ),
        source="measured with the type code 'i' and three items: the text names the ctypes type",
    ),
    TypeRow("multiprocessing.Pool multiprocessing.pool.ThreadPool", "mp-object", POOL, inherited=True),
    TypeRow(
        "multiprocessing.pool.ApplyResult",
        "mp-object",
        POOL,
        dill=shared("SimpleQueue"),
        source="measured; once the result is there its lock is what fails",
    ),
    TypeRow(
        "multiprocessing.pool.MapResult",
        "mp-object",
        POOL,
        source="measured on 3.10 to 3.13; once the results are there a lock is what fails",
    ),
    TypeRow(
        "multiprocessing.pool.IMapIterator multiprocessing.pool.IMapUnorderedIterator",
        "mp-object",
        POOL,
        finite="always",
        source="measured on 3.10 to 3.13; once the results are there a lock is what fails",
    ),
    TypeRow("multiprocessing.Process", "mp-object", AUTHKEY, spawning=SENT, walks=True, inherited=True),
    TypeRow("multiprocessing.Process[started]", "mp-object", AUTHKEY, spawning=WEAKREF, inherited=True),
    TypeRow(
        "multiprocessing.process._MainProcess",
        "mp-object",
        missing("<class 'multiprocessing.process._MainProcess'>", "_MainProcess", "multiprocessing.process"),
        cloudpickle=AUTHKEY,
        dill=AUTHKEY,
    ),
    TypeRow("multiprocessing.process.AuthenticationString", "mp-object", AUTHKEY, spawning=SENT),
    TypeRow("multiprocessing.managers.SyncManager", "mp-object", AUTHKEY, spawning=WEAKREF, inherited=True),
    TypeRow(
        "multiprocessing.managers.BaseManager multiprocessing.managers.SharedMemoryManager",
        "mp-object",
        AUTHKEY,
        spawning=SENT,
        inherited=True,
        source="measured before start(); then as SyncManager",
    ),
    TypeRow("multiprocessing.connection.Listener", "mp-object", cannot("socket"), forking=WEAKREF),
    TypeRow("multiprocessing.dummy.connection.Connection", "thread-object", LOCK, source="measured on 3.10 to 3.13"),
    TypeRow(
        "multiprocessing.connection.Connection", "", source="measured; plain pickle sends the bare descriptor number"
    ),
    TypeRow(
        "multiprocessing.managers.DictProxy multiprocessing.managers.ListProxy "
        "multiprocessing.managers.AcquirerProxy multiprocessing.managers.ConditionProxy "
        "multiprocessing.managers.EventProxy multiprocessing.managers.BarrierProxy "
        "multiprocessing.managers.NamespaceProxy multiprocessing.managers.ValueProxy "
        "multiprocessing.managers.ArrayProxy multiprocessing.managers.PoolProxy "
        "multiprocessing.managers.AutoProxy[Queue] multiprocessing.managers.BaseProxy",
        "",
        keeps_attributes=False,
        source="measured; loads only while its manager lives",
    ),
    TypeRow(
        "multiprocessing.shared_memory.SharedMemory multiprocessing.shared_memory.ShareableList",
        "",
        keeps_attributes=False,
        source="measured; loads only while the block exists",
    ),
    TypeRow(
        "multiprocessing.context.SpawnContext multiprocessing.context.ForkContext "
        "multiprocessing.context.ForkServerContext multiprocessing.context.DefaultContext",
        "",
    ),
    # ------------------------------------------------------------------ the interpreter's own
    TypeRow("coroutine coroutine_wrapper frame traceback", "internal", CANNOT),
    TypeRow(
        "code",
        "internal",
        text(
            ("3.8-3.10", "TypeError: cannot pickle 'code' object"), ("3.11+", "TypeError: cannot pickle code objects")
        ),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow("cell getset_descriptor", "internal", CANNOT, cloudpickle=SENT, dill=SENT),
    TypeRow("property staticmethod classmethod", "internal", CANNOT, cloudpickle=SENT, dill=SENT, inherited=True),
    TypeRow(
        "functools.cached_property",
        "internal",
        cannot("_thread.RLock", "3.8-3.11"),
        dill=SENT,
        walks=True,
        inherited=True,
    ),
    TypeRow("functools.KeyWrapper", "internal", CANNOT),
    TypeRow(
        "memoryview",
        "internal",
        text(
            ("3.8-3.10", "TypeError: cannot pickle 'memoryview' object"),
            ("3.11+", "TypeError: cannot pickle memoryview objects"),
        ),
        cloudpickle=SENT,
        finite="always",
    ),
    TypeRow(
        "pickle.PickleBuffer",
        "internal",
        text(
            ("3.8-3.12", "_pickle.PicklingError: PickleBuffer can only pickled with protocol >= 5"),
            ("3.13", "_pickle.PicklingError: PickleBuffer can only be pickled with protocol >= 5"),
        ),
        cloudpickle=SENT,
        source="measured with the default protocol, which is 4 up to 3.13",
    ),
    TypeRow("_pickle.Pickler _pickle.Unpickler", "internal", CANNOT, inherited=True, source="measured on 3.10 to 3.13"),
    TypeRow(
        "super",
        "internal",
        text(("3.8-3.13", "_pickle.PicklingError: args[0] from __newobj__ args has the wrong class")),
        dill=SENT,
    ),
    TypeRow("FrameLocalsProxy", "internal", cannot("FrameLocalsProxy", "3.13+")),
    TypeRow(
        "weakref.ReferenceType",
        "internal",
        cannot("weakref", "3.8-3.9") + cannot("{name}", "3.10+"),
        dill=SENT,
        inherited=True,
    ),
    TypeRow("weakref.WeakMethod", "internal", CANNOT_BARE, inherited=True),
    TypeRow(
        "weakref.WeakValueDictionary",
        "internal",
        local("WeakValueDictionary.__init__.<locals>.remove"),
        cloudpickle=WEAKREF,
        dill=cannot("KeyedRef"),
        inherited=True,
    ),
    TypeRow(
        "weakref.WeakKeyDictionary",
        "internal",
        local("WeakKeyDictionary.__init__.<locals>.remove"),
        cloudpickle=WEAKREF,
        dill=SENT,
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow("weakref.WeakKeyDictionary[filled]", "internal", WEAKREF, dill=SENT, inherited=True),
    TypeRow(
        "weakref.WeakSet",
        "internal",
        local("WeakSet.__init__.<locals>._remove"),
        cloudpickle=SENT,
        dill=SENT,
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow("weakref.WeakSet[filled]", "internal", WEAKREF, cloudpickle=SENT, dill=SENT, inherited=True),
    TypeRow("weakref.ProxyType weakref.finalize", "", walks=True),
    TypeRow("_contextvars.ContextVar _contextvars.Token", "internal", CONTEXT),
    TypeRow("_contextvars.Context", "internal", CONTEXT, dill=SENT),
    TypeRow("_asyncio.Task _asyncio.Future", "internal", CANNOT, inherited=True),
    TypeRow(
        "asyncio.AbstractEventLoop",
        "internal",
        local("WeakSet.__init__.<locals>._remove"),
        cloudpickle=cannot("_contextvars.Context"),
        dill=cannot("select.epoll"),
        inherited=True,
    ),
    TypeRow(
        "asyncio.StreamReader asyncio.StreamWriter",
        "internal",
        local("WeakSet.__init__.<locals>._remove"),
        cloudpickle=cannot("_contextvars.Context"),
        dill=cannot("select.epoll"),
    ),
    TypeRow(
        "asyncio.Lock asyncio.Event asyncio.Condition asyncio.Semaphore asyncio.BoundedSemaphore asyncio.Queue "
        "asyncio.LifoQueue asyncio.PriorityQueue",
        "internal",
        text(("3.8-3.9", "AttributeError: Can't pickle local object 'WeakSet.__init__.<locals>._remove'")),
        walks=True,
        source="measured; once somebody has waited for it, it holds the event loop",
    ),
    TypeRow("asyncio.Runner", "", walks=True, source="measured on 3.11 to 3.13"),
    TypeRow(
        "argparse.ArgumentParser argparse.Action argparse._ArgumentGroup argparse._SubParsersAction",
        "internal",
        IDENTITY,
        cloudpickle=SENT,
        dill=SENT,
        inherited=True,
    ),
    TypeRow(
        "dataclasses.Field",
        "internal",
        cannot("mappingproxy", "3.8-3.14"),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow(
        "dis.Bytecode typing.ForwardRef",
        "internal",
        text(
            ("3.8-3.10", "TypeError: cannot pickle 'code' object"),
            ("3.11-3.13", "TypeError: cannot pickle code objects"),
        ),
        cloudpickle=SENT,
        dill=SENT,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "traceback.TracebackException",
        "internal",
        text(("3.14+", "TypeError: cannot pickle code objects")),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow("contextlib.ExitStack contextlib.AsyncExitStack", "", walks=True),
    TypeRow(
        "contextlib.ExitStack[callback]",
        "internal",
        local("_BaseExitStack._create_cb_wrapper.<locals>._exit_wrapper"),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow(
        "sys.flags sys.version_info sys.float_info sys.int_info sys.hash_info sys.thread_info",
        "misnamed",
        NOT_SAME,
        cloudpickle=text("AttributeError: type object '{last}' has no attribute '…'"),
        loads=("cloudpickle",),
    ),
    TypeRow(
        "timeit.Timer", "misnamed", missing("<function inner at 0x…>", "inner", "timeit"), cloudpickle=SENT, dill=SENT
    ),
    TypeRow(
        "logging.Logger[unregistered]",
        "misnamed",
        text("_pickle.PicklingError: logger cannot be pickled"),
        cloudpickle=SENT,
        keeps_attributes=False,
    ),
    TypeRow(
        "shutil.usage",
        "misnamed",
        missing("<class 'shutil.usage'>", "usage", "shutil"),
        cloudpickle=SENT,
        dill=SENT,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "unittest.mock.Mock unittest.mock.NonCallableMock",
        "misnamed",
        NOT_SAME,
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow(
        "unittest.mock.MagicMock unittest.mock.NonCallableMagicMock",
        "misnamed",
        NOT_SAME,
        cloudpickle=SENT,
    ),
    TypeRow(
        "unittest.mock.AsyncMock",
        "misnamed",
        NOT_SAME,
        cloudpickle=text("_pickle.PicklingError: args[0] from __newobj__ args has the wrong class"),
        source="measured on 3.10 to 3.13",
    ),
    # ------------------------------------------------------------------ saved, but not loaded again
    TypeRow(
        "urllib.error.HTTPError",
        "unloadable",
        text(
            (
                "3.8-3.9",
                "TypeError: __init__() missing 5 required positional arguments: 'url', 'code', 'msg', 'hdrs', and 'fp'",
            ),
            (
                "3.10+",
                "TypeError: "
                "HTTPError.__init__() missing 5 required positional arguments: 'url', 'code', 'msg', 'hdrs', and 'fp'",
            ),
        ),
        loads=SERIALIZERS,
        inherited=True,
    ),
    TypeRow(
        "codecs.CodecInfo",
        "unloadable",
        text(
            ("3.8-3.9", "TypeError: __new__() missing 1 required positional argument: 'decode'"),
            ("3.10-3.12", "TypeError: CodecInfo.__new__() missing 1 required positional argument: 'decode'"),
        ),
        loads=SERIALIZERS,
    ),
    # ------------------------------------------------------------------ native objects
    TypeRow(
        "_hashlib.HASH _hashlib.HASHXOF _blake2.blake2b _blake2.blake2s zlib.Compress zlib.Decompress "
        "_bz2.BZ2Compressor _bz2.BZ2Decompressor _lzma.LZMACompressor _lzma.LZMADecompressor decimal.ContextManager "
        "select.kevent pyexpat.xmlparser re.Match "
        "posix.DirEntry",
        "native-object",
        CANNOT,
    ),
    TypeRow(
        "xml.etree.ElementTree.XMLParser xml.etree.ElementTree.TreeBuilder", "native-object", CANNOT, inherited=True
    ),
    TypeRow("compression.zstd.ZstdCompressor compression.zstd.ZstdDecompressor", "native-object", CANNOT),
    TypeRow(
        "hmac.HMAC",
        "native-object",
        text(("3.8-3.9", "AttributeError: Can't pickle local object 'HMAC.__init__.<locals>.<lambda>'"))
        + cannot("_hashlib.HMAC", "3.10+"),
        source="measured; on 3.8 and 3.9 cloudpickle and dill were not",
    ),
    TypeRow(
        "_struct.Struct",
        "native-object",
        text(("3.8", "TypeError: cannot pickle 'Struct' object"), ("3.9+", "TypeError: cannot pickle '{name}' object")),
        inherited=True,
    ),
    TypeRow("mmap.mmap", "native-object", CANNOT, finite="always", inherited=True),
    TypeRow("ssl.SSLContext", "native-object", CANNOT_BARE, inherited=True),
    TypeRow(
        "xml.etree.ElementTree.XMLPullParser",
        "native-object",
        cannot("xml.etree.ElementTree.XMLParser"),
        inherited=True,
        source="measured on 3.10 to 3.13",
    ),
    TypeRow("json.JSONDecoder", "native-object", cannot("_json.Scanner"), inherited=True),
    TypeRow("_csv.writer", "native-object", CANNOT),
    TypeRow(
        "_csv.Dialect",
        "native-object",
        text(
            ("3.8-3.9", "TypeError: cannot pickle '_csv.Dialect' object"),
            ("3.10+", "TypeError: cannot pickle 'Dialect' instances"),
        ),
    ),
    TypeRow(
        "csv.DictWriter", "native-object", cannot("_csv.writer"), inherited=True, source="measured on 3.10 to 3.13"
    ),
    TypeRow(
        "random.SystemRandom",
        "native-object",
        text("NotImplementedError: System entropy source does not have state."),
        inherited=True,
    ),
    TypeRow(
        "zoneinfo.ZoneInfo[file]",
        "native-object",
        text("_pickle.PicklingError: Cannot pickle a ZoneInfo file from a file stream."),
    ),
    TypeRow(
        "ctypes.c_char_p ctypes.c_wchar_p ctypes.c_void_p ctypes.py_object ctypes._Pointer ctypes._CFuncPtr",
        "native-object",
        POINTER,
    ),
    TypeRow(
        "ctypes._CArgObject",
        "native-object",
        text(
            ("3.8-3.11", "TypeError: cannot pickle 'CArgObject' object"),
            ("3.12+", "TypeError: cannot pickle '_ctypes.CArgObject' object"),
        ),
        source="measured on 3.10 to 3.13",
    ),
    TypeRow(
        "ctypes.CDLL ctypes.PyDLL",
        "native-object",
        local("CDLL.__init__.<locals>._FuncPtr", "<class 'ctypes.CDLL.__init__.<locals>._FuncPtr'>"),
        cloudpickle=text(
            ("3.8-3.11", "AttributeError: type object 'PyCFuncPtrType' has no attribute '__mul__'"),
            ("3.12+", "AttributeError: type object 'CType_Type' has no attribute '__mul__'"),
        ),
        dill=text(
            (
                "3.8-3.11",
                "_pickle.PicklingError: "
                "Can't pickle <class '_ctypes.PyCFuncPtrType'>: it's not found as _ctypes.PyCFuncPtrType",
            ),
            (
                "3.12+",
                "_pickle.PicklingError: "
                "Can't pickle <class '_ctypes.CType_Type'>: it's not found as _ctypes.CType_Type",
            ),
        ),
        loads=("cloudpickle",),
        inherited=True,
    ),
    TypeRow("cProfile.Profile", "native-object", CANNOT_BARE, inherited=True, source="measured on 3.10 to 3.13"),
    TypeRow("tkinter.Tk", "native-object", cannot("_tkinter.tkapp"), inherited=True, source="measured on 3.10 to 3.13"),
    TypeRow(
        "tkinter.Widget tkinter.Variable",
        "native-object",
        cannot("_tkinter.tkapp"),
        inherited=True,
        source="Lib/tkinter/__init__.py: it keeps the interpreter that it belongs to",
    ),
    # Data: nothing in it can be refused.
    TypeRow(
        "data NoneType bool int float complex str bytes bytearray range ellipsis NotImplementedType object function "
        "method_descriptor wrapper_descriptor method-wrapper member_descriptor array.array re.Pattern uuid.UUID "
        "datetime.timezone os.stat_result os.statvfs_result os.terminal_size time.struct_time platform.uname_result "
        "argparse.FileType string.Formatter zipfile.ZipInfo tarfile.TarInfo email.message.Message "
        "email.message.EmailMessage xml.etree.ElementTree.ElementTree xml.dom.minidom.Document string.Template "
        "logging.Formatter logging.Filter logging.NullHandler textwrap.TextWrapper difflib.SequenceMatcher "
        "difflib.Differ configparser.ConfigParser configparser.RawConfigParser configparser.SectionProxy "
        "json.JSONEncoder csv.Sniffer ast.AST html.parser.HTMLParser urllib.request.Request "
        "urllib.parse.ParseResult urllib.parse.SplitResult subprocess.CompletedProcess traceback.StackSummary "
        "shlex.shlex statistics.NormalDist http.cookies.SimpleCookie optparse.OptionParser optparse.Values "
        "calendar.Calendar calendar.TextCalendar graphlib.TopologicalSorter tracemalloc.Snapshot filecmp.dircmp "
        "pwd.struct_passwd grp.struct_group resource.struct_rusage collections.UserString unittest.TestCase "
        "unittest.TestSuite ast.Module pathlib._PathParents codecs.IncrementalDecoder codecs.IncrementalEncoder "
        "sentinel",
        "",
    ),
    TypeRow(
        "datetime.datetime datetime.date datetime.time datetime.timedelta decimal.Decimal decimal.Context "
        "fractions.Fraction pathlib.Path pathlib.PurePath random.Random ipaddress.IPv4Address ipaddress.IPv6Address "
        "ipaddress.IPv4Network ipaddress.IPv6Network zoneinfo.ZoneInfo logging.Logger xml.etree.ElementTree.Element",
        "",
        keeps_attributes=False,
    ),
    TypeRow("ctypes._SimpleCData", ""),
    TypeRow("ctypes.Structure", "", walks=True, source="measured; refused where it has a pointer in it"),
    TypeRow("signal.Signals", ""),
    # Containers: their items or attributes are saved.
    TypeRow("list tuple set frozenset", "", walks=True, holds=("items",), finite="always"),
    TypeRow("dict", "", walks=True, holds=("items",), finite="always"),
    TypeRow("frozendict", "", walks=True, holds=("items",), finite="always", source="measured on 3.15"),
    TypeRow(
        "collections.OrderedDict collections.UserDict collections.UserList",
        "",
        walks=True,
        holds=("items",),
        finite="always",
    ),
    TypeRow("collections.deque", "", walks=True, holds=("items", "value"), finite="always"),
    TypeRow("collections.Counter", "", walks=True, holds=("items",), finite="always", keeps_attributes=False),
    TypeRow(
        "collections.defaultdict", "", walks=True, holds=("value", "items"), finite="always", keeps_attributes=False
    ),
    TypeRow("collections.ChainMap", "", walks=True, holds=("value",), finite="always"),
    TypeRow("functools.partial", "", walks=True, holds=("value",)),
    TypeRow("functools.partialmethod", "", walks=True, holds=("value",)),
    TypeRow("types.SimpleNamespace argparse.Namespace", "", walks=True, holds=("items",)),
    TypeRow("slice operator.itemgetter operator.attrgetter operator.methodcaller", "", walks=True, holds=("value",)),
    TypeRow("logging.LoggerAdapter", "", walks=True, holds=("value",)),
    TypeRow("logging.LogRecord", "", walks=True),
    TypeRow(
        "contextlib.closing contextlib.nullcontext contextlib.redirect_stdout contextlib.redirect_stderr",
        "",
        walks=True,
        holds=("value",),
    ),
    TypeRow("contextlib.suppress", "", walks=True, holds=("value",)),
    TypeRow("inspect.Signature inspect.Parameter inspect.BoundArguments", "", walks=True),
    TypeRow(
        "types.GenericAlias types.UnionType typing._GenericAlias typing._UnionGenericAlias "
        "typing._CallableGenericAlias string.templatelib.Template",
        "",
        walks=True,
    ),
    TypeRow(
        "method builtin_function_or_method", "", walks=True, source="measured; saves the object that it is bound to"
    ),
    TypeRow(
        "BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError "
        "BufferError ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError "
        "ConnectionResetError EOFError FileExistsError FileNotFoundError FloatingPointError GeneratorExit "
        "ImportError IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt "
        "LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError "
        "OverflowError PermissionError ProcessLookupError RecursionError ReferenceError RuntimeError "
        "StopAsyncIteration StopIteration SyntaxError SystemError SystemExit TabError TimeoutError TypeError "
        "UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError "
        "ZeroDivisionError BaseExceptionGroup ExceptionGroup Warning DeprecationWarning UserWarning RuntimeWarning "
        "FutureWarning",
        "",
        walks=True,
        holds=("value",),
    ),
    TypeRow(
        "subprocess.CalledProcessError subprocess.TimeoutExpired json.JSONDecodeError argparse.ArgumentError "
        "configparser.NoOptionError configparser.NoSectionError asyncio.IncompleteReadError asyncio.TimeoutError "
        "asyncio.CancelledError queue.Empty queue.Full concurrent.futures.TimeoutError "
        "concurrent.futures.CancelledError pickle.PicklingError pickle.UnpicklingError zipfile.BadZipFile "
        "tarfile.ReadError sqlite3.OperationalError sqlite3.IntegrityError sqlite3.DatabaseError re.error "
        "struct.error zlib.error binascii.Error csv.Error urllib.error.URLError http.client.HTTPException "
        "socket.timeout socket.gaierror xml.etree.ElementTree.ParseError",
        "",
        walks=True,
        holds=("value",),
    ),
)

SIZED: Final = frozenset(
    """
    _contextvars.Context codecs.CodecInfo collections.abc.ItemsView collections.abc.KeysView
    collections.abc.ValuesView ctypes._CFuncPtr ctypes._Pointer ctypes.c_char_p ctypes.c_void_p ctypes.c_wchar_p
    ctypes.py_object dict_items dict_keys dict_values http.cookiejar.CookieJar http.cookiejar.FileCookieJar
    http.cookiejar.LWPCookieJar http.cookiejar.MozillaCookieJar mailbox.Babyl mailbox.MMDF mailbox.mbox mappingproxy
    memoryview mmap.mmap multiprocessing.RawArray multiprocessing.RawValue
    multiprocessing.process.AuthenticationString multiprocessing.sharedctypes.SynchronizedArray
    multiprocessing.sharedctypes.SynchronizedString odict_items odict_keys odict_values os._Environ
    shelve.DbfilenameShelf shutil.usage sqlite3.Blob sqlite3.Row sys.flags sys.float_info sys.hash_info sys.int_info
    sys.thread_info sys.version_info unittest.mock.AsyncMock unittest.mock.MagicMock
    unittest.mock.NonCallableMagicMock weakref.WeakKeyDictionary weakref.WeakSet weakref.WeakValueDictionary
    """.split()
)
"""The refused types that have `__len__` or `__bool__`: objects of the others always count as true."""
