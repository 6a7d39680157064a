"""The standard library: what its functions, methods and attributes give.

Source: the documentation of each function, and the functions called on 3.10 to 3.13.
"""

from __future__ import annotations

from typing import Final

Names = dict[str, str]
"""Names, separated by blanks, by the type that they give."""

CLASSES: Final = (
    "BaseException Exception bool bytearray bytes classmethod complex dict enumerate filter float frozendict frozenset "
    "int list map memoryview object property range reversed set slice staticmethod str super tuple zip"
)
"""Builtin classes: the only bare names of types that can be called."""

MAKES: Final[Names] = {
    "NoneType": "print setattr delattr exec os.makedirs os.mkdir os.remove os.unlink os.rename os.rmdir os.chdir "
    "time.sleep random.seed random.shuffle json.dump pickle.dump gc.freeze logging.basicConfig shutil.rmtree "
    "logging.debug logging.info logging.warning logging.error logging.exception logging.critical heapq.heapify "
    "heapq.heappush bisect.insort bisect.insort_left bisect.insort_right traceback.print_exc warnings.warn "
    "warnings.simplefilter warnings.filterwarnings sys.setrecursionlimit multiprocessing.freeze_support "
    "multiprocessing.set_start_method",
    "bool": "all any callable hasattr isinstance issubclass os.path.exists os.path.isfile os.path.isdir "
    "os.path.isabs os.path.islink os.path.ismount os.path.lexists os.path.samefile os.access math.isnan math.isinf "
    "math.isfinite math.isclose keyword.iskeyword inspect.isclass inspect.isfunction inspect.ismodule "
    "inspect.ismethod fnmatch.fnmatch fnmatch.fnmatchcase filecmp.cmp zipfile.is_zipfile tarfile.is_tarfile "
    "hmac.compare_digest secrets.compare_digest dataclasses.is_dataclass gc.isenabled operator.not_ "
    "operator.contains operator.truth",
    "int": "len hash id ord os.getpid os.getppid os.cpu_count os.path.getsize os.open os.write os.system os.getuid "
    "time.time_ns time.perf_counter_ns time.monotonic_ns time.process_time_ns random.randint random.randrange "
    "random.getrandbits math.floor math.ceil math.gcd math.lcm math.factorial math.comb math.perm math.isqrt "
    "math.trunc sys.getsizeof sys.getrecursionlimit sys.getrefcount gc.collect zlib.crc32 zlib.adler32 "
    "binascii.crc32 bisect.bisect bisect.bisect_left bisect.bisect_right threading.active_count threading.get_ident "
    "threading.get_native_id multiprocessing.cpu_count os.process_cpu_count subprocess.call subprocess.check_call "
    "calendar.timegm secrets.randbelow secrets.randbits struct.calcsize operator.index operator.countOf "
    "operator.indexOf int.from_bytes",
    "float": "time.time time.perf_counter time.monotonic time.process_time time.thread_time time.mktime "
    "random.random random.uniform random.gauss random.normalvariate random.expovariate random.betavariate "
    "random.gammavariate random.triangular random.lognormvariate random.paretovariate random.vonmisesvariate "
    "random.weibullvariate math.sqrt math.sin math.cos math.tan math.asin math.acos math.atan math.atan2 math.sinh "
    "math.cosh math.tanh math.exp math.expm1 math.log math.log2 math.log10 math.log1p math.pow math.hypot math.dist "
    "math.fabs math.fmod math.fsum math.radians math.degrees math.copysign math.erf math.erfc math.gamma "
    "math.lgamma math.ldexp math.nextafter math.ulp math.cbrt math.exp2 os.path.getmtime os.path.getatime "
    "os.path.getctime statistics.fmean timeit.timeit timeit.default_timer",
    "str": "ascii bin chr format hex input oct repr os.getcwd os.path.join os.path.abspath os.path.basename "
    "os.path.dirname os.path.realpath os.path.normpath os.path.expanduser os.path.expandvars os.path.relpath "
    "os.path.commonpath os.path.commonprefix os.path.normcase os.fspath os.readlink os.getlogin os.ttyname "
    "os.strerror os.fsdecode json.dumps time.strftime time.ctime time.asctime textwrap.dedent textwrap.indent "
    "textwrap.fill textwrap.shorten tempfile.mkdtemp tempfile.mktemp tempfile.gettempdir shutil.copy shutil.copy2 "
    "shutil.copyfile shutil.copytree shutil.move shutil.make_archive getpass.getuser getpass.getpass "
    "platform.system platform.platform platform.machine platform.node platform.release platform.version "
    "platform.processor platform.python_version platform.python_implementation socket.gethostname socket.getfqdn "
    "socket.gethostbyname html.escape html.unescape urllib.parse.quote urllib.parse.quote_plus urllib.parse.unquote "
    "urllib.parse.unquote_plus urllib.parse.urlencode urllib.parse.urljoin urllib.parse.urlunparse "
    "urllib.parse.urlunsplit secrets.token_hex secrets.token_urlsafe traceback.format_exc inspect.getsource "
    "inspect.getfile inspect.cleandoc inspect.getmodulename locale.setlocale sys.getdefaultencoding "
    "sys.getfilesystemencoding sys.intern pprint.pformat re.escape glob.escape importlib.metadata.version "
    "importlib.util.cache_from_source string.capwords linecache.getline mimetypes.guess_extension "
    "configparser.ConfigParser.get ast.unparse ast.dump unicodedata.normalize unicodedata.name "
    "multiprocessing.get_start_method calendar.month sysconfig.get_path logging.getLevelName bytes.hex "
    "fnmatch.translate email.utils.formatdate email.utils.formataddr",
    "bytes": "pickle.dumps marshal.dumps os.read os.urandom os.fsencode os.getcwdb struct.pack "
    "zlib.compress zlib.decompress gzip.compress gzip.decompress bz2.compress bz2.decompress lzma.compress "
    "lzma.decompress base64.b64encode base64.b64decode base64.b32encode base64.b32decode base64.b16encode "
    "base64.b16decode base64.urlsafe_b64encode base64.urlsafe_b64decode base64.standard_b64encode "
    "base64.encodebytes base64.decodebytes base64.b85encode base64.b85decode binascii.hexlify binascii.unhexlify "
    "binascii.b2a_hex binascii.a2b_hex binascii.b2a_base64 binascii.a2b_base64 secrets.token_bytes random.randbytes "
    "hashlib.pbkdf2_hmac hashlib.scrypt plistlib.dumps hmac.digest audioop.add pkgutil.get_data "
    "urllib.parse.unquote_to_bytes bytes.fromhex",
    "bytearray": "bytearray.fromhex",
    "data": "json.load json.loads tomllib.load tomllib.loads ast.literal_eval plistlib.load plistlib.loads "
    "marshal.load marshal.loads yaml.safe_load yaml.full_load toml.load toml.loads json5.load json5.loads "
    "orjson.loads msgpack.unpackb msgpack.loads msgpack.load hjson.load hjson.loads commentjson.load "
    "commentjson.loads xmltodict.parse bson.loads locale.localeconv os.environ.copy round divmod os.getenv "
    "os.environ.get os.get_exec_path os.path.splitext os.path.split os.path.splitdrive struct.unpack "
    "struct.unpack_from sys.getwindowsversion time.get_clock_info os.times os.uname os.getloadavg platform.uname "
    "platform.architecture platform.mac_ver platform.libc_ver platform.python_version_tuple shutil.which "
    "shutil.get_terminal_size os.get_terminal_size subprocess.getoutput subprocess.getstatusoutput "
    "subprocess.check_output mimetypes.guess_type socket.getaddrinfo getopt.getopt email.utils.parseaddr "
    "cgi.parse_header urllib.parse.parse_qs urllib.parse.parse_qsl keyword.kwlist colorsys.rgb_to_hsv "
    "colorsys.hsv_to_rgb statistics.mean statistics.median statistics.mode statistics.stdev statistics.pstdev "
    "statistics.variance math.prod math.modf math.frexp locale.getlocale sysconfig.get_config_vars dir "
    "sys.getswitchinterval site.getsitepackages inspect.getdoc inspect.getsourcefile",
    "list[str]": "os.listdir glob.glob re.findall re.split shlex.split textwrap.wrap fnmatch.filter "
    "traceback.format_exception traceback.format_stack traceback.format_tb traceback.format_list linecache.getlines "
    "csv.list_dialects difflib.get_close_matches locale.locale_alias logging.getHandlerNames",
    "dict": "vars locals globals dict.fromkeys dataclasses.asdict inspect.getcallargs typing.get_type_hints "
    "sys.modules.copy weakref.getweakrefs",
    "list": "sorted random.choices random.sample heapq.nlargest heapq.nsmallest list.copy gc.get_objects "
    "inspect.getmembers multiprocessing.active_children "
    "statistics.quantiles",
    "tuple": "dataclasses.astuple dataclasses.fields inspect.getargspec",
    "frame": "sys._getframe inspect.currentframe",
    "generator[finite]": "os.walk os.fwalk glob.iglob difflib.unified_diff difflib.context_diff difflib.ndiff "
    "ast.walk ast.iter_child_nodes ast.iter_fields traceback.walk_stack traceback.walk_tb pkgutil.iter_modules "
    "pkgutil.walk_packages dis.get_instructions concurrent.futures.as_completed tokenize.generate_tokens "
    "tokenize.tokenize json.JSONEncoder.iterencode "
    "asyncio.as_completed email.iterators.body_line_iterator",
    "generator": "heapq.merge codecs.iterdecode codecs.iterencode yaml.safe_load_all yaml.load_all yaml.full_load_all",
    "module": "importlib.import_module __import__ importlib.reload importlib.util.module_from_spec imp.load_source "
    " multiprocessing.dummy.Manager",
    "code": "compile",
    "os._wrap_close": "os.popen",
    "posix.ScandirIterator": "os.scandir",
    "os.stat_result": "os.stat os.lstat os.fstat",
    "os.statvfs_result": "os.statvfs",
    "shutil.usage": "shutil.disk_usage",
    "resource.struct_rusage": "resource.getrusage",
    "pwd.struct_passwd": "pwd.getpwnam pwd.getpwuid",
    "grp.struct_group": "grp.getgrnam grp.getgrgid",
    "time.struct_time": "time.gmtime time.localtime time.strptime",
    "callable_iterator[finditer]": "re.finditer",
    "re.Pattern": "re.compile",
    "re.Match": "re.match re.search re.fullmatch",
    "_csv.Dialect": "csv.get_dialect",
    "_struct.unpack_iterator": "struct.iter_unpack",
    "pyexpat.xmlparser": "xml.parsers.expat.ParserCreate",
    "xml.etree.ElementTree.Element": "xml.etree.ElementTree.fromstring xml.etree.ElementTree.XML "
    "xml.etree.ElementTree.SubElement xml.etree.ElementTree.Comment",
    "xml.etree.ElementTree.ElementTree": "xml.etree.ElementTree.parse",
    "xml.dom.minidom.Document": "xml.dom.minidom.parse xml.dom.minidom.parseString",
    "_hashlib.HASH": "hashlib.md5 hashlib.sha1 hashlib.sha224 hashlib.sha256 hashlib.sha384 hashlib.sha512 "
    "hashlib.sha3_224 hashlib.sha3_256 hashlib.sha3_384 hashlib.sha3_512 hashlib.new hashlib.file_digest",
    "_hashlib.HASHXOF": "hashlib.shake_128 hashlib.shake_256",
    "_blake2.blake2b": "hashlib.blake2b",
    "_blake2.blake2s": "hashlib.blake2s",
    "hmac.HMAC": "hmac.new",
    "zlib.Compress": "zlib.compressobj",
    "zlib.Decompress": "zlib.decompressobj",
    "decimal.Context": "decimal.getcontext",
    "decimal.ContextManager": "decimal.localcontext",
    "uuid.UUID": "uuid.uuid1 uuid.uuid3 uuid.uuid4 uuid.uuid5",
    "logging.Logger": "logging.getLogger multiprocessing.get_logger multiprocessing.log_to_stderr",
    "logging.LogRecord": "logging.makeLogRecord",
    "logging.Logger[unregistered]": "logging.Logger",
    "tuple[traceback]": "sys.exc_info",
    "list[frame]": "inspect.stack inspect.trace",
    "list[threading.Thread]": "threading.enumerate",
    "sqlite3.Connection": "sqlite3.connect",
    "dbm.sqlite3._Database": "dbm.sqlite3.open",
    "_gdbm.gdbm": "dbm.gnu.open",
    "_dbm.dbm": "dbm.ndbm.open",
    "dbm.dumb._Database": "dbm.dumb.open",
    "shelve.DbfilenameShelf": "shelve.open",
    "socket.socket": "socket.create_connection socket.create_server socket.fromfd",
    "tuple[socket.socket]": "socket.socketpair",
    "ssl.SSLContext": "ssl.create_default_context ssl._create_unverified_context ssl._create_stdlib_context",
    "ssl.SSLSocket": "ssl.wrap_socket",
    "http.client.HTTPResponse": "urllib.request.urlopen",
    "urllib.request.OpenerDirector[built]": "urllib.request.build_opener",
    "urllib.parse.ParseResult": "urllib.parse.urlparse",
    "urllib.parse.SplitResult": "urllib.parse.urlsplit",
    "selectors.EpollSelector": "selectors.DefaultSelector",
    "email.message.Message": "email.message_from_string email.message_from_bytes email.message_from_file "
    "email.message_from_binary_file",
    "subprocess.CompletedProcess": "subprocess.run",
    "threading.Thread": "threading.current_thread",
    "threading._MainThread": "threading.main_thread",
    "_asyncio.Task": "asyncio.create_task asyncio.ensure_future asyncio.current_task",
    "_asyncio.Future": "asyncio.gather asyncio.wrap_future asyncio.shield",
    "asyncio.AbstractEventLoop": "asyncio.new_event_loop asyncio.get_event_loop asyncio.get_running_loop "
    "uvloop.new_event_loop",
    "coroutine": "asyncio.sleep asyncio.wait asyncio.wait_for asyncio.open_connection asyncio.to_thread "
    "asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.start_server",
    "_contextvars.Context": "contextvars.copy_context",
    "weakref.ProxyType": "weakref.proxy _weakref.proxy",
    "multiprocessing.managers.SyncManager": "multiprocessing.Manager",
    "multiprocessing.process._MainProcess": "multiprocessing.current_process",
    "tuple[multiprocessing.connection.Connection]": "multiprocessing.Pipe",
    "multiprocessing.connection.Connection": "multiprocessing.connection.Client",
    "tuple[itertools._tee]": "itertools.tee",
    "functools.KeyWrapper": "functools.cmp_to_key",
    "ctypes._SimpleCData": "ctypes.c_bool ctypes.c_byte ctypes.c_char ctypes.c_double ctypes.c_float ctypes.c_int "
    "ctypes.c_int8 ctypes.c_int16 ctypes.c_int32 ctypes.c_int64 ctypes.c_long ctypes.c_longlong ctypes.c_short "
    "ctypes.c_size_t ctypes.c_ubyte ctypes.c_uint ctypes.c_uint8 ctypes.c_uint16 ctypes.c_uint32 ctypes.c_uint64 "
    "ctypes.c_ulong ctypes.c_ulonglong ctypes.c_ushort",
    "ctypes._Pointer": "ctypes.pointer ctypes.cast",
    "ctypes._CArgObject": "ctypes.byref",
    "tracemalloc.Snapshot": "tracemalloc.take_snapshot",
    "ipaddress.IPv4Address": "ipaddress.ip_address",
    "ipaddress.IPv4Network": "ipaddress.ip_network",
    "inspect.Signature": "inspect.signature",
    "traceback.StackSummary": "traceback.extract_stack traceback.extract_tb",
    "ast.Module": "ast.parse",
    "codecs.CodecInfo": "codecs.lookup",
    "memoryview": "sqlite3.Binary",
    "fileinput.FileInput": "fileinput.input",
    "dataclasses.Field": "dataclasses.field",
}

METHODS: Final[dict[str, Names]] = {
    "str": {
        "str": "capitalize casefold center expandtabs format format_map join ljust lower lstrip removeprefix "
        "removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
        "list[str]": "split rsplit splitlines",
        "tuple[str]": "partition rpartition",
        "bytes": "encode",
        "bool": "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace "
        "istitle isupper startswith",
        "int": "count find index rfind rindex",
        "dict": "maketrans",
    },
    "bytes": {
        "bytes": "capitalize center expandtabs join ljust lower lstrip removeprefix removesuffix replace rjust "
        "rstrip strip swapcase title translate upper zfill",
        "list[bytes]": "split rsplit splitlines",
        "tuple[bytes]": "partition rpartition",
        "str": "decode hex",
        "bool": "endswith isalnum isalpha isascii isdigit islower isspace istitle isupper startswith",
        "int": "count find index rfind rindex",
    },
    "int": {"int": "bit_length bit_count conjugate", "bytes": "to_bytes", "tuple[int]": "as_integer_ratio"},
    "float": {"bool": "is_integer", "str": "hex", "tuple[int]": "as_integer_ratio"},
    "list": {"self": "copy", "int": "index count", "NoneType": "append extend insert remove clear sort reverse"},
    "tuple": {"int": "index count"},
    "set": {
        "self": "copy",
        "set": "union intersection difference symmetric_difference",
        "bool": "isdisjoint issubset issuperset",
        "NoneType": "add discard remove clear update difference_update intersection_update symmetric_difference_update",
    },
    "frozenset": {
        "self": "copy",
        "frozenset": "union intersection difference symmetric_difference",
        "bool": "isdisjoint issubset issuperset",
    },
    "dict": {
        "dict_keys": "keys",
        "dict_values": "values",
        "dict_items": "items",
        "self": "copy",
        "dict": "fromkeys",
        "tuple": "popitem",
        "NoneType": "update clear",
    },
    "frozendict": {"dict_keys": "keys", "dict_values": "values", "dict_items": "items"},
    "data": {
        "dict_keys": "keys",
        "dict_values": "values",
        "dict_items": "items",
        "data": "get pop setdefault copy popitem",
        "NoneType": "update append extend clear insert remove sort reverse",
        "str": "strip lower upper replace",
        "list[str]": "split",
    },
    "mappingproxy": {"dict_keys": "keys", "dict_values": "values", "dict_items": "items", "dict": "copy"},
    "collections.OrderedDict": {"odict_keys": "keys", "odict_values": "values", "odict_items": "items"},
    "collections.Counter": {"list[tuple]": "most_common", "itertools.chain": "elements", "int": "total"},
    "collections.UserDict": {
        "collections.abc.KeysView": "keys",
        "collections.abc.ValuesView": "values",
        "collections.abc.ItemsView": "items",
        "self": "copy",
    },
    "collections.abc.Mapping": {
        "collections.abc.KeysView": "keys",
        "collections.abc.ValuesView": "values",
        "collections.abc.ItemsView": "items",
    },
    "collections.ChainMap": {"self": "new_child copy"},
    "collections.deque": {
        "self": "copy",
        "int": "index count",
        "NoneType": "append appendleft extend extendleft clear rotate",
    },
    "os._Environ": {
        "collections.abc.KeysView[environ]": "keys",
        "collections.abc.ValuesView[environ]": "values",
        "collections.abc.ItemsView[environ]": "items",
        "dict": "copy",
        "data": "get pop setdefault",
    },
    "shelve.Shelf": {"NoneType": "sync close"},
    "shelve.DbfilenameShelf": {
        "collections.abc.KeysView[shelf]": "keys",
        "collections.abc.ValuesView[shelf]": "values",
        "collections.abc.ItemsView[shelf]": "items",
    },
    "configparser.RawConfigParser": {
        "list[str]": "sections options read",
        "int": "getint",
        "float": "getfloat",
        "bool": "getboolean has_section has_option",
        "str": "get",
    },
    "weakref.WeakValueDictionary": {"generator": "keys values items valuerefs itervaluerefs"},
    "weakref.WeakKeyDictionary": {"generator": "keys values items", "list": "keyrefs"},
    "file": {
        "bool": "readable writable seekable isatty",
        "int": "fileno seek tell truncate write",
        "NoneType": "close flush writelines",
        "self": "__enter__",
    },
    "_io.TextIOWrapper": {"str": "read readline", "list[str]": "readlines", "_io.BufferedReader": "detach"},
    "_io.BufferedReader": {"bytes": "read readline read1 peek", "list[bytes]": "readlines", "int": "readinto"},
    "_io.BytesIO": {"bytes": "getvalue", "memoryview": "getbuffer"},
    "_io.StringIO": {"str": "getvalue read readline", "list[str]": "readlines"},
    "zipfile.ZipFile": {
        "list[str]": "namelist",
        "list[zipfile.ZipInfo]": "infolist",
        "bytes": "read",
        "zipfile.ZipInfo": "getinfo",
        "str": "extract",
        "NoneType": "extractall close write writestr",
        "self": "__enter__",
    },
    "tarfile.TarFile": {
        "list[str]": "getnames",
        "list[tarfile.TarInfo]": "getmembers",
        "tarfile.TarInfo": "getmember next",
        "tarfile.ExFileObject": "extractfile",
        "NoneType": "extractall close add",
        "self": "__enter__",
    },
    "pathlib.PurePath": {
        "self": "joinpath relative_to with_name with_stem with_suffix",
        "str": "as_posix as_uri",
        "bool": "is_absolute is_relative_to match",
    },
    "pathlib.Path": {
        "self": "absolute resolve expanduser readlink rename replace cwd home",
        "bool": "exists is_file is_dir is_symlink is_mount samefile",
        "str": "read_text owner group",
        "bytes": "read_bytes",
        "int": "write_text write_bytes",
        "os.stat_result": "stat lstat",
        "pathlib.Path.iterdir": "iterdir",
        "generator[finite]": "glob rglob walk",
        "NoneType": "mkdir rmdir unlink touch chmod symlink_to",
    },
    "re.Pattern": {
        "callable_iterator[finditer]": "finditer",
        "re.Match": "match search fullmatch",
        "list[str]": "findall split",
        "str": "sub",
        "tuple[data]": "subn",
    },
    "re.Match": {"str": "group expand", "tuple[data]": "groups span", "dict[data]": "groupdict", "int": "start end"},
    "_hashlib.HASH": {"bytes": "digest", "str": "hexdigest", "self": "copy"},
    "_struct.Struct": {"bytes": "pack", "tuple[data]": "unpack unpack_from", "_struct.unpack_iterator": "iter_unpack"},
    "zlib.Compress": {"bytes": "compress flush"},
    "zlib.Decompress": {"bytes": "decompress"},
    "xml.etree.ElementTree.Element": {
        "_elementtree._element_iterator": "iter itertext",
        "generator[finite]": "iterfind",
        "list[xml.etree.ElementTree.Element]": "findall",
        "xml.etree.ElementTree.Element": "find makeelement",
        "data": "findtext get",
        "list[tuple]": "items",
        "list[str]": "keys",
    },
    "xml.etree.ElementTree.ElementTree": {
        "xml.etree.ElementTree.Element": "getroot find",
        "_elementtree._element_iterator": "iter",
        "generator[finite]": "iterfind",
        "list[xml.etree.ElementTree.Element]": "findall",
    },
    "xml.dom.minidom.Document": {"str": "toxml toprettyxml"},
    "sqlite3.Connection": {
        "sqlite3.Cursor": "cursor execute executemany executescript",
        "generator[finite]": "iterdump",
        "NoneType": "commit rollback close",
        "sqlite3.Blob": "blobopen",
        "self": "__enter__",
    },
    "sqlite3.Cursor": {"sqlite3.Cursor": "execute executemany executescript", "NoneType": "close"},
    "socket.socket": {
        "bytes": "recv",
        "int": "fileno send connect_ex",
        "NoneType": "sendall close connect bind listen settimeout setblocking setsockopt shutdown",
        "tuple[data]": "getsockname getpeername recvfrom",
    },
    "ssl.SSLContext": {"ssl.SSLSocket": "wrap_socket", "NoneType": "load_cert_chain load_verify_locations"},
    "urllib.request.OpenerDirector": {"http.client.HTTPResponse": "open"},
    "http.client.HTTPConnection": {"http.client.HTTPResponse": "getresponse", "NoneType": "request close connect"},
    "http.client.HTTPResponse": {"bytes": "read", "data": "getheader getheaders", "int": "getcode"},
    "subprocess.Popen": {"tuple[data]": "communicate", "int": "wait poll", "NoneType": "kill terminate"},
    "_thread.lock": {"bool": "acquire locked", "NoneType": "release"},
    "threading.Event": {"bool": "is_set wait", "NoneType": "set clear"},
    "threading.Thread": {"NoneType": "start join run", "bool": "is_alive"},
    "queue.Queue": {"int": "qsize", "bool": "empty full", "NoneType": "put put_nowait join task_done"},
    "concurrent.futures.Executor": {
        "concurrent.futures.Future": "submit",
        "generator[finite]": "map",
        "self": "__enter__",
    },
    "multiprocessing.Pool": {
        "list": "map starmap",
        "multiprocessing.pool.IMapIterator": "imap",
        "multiprocessing.pool.IMapUnorderedIterator": "imap_unordered",
        "multiprocessing.pool.ApplyResult": "apply_async",
        "multiprocessing.pool.MapResult": "map_async starmap_async",
        "NoneType": "close join terminate",
        "self": "__enter__",
    },
    "multiprocessing.Queue": {"int": "qsize", "bool": "empty full", "NoneType": "put put_nowait close join_thread"},
    "multiprocessing.Process": {"NoneType": "start join terminate kill close", "bool": "is_alive"},
    "multiprocessing.managers.SyncManager": {
        "multiprocessing.managers.DictProxy": "dict",
        "multiprocessing.managers.ListProxy": "list",
        "multiprocessing.managers.AutoProxy[Queue]": "Queue JoinableQueue",
        "multiprocessing.managers.AcquirerProxy": "Lock RLock Semaphore BoundedSemaphore",
        "multiprocessing.managers.ConditionProxy": "Condition",
        "multiprocessing.managers.EventProxy": "Event",
        "multiprocessing.managers.BarrierProxy": "Barrier",
        "multiprocessing.managers.NamespaceProxy": "Namespace",
        "multiprocessing.managers.ValueProxy": "Value",
        "multiprocessing.managers.ArrayProxy": "Array",
        "multiprocessing.managers.PoolProxy": "Pool",
        "self": "__enter__",
    },
    "multiprocessing.managers.SharedMemoryManager": {
        "multiprocessing.shared_memory.SharedMemory": "SharedMemory",
        "multiprocessing.shared_memory.ShareableList": "ShareableList",
    },
    "multiprocessing.managers.DictProxy": {"list": "keys values items", "dict": "copy"},
    "multiprocessing.context.BaseContext": {
        "multiprocessing.Queue": "Queue",
        "multiprocessing.JoinableQueue": "JoinableQueue",
        "multiprocessing.SimpleQueue": "SimpleQueue",
        "multiprocessing.Lock": "Lock",
        "multiprocessing.RLock": "RLock",
        "multiprocessing.Semaphore": "Semaphore",
        "multiprocessing.BoundedSemaphore": "BoundedSemaphore",
        "multiprocessing.Condition": "Condition",
        "multiprocessing.Event": "Event",
        "multiprocessing.Barrier": "Barrier",
        "multiprocessing.Pool": "Pool",
        "multiprocessing.Process": "Process",
        "multiprocessing.RawValue": "RawValue",
        "multiprocessing.RawArray": "RawArray",
        "multiprocessing.managers.SyncManager": "Manager",
        "tuple[multiprocessing.connection.Connection]": "Pipe",
        "int": "cpu_count",
        "str": "get_start_method",
        "logging.Logger": "get_logger log_to_stderr",
    },
    "multiprocessing.context.ForkContext": {
        "multiprocessing.Queue[fork]": "Queue",
        "multiprocessing.JoinableQueue[fork]": "JoinableQueue",
        "multiprocessing.SimpleQueue[fork]": "SimpleQueue",
        "multiprocessing.Lock[fork]": "Lock",
        "multiprocessing.RLock[fork]": "RLock",
        "multiprocessing.Semaphore[fork]": "Semaphore",
        "multiprocessing.BoundedSemaphore[fork]": "BoundedSemaphore",
        "multiprocessing.Condition[fork]": "Condition",
        "multiprocessing.Event[fork]": "Event",
        "multiprocessing.Barrier[fork]": "Barrier",
    },
    "asyncio.AbstractEventLoop": {
        "_asyncio.Task": "create_task",
        "_asyncio.Future": "create_future run_in_executor",
        "NoneType": "close stop run_forever",
    },
    "coroutine": {"coroutine_wrapper": "__await__"},
    "datetime.datetime": {
        "datetime.datetime": "now utcnow today fromtimestamp utcfromtimestamp strptime fromisoformat combine "
        "astimezone replace",
        "datetime.date": "date",
        "datetime.time": "time timetz",
        "float": "timestamp",
        "str": "isoformat strftime ctime",
        "datetime.timedelta": "utcoffset dst",
        "time.struct_time": "timetuple utctimetuple",
        "int": "weekday isoweekday toordinal",
    },
    "datetime.date": {
        "datetime.date": "today fromtimestamp fromisoformat replace fromordinal",
        "str": "isoformat strftime ctime",
        "int": "weekday isoweekday toordinal",
        "time.struct_time": "timetuple",
    },
    "datetime.timedelta": {"float": "total_seconds"},
    "random.Random": {
        "float": "random uniform gauss normalvariate expovariate betavariate triangular",
        "int": "randint randrange getrandbits",
        "bytes": "randbytes",
        "list": "choices sample",
        "NoneType": "shuffle seed",
        "tuple": "getstate",
    },
    "contextlib.ExitStack": {"NoneType": "close", "contextlib.ExitStack": "pop_all"},
    **{
        name: {"NoneType": "serve_forever handle_request shutdown server_close", "self": "__enter__"}
        for name in (
            *("socketserver.TCPServer", "socketserver.UDPServer", "socketserver.ThreadingTCPServer"),
            *("socketserver.ThreadingUDPServer", "http.server.HTTPServer", "http.server.ThreadingHTTPServer"),
            "xmlrpc.server.SimpleXMLRPCServer",
        )
    },
    "argparse.ArgumentParser": {
        "argparse.Namespace": "parse_args parse_intermixed_args",
        "argparse.Action": "add_argument",
        "argparse._ArgumentGroup": "add_argument_group add_mutually_exclusive_group",
        "argparse._SubParsersAction": "add_subparsers",
        "str": "format_help format_usage",
        "NoneType": "set_defaults print_help",
    },
    "argparse._ArgumentGroup": {"argparse.Action": "add_argument"},
    "argparse._SubParsersAction": {"argparse.ArgumentParser": "add_parser"},
    "optparse.OptionParser": {"tuple[optparse.Values]": "parse_args"},
    "logging.Logger": {
        "logging.Logger": "getChild",
        "NoneType": "debug info warning error exception critical log setLevel addHandler removeHandler",
        "bool": "isEnabledFor hasHandlers",
    },
    "_contextvars.ContextVar": {"_contextvars.Token": "set"},
    "_contextvars.Context": {"_contextvars.Context": "copy"},
    "memoryview": {"bytes": "tobytes", "list[int]": "tolist", "memoryview": "cast toreadonly __enter__", "str": "hex"},
    "array.array": {"list[data]": "tolist", "bytes": "tobytes"},
    "calendar.Calendar": {
        "generator[finite]": "itermonthdates itermonthdays itermonthdays2 iterweekdays",
        "list": "monthdatescalendar monthdayscalendar",
    },
    "ipaddress.IPv4Network": {"generator[finite]": "hosts subnets address_exclude"},
    "email.message.Message": {
        "generator[finite]": "walk",
        "list[str]": "keys values",
        "list[tuple]": "items",
        "str": "as_string",
    },
    "string.Formatter": {"formatteriterator": "parse", "str": "format vformat"},
    "graphlib.TopologicalSorter": {"generator[finite]": "static_order"},
    "json.JSONEncoder": {"generator[finite]": "iterencode", "str": "encode"},
    "json.JSONDecoder": {"data": "decode raw_decode"},
    "decimal.Decimal": {"decimal.Decimal": "quantize normalize sqrt copy_abs"},
    "itertools.chain": {"itertools.chain": "from_iterable"},
    "zoneinfo.ZoneInfo": {"zoneinfo.ZoneInfo[file]": "from_file", "zoneinfo.ZoneInfo": "no_cache"},
}

ATTRIBUTES: Final[dict[str, Names]] = {
    "_io.TextIOWrapper": {"str": "name mode encoding newlines errors", "_io.BufferedReader": "buffer"},
    "file": {"str": "name mode", "bool": "closed"},
    "pathlib.PurePath": {
        "str": "name stem suffix anchor drive root",
        "list[str]": "suffixes",
        "tuple[str]": "parts",
        "self": "parent",
    },
    "re.Pattern": {"str": "pattern", "int": "flags groups", "mappingproxy": "groupindex"},
    "re.Match": {"str": "string", "re.Pattern": "re"},
    "subprocess.Popen": {"int": "pid returncode"},
    "subprocess.CompletedProcess": {"int": "returncode", "data": "stdout stderr args"},
    "multiprocessing.shared_memory.SharedMemory": {"memoryview": "buf", "str": "name", "int": "size"},
    "multiprocessing.Process": {
        "int": "pid exitcode ident",
        "str": "name",
        "bool": "daemon",
        "multiprocessing.process.AuthenticationString": "authkey",
    },
    "multiprocessing.process._MainProcess": {
        "str": "name",
        "int": "pid",
        "multiprocessing.process.AuthenticationString": "authkey",
    },
    "threading.Thread": {"str": "name", "int": "ident native_id", "bool": "daemon"},
    "sqlite3.Connection": {"int": "total_changes", "bool": "in_transaction"},
    "sqlite3.Cursor": {"sqlite3.Connection": "connection", "int": "rowcount lastrowid", "data": "description"},
    "xml.etree.ElementTree.Element": {"dict[data]": "attrib", "str": "tag", "data": "text tail"},
    "function": {
        "str": "__name__ __qualname__ __module__",
        "code": "__code__",
        "tuple[cell]": "__closure__",
        "data": "__doc__",
    },
    "frame": {"frame": "f_back", "code": "f_code", "FrameLocalsProxy": "f_locals", "int": "f_lineno"},
    "traceback": {"frame": "tb_frame", "traceback": "tb_next", "int": "tb_lineno"},
    "BaseException": {"traceback": "__traceback__", "tuple": "args"},
    "module": {"str": "__name__ __file__"},
    "datetime.datetime": {"int": "year month day hour minute second microsecond"},
    "datetime.date": {"int": "year month day"},
    "uuid.UUID": {"str": "hex urn", "int": "int", "bytes": "bytes"},
    "logging.Logger": {"str": "name", "logging.Logger": "parent root", "list": "handlers"},
    "memoryview": {"object": "obj"},
}

VALUES: Final[Names] = {
    # Module attributes, by qualified name.
    "os._Environ": "os.environ os.environb",
    "_io.TextIOWrapper": "sys.stdin",
    "_io.TextIOWrapper[w]": "sys.stdout sys.stderr sys.__stdout__ sys.__stderr__",
    "str": "os.sep os.linesep os.name os.pathsep os.curdir os.pardir os.devnull sys.platform sys.version "
    "sys.executable sys.prefix sys.base_prefix sys.byteorder string.ascii_letters string.ascii_lowercase "
    "string.ascii_uppercase string.digits string.hexdigits string.punctuation string.whitespace string.printable "
    "os.extsep",
    "list[str]": "sys.argv sys.path sys.warnoptions sys.orig_argv",
    "dict[module]": "sys.modules",
    "int": "sys.maxsize sys.maxunicode sys.hexversion subprocess.PIPE subprocess.STDOUT subprocess.DEVNULL "
    "logging.DEBUG logging.INFO logging.WARNING logging.ERROR logging.CRITICAL logging.NOTSET "
    "pickle.HIGHEST_PROTOCOL pickle.DEFAULT_PROTOCOL",
    "float": "math.pi math.e math.inf math.nan math.tau",
    "sys.version_info": "sys.version_info",
    "sys.flags": "sys.flags",
    "sys.float_info": "sys.float_info",
    "sys.hash_info": "sys.hash_info",
    "sys.int_info": "sys.int_info",
    "sys.thread_info": "sys.thread_info",
    "ctypes.CDLL": "ctypes.cdll ctypes.pythonapi",
    "datetime.timezone": "datetime.timezone.utc datetime.UTC",
    "logging.Logger": "logging.root",
}

BASES: Final[dict[str, str]] = {
    "bool": "int",
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict",
    "collections.Counter": "dict",
    "collections.UserDict": "collections.abc.Mapping",
    "collections.ChainMap": "collections.abc.Mapping",
    "os._Environ": "collections.abc.Mapping",
    "shelve.Shelf": "collections.abc.Mapping",
    "shelve.DbfilenameShelf": "shelve.Shelf",
    "configparser.ConfigParser": "configparser.RawConfigParser",
    "configparser.RawConfigParser": "collections.abc.Mapping",
    "configparser.SectionProxy": "collections.abc.Mapping",
    "dbm.dumb._Database": "collections.abc.Mapping",
    "dbm.sqlite3._Database": "collections.abc.Mapping",
    "bytearray": "bytes",
    "_io.TextIOWrapper": "file",
    "_io.BufferedReader": "file",
    "_io.BufferedWriter": "file",
    "_io.BufferedRandom": "_io.BufferedReader",
    "_io.BufferedRWPair": "_io.BufferedReader",
    "_io.FileIO": "_io.BufferedReader",
    "_io.BytesIO": "_io.BufferedReader",
    "_io.StringIO": "file",
    "mmap.mmap": "_io.BufferedReader",
    "codecs.StreamReaderWriter": "_io.TextIOWrapper",
    "tempfile._TemporaryFileWrapper": "_io.BufferedReader",
    "tempfile._TemporaryFileWrapper[text]": "_io.TextIOWrapper",
    "tempfile.SpooledTemporaryFile": "_io.BufferedReader",
    "gzip.GzipFile": "_io.BufferedReader",
    "bz2.BZ2File": "_io.BufferedReader",
    "lzma.LZMAFile": "_io.BufferedReader",
    "zipfile.ZipExtFile": "_io.BufferedReader",
    "os._wrap_close": "_io.TextIOWrapper",
    "urllib.response.addinfourl": "http.client.HTTPResponse",
    "pathlib.Path": "pathlib.PurePath",
    "_hashlib.HASHXOF": "_hashlib.HASH",
    "_blake2.blake2b": "_hashlib.HASH",
    "_blake2.blake2s": "_hashlib.HASH",
    "hmac.HMAC": "_hashlib.HASH",
    "_bz2.BZ2Decompressor": "zlib.Decompress",
    "_lzma.LZMADecompressor": "zlib.Decompress",
    "tarfile.ExFileObject": "_io.BufferedReader",
    "_bz2.BZ2Compressor": "zlib.Compress",
    "_lzma.LZMACompressor": "zlib.Compress",
    "ssl.SSLSocket": "socket.socket",
    "http.client.HTTPSConnection": "http.client.HTTPConnection",
    "_thread.RLock": "_thread.lock",
    "threading.Timer": "threading.Thread",
    "threading._MainThread": "threading.Thread",
    "queue.LifoQueue": "queue.Queue",
    "queue.PriorityQueue": "queue.Queue",
    "_queue.SimpleQueue": "queue.Queue",
    "concurrent.futures.ThreadPoolExecutor": "concurrent.futures.Executor",
    "concurrent.futures.ProcessPoolExecutor": "concurrent.futures.Executor",
    "multiprocessing.pool.ThreadPool": "multiprocessing.Pool",
    "multiprocessing.JoinableQueue": "multiprocessing.Queue",
    "multiprocessing.context.SpawnContext": "multiprocessing.context.BaseContext",
    "multiprocessing.context.ForkServerContext": "multiprocessing.context.BaseContext",
    "multiprocessing.context.DefaultContext": "multiprocessing.context.BaseContext",
    "multiprocessing.context.ForkContext": "multiprocessing.context.BaseContext",
    "datetime.datetime": "datetime.date",
    "random.SystemRandom": "random.Random",
    "contextlib.AsyncExitStack": "contextlib.ExitStack",
    "email.message.EmailMessage": "email.message.Message",
    "ipaddress.IPv6Network": "ipaddress.IPv4Network",
    "calendar.TextCalendar": "calendar.Calendar",
    "unittest.mock.MagicMock": "unittest.mock.Mock",
    "Exception": "BaseException",
}

ITERATED: Final[Names] = {
    # The type of the items, by the types that have them.
    "str": "str _io.TextIOWrapper _io.StringIO os._Environ configparser.RawConfigParser",
    "bytes": "_io.BufferedReader",
    "int": "bytes range memoryview",
    "data": "data",
    "pathlib.Path": "pathlib.Path.iterdir",
    "re.Match": "callable_iterator[finditer]",
    "list[str]": "_csv.reader",
    "dict[data]": "csv.DictReader",
    "posix.DirEntry": "posix.ScandirIterator",
    "xml.etree.ElementTree.Element": "xml.etree.ElementTree.Element _elementtree._element_iterator",
    "tarfile.TarInfo": "tarfile.TarFile",
}

ITERATORS: Final[Names] = {
    # The type of iter(object), by the types that give it; `self` for what is its own iterator.
    "self": "generator map filter zip enumerate reversed file _io.TextIOWrapper _io.BufferedReader "
    "itertools.count itertools.cycle itertools.repeat itertools.chain itertools.islice itertools.accumulate "
    "itertools.groupby itertools.starmap itertools.takewhile itertools.dropwhile itertools.filterfalse "
    "itertools.compress itertools.zip_longest itertools.combinations itertools.combinations_with_replacement "
    "itertools.permutations itertools.product itertools._tee itertools._grouper itertools.pairwise "
    "itertools.batched callable_iterator callable_iterator[finditer] _csv.reader csv.DictReader "
    "posix.ScandirIterator _struct.unpack_iterator _elementtree._element_iterator formatteriterator sqlite3.Cursor "
    "pathlib.Path.iterdir glob.iglob[recursive] xml.etree.ElementTree.iterparse multiprocessing.pool.IMapIterator "
    "multiprocessing.pool.IMapUnorderedIterator list_iterator tuple_iterator set_iterator dict_keyiterator "
    "dict_valueiterator dict_itemiterator",
    "list_iterator": "list",
    "tuple_iterator": "tuple",
    "set_iterator": "set frozenset",
    "dict_keyiterator": "dict dict_keys mappingproxy collections.ChainMap collections.UserDict frozendict",
    "dict_valueiterator": "dict_values",
    "dict_itemiterator": "dict_items",
    "odict_iterator": "collections.OrderedDict odict_keys odict_values odict_items",
    "_collections._deque_iterator": "collections.deque",
    "str_iterator": "str",
    "bytes_iterator": "bytes",
    "bytearray_iterator": "bytearray",
    "range_iterator": "range",
    "array.arrayiterator": "array.array",
    "memory_iterator": "memoryview",
    "itertools.chain": "configparser.RawConfigParser",
    "_io.TextIOWrapper": "os._wrap_close",
    "_io.BytesIO": "tempfile.SpooledTemporaryFile",
    "generator": "os._Environ collections.abc.KeysView collections.abc.ValuesView collections.abc.ItemsView "
    "collections.UserList tempfile._TemporaryFileWrapper tempfile._TemporaryFileWrapper[text] tarfile.TarFile "
    "weakref.WeakSet weakref.WeakKeyDictionary weakref.WeakValueDictionary",
    "iterator": "xml.etree.ElementTree.Element mmap.mmap",
}

ITEMS: Final[Names] = {
    # The type of object[key], by the types that give it.
    "str": "str os._Environ re.Match",
    "data": "data",
    "int": "bytes range",
    "configparser.SectionProxy": "configparser.RawConfigParser",
    "xml.etree.ElementTree.Element": "xml.etree.ElementTree.Element",
}
