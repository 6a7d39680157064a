"""Writes random programs: a function `make` that builds a value out of classes, containers and flows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import indent
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chooser(Protocol):
    """Makes the choices: hypothesis, a random generator, or the record of an earlier program."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""


@dataclass(frozen=True)
class Style:
    """How a program is spelt. None of it changes what happens.

    `elsewhere` puts the definitions into a file of their own; `between` calls `make` through another function;
    `names` is what begins the names; `imports` how the main file gets at `make`; `aliased` imports the standard
    library's names under others.
    """

    elsewhere: bool = False
    between: bool = False
    names: str = "v"
    imports: str = "from"
    aliased: bool = False


GOOD = (
    "1 'a' None 2.5 b'x' True (1,2) int len print str.upper range(3) datetime.date(2020,1,1) pathlib.Path('a')"
    " re.compile('a') collections.Counter('aab') operator.itemgetter(1) [1,2] {'a':1} {1,2} frozenset([1]) ValueError('x')"
    " functools.partial(int,'1') types.SimpleNamespace(a=1) iter([1,2]) map(str,[1]) zip([1],[2]) enumerate('ab')"
    " reversed([1]) slice(1,2) ... json.dumps decimal.Decimal('1') uuid.UUID(int=1) collections.deque([1],maxlen=3)"
    " array.array('i',[1]) logging.getLogger('x') io.StringIO('a') collections.UserDict(a=1) list({'a':1}.keys())"
    " sorted({'a':1}.items()) iter({'a':1}) os.path.join('a','b') os.getpid() random.Random(1) complex(1,2)"
    " collections.ChainMap({'a':1}).keys() time.time() dict.fromkeys('ab') functools.partial(print,end='')"
    " object() Ellipsis datetime.timedelta(1) fractions.Fraction(1,3) string.Template('$a') bytearray(b'a')"
).split()

BAD = (
    "(lambda:0) {'a':1}.keys() {'a':1}.values() {'a':1}.items() (i for i in [1]) threading.Lock() open(os.devnull) math"
    " memoryview(b'a') re.match('a','a') re.finditer('a','a') queue.Queue() sys.stdout os.environ hashlib.md5()"
    " types.MappingProxyType({'a':1}) threading.Event() threading.local() weakref.ref(int) csv.reader(['a'])"
    " collections.OrderedDict(a=1).keys() collections.Counter('a').items() functools.partial((lambda:0),1)"
    " map((lambda x:x),[1]) filter((lambda x:x),[1]) sqlite3.connect(':memory:') logging.StreamHandler()"
    " os.scandir('.') struct.Struct('i') zlib.compressobj() threading.Thread(target=print) iter((lambda:1),2)"
    " collections.defaultdict(lambda:0) [].append.__self__.__class__.__dict__ subprocess json threading.RLock()"
    " open(os.devnull,'rb') threading.Semaphore() os.walk('.') heapq.merge([1],[2]) memoryview(b'a').obj.__class__.__dict__"
    " (i for i in 'ab') zip((i for i in 'ab'),[1]) map(str,(i for i in 'ab')) contextvars.ContextVar('v')"
    " select.poll()"
).replace("(i for i in [1])", "(i~for~i~in~[1])").replace("(i for i in 'ab')", "(i~for~i~in~'ab')").replace(
    "(lambda x:x)", "(lambda~x:x)"
).split()

LIBRARIES = (
    "array collections contextlib contextvars copy copyreg csv dataclasses datetime decimal enum fractions functools hashlib"
    " heapq io itertools json logging math operator os pathlib pickle queue random re select sqlite3 string struct"
    " subprocess socket sys threading time types typing uuid weakref zlib"
).split()


@dataclass
class Class:
    """A class that was written, with what a call of it takes and the attributes that an instance has."""

    name: str
    parameters: int
    attributes: list[str] = field(default_factory=list)
    call: str = ""


@dataclass
class Writer:
    """Writes one program. `definitions` stand at module level; `body` holds the lines of `make`, ended by a return."""

    chooser: Chooser
    style: Style = Style()
    definitions: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    flags: int = 0
    count: int = 0
    margin: int = 0

    # -- small parts ---------------------------------------------------------------------------------------------------

    def pick(self, *options: T) -> T:
        return self.chooser.pick(options)

    def chance(self, of: int) -> bool:
        """Return True once in so many."""
        return self.chooser.pick(range(of)) == of - 1

    def name(self, prefix: str = "") -> str:
        self.count += 1
        return f"{prefix}{self.style.names}{self.count}"

    def line(self, text: str) -> None:
        self.body.append(indent(text, "    " * self.margin))

    def define(self, text: str) -> None:
        self.definitions.append(text)

    def flag(self) -> str:
        """Return a condition that nothing but the run decides; each is used once."""
        self.flags += 1
        return f"flag({self.flags - 1})"

    def variable(self, expression: str) -> str:
        name = self.name()
        self.line(f"{name} = {expression}")
        return name

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, depth: int) -> str:
        """Return an expression for a value; what has to be done before stands in the body."""
        if depth <= 0:
            return self.atom()
        kinds = (self.atom, self.container, self.instance, self.flow, self.flow, self.callable_, self.instance)
        kind = self.pick(*kinds)
        return kind() if kind == self.atom else kind(depth - 1)  # type: ignore[call-arg]

    def atom(self) -> str:
        text = self.pick(*GOOD) if self.pick(True, False) else self.pick(*BAD)
        return text.replace("~", " ")

    def container(self, depth: int) -> str:
        first, second = self.value(depth), self.atom()
        form = self.pick(
            "[{a}, {b}]",
            "({a}, {b})",
            "{{'k': {a}, 'l': {b}}}",
            "dict(k={a}, l={b})",
            "collections.OrderedDict(k={a}, l={b})",
            "collections.defaultdict(list, k={a})",
            "collections.deque([{a}, {b}])",
            "functools.partial(print, {a}, end={b})",
            "types.SimpleNamespace(x={a}, y={b})",
            "collections.UserDict(k={a})",
            "collections.ChainMap({{'k': {a}}})",
            "iter([{a}, {b}])",
            "zip([{a}], [{b}])",
            "enumerate([{a}])",
            "map(print, [{a}])",
            "list(({a}, {b}))",
            "tuple([{a}, {b}])",
            "copy.copy([{a}])",
            "[*[{a}], {b}]",
            "{{**{{'k': {a}}}, 'l': {b}}}",
            "list(iter([{a}]))",
            "dict([('k', {a})])",
            "dict({{'k': {a}}}, l={b})",
            "dict(zip(['k'], [{a}]))",
            "[{a}] + [{b}]",
            "({a},) * 2",
            "ValueError({a})",
            "{{'k': [{a}]}}",
            "{{1: {a}}}",
        )
        return form.format(a=first, b=second)

    # -- functions -----------------------------------------------------------------------------------------------------

    def callable_(self, depth: int) -> str:
        """Return an expression for a function, a class or a bound method."""
        form = self.pick(
            self.module_function,
            self.local_function,
            self.decorated_function,
            self.bound_method,
            self.partial_function,
            self.renamed_function,
            self.class_made_by_call,
            self.enum_member,
        )
        return form(depth)

    def module_function(self, depth: int) -> str:
        name = self.name("f_")
        form = self.pick(
            "def {n}(*a): return a",
            "async def {n}(*a): return a",
            "{n} = lambda *a: a",
            "def {n}(*a): yield a",
            "@functools.lru_cache(None)\ndef {n}(*a): return a",
            "@functools.cache\ndef {n}(*a): return a",
            "{n}_d = {{'a': lambda: 0}}\n{n} = {n}_d['a']",
            "def {n}(*a): return a\n{n}_old = {n}\ndef {n}(*a): return None\n{n} = {n}_old",
            "def {n}_b(*a): return a\n{n} = {n}_b",
            "def {n}_b(*a): return a\n{n} = {n}_b\ndel {n}_b",
            "def {n}(*a): return a\n{n}.tag = lambda: 0",
            "class {n}_C:\n    @staticmethod\n    def m(*a): return a\n{n} = {n}_C.m",
            "class {n}_C:\n    def m(self): return self\n{n} = {n}_C.m",
        )
        self.define(form.format(n=name))
        return name

    def local_function(self, depth: int) -> str:
        captured = self.variable(self.value(depth))
        name = self.name("g_")
        form = self.pick(
            "def {n}(): return {c}",
            "class {n}:\n    x = {c}",
            "{n} = lambda: {c}",
            "def {n}(x={c}): return x",
        )
        self.line(form.format(n=name, c=captured))
        return self.pick(name, f"{name}()", f"[{name}()]", f"{name}")

    def decorated_function(self, depth: int) -> str:
        name = self.name("f_")
        decorator = self.name("d_")
        inner = self.pick(
            "    def wrapper(*a): return fn(*a)\n    return wrapper",
            "    @functools.wraps(fn)\n    def wrapper(*a): return fn(*a)\n    return wrapper",
            "    return fn",
            "    fn.registered = True\n    return fn",
            "    def wrapper(*a): return fn(*a)\n    functools.update_wrapper(wrapper, fn)\n    return wrapper",
            "    def wrapper(*a): return fn(*a)\n    wrapper.__name__ = fn.__name__\n    wrapper.__qualname__ = fn.__qualname__\n"
            "    return wrapper",
        )
        self.define(f"def {decorator}(fn):\n{inner}")
        used = self.pick(
            f"@{decorator}\ndef {name}(*a): return a",
            f"def {name}_plain(*a): return a\n{name} = {decorator}({name}_plain)",
            f"def {name}(*a): return a\n{name} = {decorator}({name})",
        )
        self.define(used)
        return name

    def bound_method(self, depth: int) -> str:
        name, argument = self.name("C_"), self.value(depth)
        self.define(
            f"class {name}:\n    f = lambda self: 0\n    def __init__(self, x): self.x = x\n    def m(self): return 1\n"
            f"    @classmethod\n    def c(cls): return 1\n    @staticmethod\n    def s(): return 1\n"
            f"    def __p(self): return 1\n    def private(self): return self.__p\n    @property\n    def q(self): return self.m"
        )
        owner = self.variable(f"{name}({argument})")
        return self.pick(
            f"{owner}.m",
            f"{owner}.c",
            f"{owner}.s",
            f"{owner}.f",
            f"{owner}.private()",
            f"{owner}.q",
            f"{name}.m",
            f"{name}.c",
            f"functools.partial({owner}.m)",
            "[1].append",
            f"{owner}",
            f"getattr({owner}, 'm')",
            f"types.MethodType({name}.m, {owner})",
        )

    def partial_function(self, depth: int) -> str:
        function = self.module_function(depth)
        return f"functools.partial({function}, {self.value(depth)})"

    def renamed_function(self, depth: int) -> str:
        name = self.name("f_")
        form = self.pick(
            "{n} = lambda x: x\n{n}.__name__ = {n}.__qualname__ = '{n}'",
            "def {n}(x): return x\n{n}.__module__ = 'nosuchmodule'",
            "def {n}_outer():\n    global {n}\n    def {n}(x): return x\n{n}_outer()",
            "def {n}_outer():\n    def inner(x): return x\n    return inner\n{n} = {n}_outer()",
            "def {n}_outer():\n    return {n}_inner\ndef {n}_inner(): return 1\n{n} = {n}_outer()",
        )
        self.define(form.format(n=name))
        return name

    def class_made_by_call(self, depth: int) -> str:
        name, argument = self.name("T_"), self.value(depth)
        form, made = self.pick(
            ("{n} = type('{n}', (), {{}})", "{n}()"),
            ("{n} = type('Other', (), {{}})", "{n}()"),
            ("{n} = collections.namedtuple('{n}', 'x y')", "{n}({a}, 1)"),
            ("{n} = collections.namedtuple('Other', 'x y')", "{n}({a}, 1)"),
            ("class {n}(typing.NamedTuple):\n    x: object\n    y: int = 1", "{n}({a})"),
            ("{n} = dataclasses.make_dataclass('{n}', ['x'])", "{n}({a})"),
            ("{n} = enum.Enum('{n}', 'A B')", "{n}.A"),
            ("class {n}:\n    class Inner:\n        pass", "{n}.Inner()"),
            ("def {n}_d(cls):\n    return cls\n@{n}_d\nclass {n}: pass", "{n}()"),
            ("def {n}_d(cls):\n    class Made(cls): pass\n    return Made\n@{n}_d\nclass {n}: pass", "{n}()"),
            ("class {n}: pass\n{n}_old = {n}()\nclass {n}: pass", "{n}_old"),
            ("class {n}(dict): pass", "{n}(k={a})"),
            ("class {n}(list): pass", "{n}([{a}])"),
            ("class {n}(collections.UserDict): pass", "{n}(k={a})"),
            ("class {n}(str): pass", "{n}('a')"),
        )
        self.define(form.format(n=name))
        return made.format(n=name, a=argument)

    def enum_member(self, depth: int) -> str:
        name = self.name("E_")
        self.define(f"class {name}(enum.Enum):\n    A = {self.atom()}\n    B = 2\n    def m(self): return 1")
        return self.pick(f"{name}.A", f"{name}.B", f"{name}(2)", f"{name}['B']", f"{name}.B.value", name, f"list({name})")

    # -- instances -----------------------------------------------------------------------------------------------------

    def instance(self, depth: int) -> str:
        """Return an expression for an instance of a class that is written for it."""
        form = self.pick(
            self.plain_instance,
            self.plain_instance,
            self.derived_instance,
            self.derived_instance,
            self.dataclass,
            self.exception,
            self.slotted,
            self.proxy,
        )
        return form(depth)

    def derived_instance(self, depth: int) -> str:
        """A class of a small hierarchy, or one that makes or keeps its instances in a way of its own."""
        name, argument, other = self.name("K_"), self.value(depth), self.atom()
        form, made = self.pick(
            ("class {n}_B:\n    def __init__(self, a): self.a = a\n"
             "class {n}({n}_B):\n    def __init__(self, a):\n        super().__init__(a)\n        self.b = {b}", "{n}({a})"),
            ("class {n}_B:\n    def __init__(self, a=None, **k): self.a, self.k = a, k\n"
             "class {n}({n}_B):\n    def __init__(self, **k): super().__init__(**k)", "{n}(a={a}, z={b})"),
            ("class {n}_B:\n    def __init__(self, a): self.a = a\n"
             "class {n}({n}_B):\n    def __init__(self, a): {n}_B.__init__(self, 1)", "{n}({a})"),
            ("class {n}_A:\n    def __init__(self, *a, **k):\n        super().__init__(*a, **k)\n        self.x = {b}\n"
             "class {n}_B:\n    def __init__(self, a): self.a = a\nclass {n}({n}_A, {n}_B): pass", "{n}({a})"),
            ("class {n}_B:\n    items = []\n    def __init__(self, a): self.items.append(a)\nclass {n}({n}_B): pass", "{n}({a})"),
            ("class {n}:\n    def __init__(self, a): self._a = None\n    @property\n    def a(self): return self._a\n"
             "    @a.setter\n    def a(self, value): self._a = [value]", "{n}({a})"),
            ("class {n}_B:\n    def __init__(self): self.made = self.make()\n    def make(self): return None\n"
             "class {n}({n}_B):\n    def make(self): return {b}", "{n}()"),
            ("class {n}:\n    def __new__(cls, *a):\n        self = super().__new__(cls)\n        self.new = {b}\n"
             "        return self\n    def __init__(self, a): self.a = a", "{n}({a})"),
            ("class {n}:\n    def __new__(cls, a): return super().__new__(cls)", "{n}({a})"),
            ("class {n}:\n    def __new__(cls, a): return super().__new__(cls)\n"
             "    def __getnewargs__(self): return (1,)", "{n}({a})"),
            ("class {n}_B:\n    def __getstate__(self): return {{'a': 1}}\n"
             "class {n}({n}_B):\n    def __init__(self, a): self.a = a", "{n}({a})"),
            ("class {n}(dict):\n    def __init__(self, a):\n        super().__init__(k=a)\n        self.b = {b}", "{n}({a})"),
            ("class {n}(list):\n    def add(self, x):\n        self.append(x)\n        return self", "{n}().add({a})"),
            ("class {n}(dict):\n    def __setitem__(self, k, v): super().__setitem__(k, [v])", "{n}(k={a})"),
            ("class {n}(collections.OrderedDict): pass", "{n}(k={a})"),
            ("class {n}(threading.Thread): pass", "{n}()"),
            ("class {n}(io.StringIO): pass", "{n}('a')"),
            ("class {n}(collections.abc.Mapping):\n    def __init__(self, a): self.a = a\n    def __getitem__(self, k): return 1\n"
             "    def __iter__(self): return iter('k')\n    def __len__(self): return 1", "{n}({a}).keys()"),
            ("@dataclasses.dataclass\nclass {n}_B:\n    a: object\n@dataclasses.dataclass\nclass {n}({n}_B):\n    b: object = 1",
             "{n}({a})"),
            ("class {n}(typing.NamedTuple):\n    a: object\n    b: object = 1\n    def m(self): return 1", "{n}({a}).m"),
            ("class {n}_M(type): pass\nclass {n}(metaclass={n}_M):\n    def __init__(self, a): self.a = a", "{n}({a})"),
            ("class {n}:\n    def __init_subclass__(cls, **k): cls.tag = lambda: 0\nclass {n}_D({n}): pass", "{n}_D()"),
            ("class {n}:\n    def __init__(self, a):\n        self.a = a\n        self.f = self.m\n    def m(self): return 1",
             "{n}({a})"),
            ("class {n}:\n    def __init__(self, a):\n        self.a = a\n        self.f = lambda: 1\n        del self.f", "{n}({a})"),
            ("class {n}:\n    cache = {{}}\n    def __init__(self, a):\n        self.cache['k'] = a\n        self.b = 1", "{n}({a})"),
            ("class {n}:\n    def __init__(self, a):\n        for k, v in dict(a=a, b=1).items():\n            setattr(self, k, v)",
             "{n}({a})"),
            ("class {n}:\n    def __init__(self, a):\n        self.parts = [a]\n        self.first = self.parts[0]", "{n}({a})"),
            ("class {n}:\n    def __init__(self, a, f=lambda: 0):\n        self.f = f", "{n}({a}, print)"),
            ("class {n}:\n    def __init__(self, a=None):\n        self.a = {b} if a is None else a", "{n}({a})"),
            ("class {n}:\n    def __init__(self, a, keep=False):\n        self.a = a if keep else None", "{n}({a})"),
            ("class {n}:\n    def __init__(self, a):\n        if a is not None:\n            self.a = a", "{n}({a})"),
            ("class {n}:\n    def __enter__(self):\n        self.e = 1\n        return self\n    def __exit__(self, *e):\n"
             "        self.e = None\n    def __init__(self, a): self.a = a", "{n}({a}).__enter__()"),
        )  # fmt: skip
        self.define(form.format(n=name, b=other))
        return made.format(n=name, a=argument, b=self.atom())

    def plain_instance(self, depth: int) -> str:
        """A class whose attributes come about in many ways, with or without a hook that says what is saved."""
        name = self.name("C_")
        argument, constant, default = self.value(depth), self.atom(), self.atom()
        parts = [f"class {name}{self.base()}:"]
        if self.chance(4):
            parts.append(f"    shared = {self.atom()}")
        init = [f"    def __init__(self, a, b={default}, *rest, **named):"]
        init += [f"        {one}" for one in self.pick(("super().__init__()",), ()) if "(" in parts[0]]
        init += [
            "        self.a = a",
            f"        self.c = {constant}",
            *self.pick(
                (),
                ("        self.b = b",),
                ("        self.set_up(b)",),
                ("        setattr(self, 'b', b)",),
                ("        self.__dict__.update(b=b)",),
                ("        self.__dict__['b'] = b",),
                ("        self._d = {'b': b}",),
                ("        self.b, self.e = b, 1",),
                ("        self.named = named", "        self.rest = rest"),
                ("        for key, value in named.items():", "            setattr(self, key, value)"),
            ),
        ]
        parts += init
        parts.append("    def set_up(self, x):\n        self.b = x")
        parts.append("    def get(self):\n        return self.a")
        parts.append("    @property\n    def prop(self):\n        return self.a")
        parts.append("    @functools.cached_property\n    def lazy(self):\n        return [self.a]")
        parts.append("    @classmethod\n    def create(cls, x):\n        return cls(x)")
        hook = self.hook(name)
        if hook:
            parts.append(indent(hook, "    "))
        self.define("\n".join(parts))
        if hook and self.chance(6):
            self.define(f"def {name}_reduce(x): return ({name}, (1,))\ncopyreg.pickle({name}, {name}_reduce)")
        created = self.pick(
            f"{name}({argument})",
            f"{name}({argument}, {self.atom()})",
            f"{name}(a={argument})",
            f"{name}({argument}, extra={self.atom()})",
            f"{name}.create({argument})",
            f"{name}(*[{argument}])",
            f"{name}(**{{'a': {argument}}})",
        )
        made = self.variable(created)
        self.after(made)
        return self.pick(made, made, made, f"{made}.a", f"{made}.get()", f"{made}.prop", f"copy.copy({made})")

    def base(self) -> str:
        kind = self.pick("", "", "", "class", "mixin", "abstract", "generic")
        if not kind:
            return ""
        base = self.name("B_")
        if kind == "class":
            stored = self.atom()
            self.define(f"class {base}:\n    def __init__(self):\n        self.base = {stored}\n    def hello(self): return 1")
            return f"({base})"
        if kind == "mixin":
            self.define(f"class {base}:\n    def hello(self): return 1\n    shared = lambda: 0")
            return f"({base})"
        return "(abc.ABC)" if kind == "abstract" else "(typing.Generic[T])"

    def hook(self, name: str) -> str:
        """Return a method that decides what is saved, or nothing."""
        dropped = self.pick("a", "b", "c")
        return self.pick(
            "",
            "",
            "",
            f"def __getstate__(self):\n    state = self.__dict__.copy()\n    state.pop('{dropped}', None)\n    return state",
            f"def __getstate__(self):\n    state = dict(self.__dict__)\n    if '{dropped}' in state:\n        del state['{dropped}']\n    return state",
            f"def __getstate__(self):\n    state = self.__dict__.copy()\n    state['{dropped}'] = None\n    return state",
            f"def __getstate__(self):\n    return {{k: v for k, v in self.__dict__.items() if k != '{dropped}'}}",
            "def __getstate__(self):\n    return {'a': 1}",
            "def __getstate__(self):\n    return self.__dict__",
            "def __getstate__(self):\n    return (1, self.c)\ndef __setstate__(self, state):\n    self.c = state[1]",
            f"def __reduce__(self):\n    return ({name}, (1,))",
            f"def __reduce__(self):\n    return ({name}, (self.a,))",
            f"def __reduce__(self):\n    return ({name}, ())",
            f"def __reduce__(self):\n    return ({name}, (1,), {{'c': self.c}})",
            "def __reduce__(self):\n    return (dict, ())",
            f"def __reduce_ex__(self, protocol):\n    return ({name}, (1,))",
            "def __getstate__(self):\n    raise TypeError('stays here')",
            f"def __getstate__(self):\n    state = vars(self).copy()\n    for key in ('{dropped}', 'x'):\n        state.pop(key, None)\n    return state",
            f"def __getstate__(self):\n    return dict(self.__dict__, {dropped}=None)",
            f"def __getstate__(self):\n    return {{**self.__dict__, '{dropped}': None}}",
            "__reduce__ = None",
            "def __deepcopy__(self, memo):\n    return self",
            "def __eq__(self, other): return True\ndef __hash__(self): return 1",
            "def __setattr__(self, key, value):\n    super().__setattr__(key, value)",
            "def __getnewargs__(self):\n    return (self.c,)",
        )

    def after(self, made: str) -> None:
        """Do something to an instance after it was made."""
        form = self.pick(
            "",
            "",
            "",
            "{m}.x = {v}",
            "{m}.a = {v}",
            "setattr({m}, 'a', {v})",
            "del {m}.a\n{m}.a = 1",
            "delattr({m}, 'c')",
            "{m}.__dict__.update(a={v})",
            "vars({m})['y'] = {v}",
            "{m}.__dict__.pop('c')",
            "{m}.lazy",
            "{m}.set_up({v})",
            "if {f}:\n    {m}.a = {v}",
            "if 1 > 2:\n    {m}.a = {v}",
            "if {m}.a is None:\n    {m}.a = 1",
            "for key in ['p', 'q']:\n    setattr({m}, key, {v})",
            "{m}.a = [{m}.a]",
            "{m}.self = {m}",
        )
        if "{v}" in form:
            form = form.replace("{v}", self.atom())
        if "{f}" in form:
            form = form.replace("{f}", self.flag())
        if form:
            self.line(form.replace("{m}", made))

    def dataclass(self, depth: int) -> str:
        name, argument = self.name("D_"), self.value(depth)
        options = self.pick("", "(frozen=True)", "(slots=True)", "(frozen=True, slots=True)", "(eq=False)", "(order=True)")
        default = self.pick("None", "1", "'a'", "print", "dataclasses.field(default=2)", "(1, 2)")
        factory = self.pick("list", "dict", "threading.Lock", "lambda: [1]", "lambda: (lambda: 0)", "lambda: {}.keys()")
        post = ""
        if "frozen" not in options and self.chance(3):
            post = f"\n    def __post_init__(self):\n        self.y = {self.atom()}"
        if "slots" not in options and "frozen" in options and self.chance(3):
            self.define(f"@dataclasses.dataclass{options}\nclass {name}:\n    __slots__ = ('x',)\n    x: object")
            return f"{name}({argument})"
        self.define(
            f"@dataclasses.dataclass{options}\nclass {name}:\n    x: object\n    y: object = {default}\n"
            f"    z: object = dataclasses.field(default_factory={factory})\n"
            f"    w: object = dataclasses.field(default=1, init=False){post}"
        )
        return self.pick(
            f"{name}({argument})",
            f"{name}(x={argument}, z=1)",
            f"{name}({argument}, {self.atom()}, 3)",
            f"{name}(1, z={argument})",
            f"dataclasses.replace({name}(1, 2, 3), x={argument})",
        )

    def exception(self, depth: int) -> str:
        name, argument = self.name("X_"), self.value(depth)
        form, made = self.pick(
            ("class {n}(Exception): pass", "{n}({a})"),
            ("class {n}(ValueError):\n    def __init__(self, a, b):\n        super().__init__(a)\n        self.b = b", "{n}({a}, 2)"),
            ("class {n}(Exception):\n    def __init__(self, a, b):\n        super().__init__(a, b)\n        self.b = b", "{n}({a}, 2)"),
            ("class {n}(Exception):\n    def __init__(self, a):\n        super().__init__('no: %s' % (a,))\n        self.a = a", "{n}({a})"),
            ("class {n}(Exception):\n    def __init__(self, *, a):\n        super().__init__(a)", "{n}(a={a})"),
            ("class {n}(Exception):\n    def __init__(self, a, b=1):\n        self.a = a", "{n}({a})"),
            ("class {n}(Exception):\n    def __init__(self, a, b):\n        self.a = a", "{n}({a}, 1)"),
            (
                "class {n}(Exception):\n    def __init__(self, a, b):\n        super().__init__(a)\n        self.b = b\n"
                "    def __reduce__(self):\n        return ({n}, (self.args[0], self.b))",
                "{n}({a}, 2)",
            ),
            (
                "class {n}(Exception):\n    def __init__(self, a):\n        super().__init__(a.upper())\n",
                "{n}('x')",
            ),
            ("class {n}(RuntimeError):\n    def __init__(self, item):\n        super().__init__(item[0])", "{n}([{a}])"),
        )
        self.define(form.format(n=name))
        return made.format(n=name, a=argument)

    def slotted(self, depth: int) -> str:
        name, argument = self.name("S_"), self.value(depth)
        extra = self.pick(
            "",
            "",
            "    def __getstate__(self): return {{'a': 1}}\n",
            "    def __getstate__(self): return {{'a': self.a}}\n    def __setstate__(self, state): self.a = state['a']\n",
            "    def __reduce__(self): return ({n}, (1,))\n",
            "    def __getstate__(self): return None\n",
        )
        slots = self.pick("('a',)", "['a', '__dict__']", "'a'", "('a', 'unset')")
        self.define(
            f"class {name}:\n    __slots__ = {slots}\n    def __init__(self, a):\n        self.a = a\n" + extra.format(n=name)
        )
        return f"{name}({argument})"

    def proxy(self, depth: int) -> str:
        name, argument = self.name("P_"), self.value(depth)
        body = self.pick(
            "        return getattr(self.wrapped, key)",
            "        if key.startswith('__'):\n            raise AttributeError(key)\n        return getattr(self.wrapped, key)",
            "        if key == 'wrapped':\n            raise AttributeError(key)\n        return getattr(self.wrapped, key)",
            "        if 'wrapped' not in self.__dict__:\n            raise AttributeError(key)\n        return getattr(self.wrapped, key)",
            "        raise AttributeError(key)",
            "        return 1" if self.chance(3) else "        raise AttributeError(f'no {key}')",
        )
        self.define(
            f"class {name}:\n    def __init__(self, wrapped):\n        self.wrapped = wrapped\n    def __getattr__(self, key):\n{body}"
        )
        return f"{name}({argument})"

    # -- flows ---------------------------------------------------------------------------------------------------------

    def flow(self, depth: int) -> str:
        """Return an expression for a value that comes from somewhere else in the program."""
        flows: tuple[Callable[[int], str], ...] = (
            self.branch,
            self.branch,
            self.helper,
            self.helper,
            self.filled,
            self.filled,
            self.comprehension,
            self.unpacked,
            self.loop,
            self.taken_out,
            self.nested,
            self.guarded,
            self.from_a_global,
            self.generated,
        )
        return self.pick(*flows)(depth)

    def branch(self, depth: int) -> str:
        first, second = self.value(depth), self.value(depth - 1)
        name = self.name()
        test = self.pick(self.flag(), "1 > 2", "True", "not []", "'a' in ('a', 'b')", "isinstance(1, int)", "None is None")
        form = self.pick(
            "if {t}:\n    {n} = {a}\nelse:\n    {n} = {b}",
            "{n} = {a} if {t} else {b}",
            "{n} = {b}\nif {t}:\n    {n} = {a}",
            "{n} = None or {a}",
            "{n} = ({t}) and [{a}]",
            "if not {t}:\n    {n} = {a}\nelif True:\n    {n} = {b}",
            "{n} = {a}\nif {t}:\n    pass\nelse:\n    {n} = {b}",
            "{n} = [{a}, {b}][0]",
            "match 1:\n    case 1:\n        {n} = {a}\n    case _:\n        {n} = {b}",
            "{n} = {{'x': {a}}}\nif {t}:\n    {n}['x'] = {b}",
            "{n} = {{'x': {a}}}\nif {t}:\n    del {n}['x']",
            "{n} = []\nif {t}:\n    {n}.append({a})",
        )
        self.line(form.format(t=test, n=name, a=first, b=second))
        return name

    def helper(self, depth: int) -> str:
        """Through a function of its own."""
        argument, name = self.value(depth), self.name("h_")
        form, call = self.pick(
            ("def {n}(x): return x", "{n}({a})"),
            ("def {n}(x): return [x]", "{n}({a})"),
            ("def {n}(*xs): return xs", "{n}({a}, 1)"),
            ("def {n}(**xs): return xs", "{n}(k={a})"),
            ("def {n}(x, y=1): return {{'x': x, 'y': y}}", "{n}({a})"),
            ("def {n}(x, y=None):\n    if y is None:\n        y = 1\n    return y", "{n}(1, {a})"),
            ("def {n}(x, *, y): return y", "{n}(1, y={a})"),
            ("def {n}(x, y): return x", "{n}(1, {a})"),
            ("def {n}(x):\n    def inner():\n        return x\n    return inner()", "{n}({a})"),
            ("def {n}(x):\n    def inner():\n        return x\n    return inner", "{n}({a})()"),
            ("def {n}(x):\n    try:\n        return x\n    finally:\n        pass", "{n}({a})"),
            ("def {n}(x):\n    if x is None:\n        return 1\n    return (x,)", "{n}({a})"),
            ("def {n}(x):\n    x = [x]\n    x.append(1)\n    return x", "{n}({a})"),
            ("{n} = lambda x: [x]", "{n}({a})"),
            ("def {n}(f, x): return f(x)", "{n}(lambda y: [y], {a})"),
            ("def {n}(x): return x", "{n}(*[{a}])"),
            ("def {n}(x): return x", "{n}(**{{'x': {a}}})"),
            ("def {n}(x, n=2):\n    return x if n == 0 else {n}(x, n - 1)", "{n}({a})"),
            ("class {n}:\n    def __call__(self, x): return [x]", "{n}()({a})"),
            ("class {n}:\n    @staticmethod\n    def make(x): return [x]", "{n}.make({a})"),
            ("class {n}:\n    def __init__(self, x): self.x = x\n    def __getitem__(self, k): return self.x", "{n}({a})[0]"),
            ("class {n}:\n    def __init__(self, x): self.x = x\n    def __iter__(self): return iter([self.x])", "list({n}({a}))"),
            ("class {n}:\n    def __init__(self, x): self.x = x\n    def __enter__(self): return self.x\n"
             "    def __exit__(self, *e): return False", "{n}({a}).__enter__()"),
            ("def {n}(x, seen=[]):\n    return seen", "{n}({a})"),
        )  # fmt: skip
        self.define(form.format(n=name))
        return call.format(n=name, a=argument)

    def filled(self, depth: int) -> str:
        """A container that is filled, or emptied, later."""
        argument, name = self.value(depth), self.name()
        form = self.pick(
            "{n} = []\n{n}.append({a})",
            "{n} = [1]\n{n}.extend([{a}])",
            "{n} = [1]\n{n}.insert(0, {a})",
            "{n} = [1]\n{n} += [{a}]",
            "{n} = [1]\n{n}[0] = {a}",
            "{n} = [{a}]\n{n}[0] = 1",
            "{n} = [{a}, 1]\n{n}.clear()",
            "{n} = [1, {a}]\n{n}.pop()",
            "{n} = [1, {a}]\ndel {n}[1]",
            "{n} = {{}}\n{n}['k'] = {a}",
            "{n} = {{}}\n{n}.update(k={a})",
            "{n} = {{}}\n{n}.update({{'k': {a}}})",
            "{n} = {{}}\n{n}.setdefault('k', {a})",
            "{n} = {{}}\n{n}.setdefault('k', []).append({a})",
            "{n} = {{'k': {a}}}\ndel {n}['k']",
            "{n} = {{'k': {a}, 'l': 1}}\n{n}.pop('k')",
            "{n} = {{'k': {a}}}\n{n}['k'] = 1",
            "{n} = {{'k': {a}}}\n{n}.clear()",
            "{n} = collections.deque()\n{n}.append({a})",
            "{n} = collections.deque()\n{n}.appendleft({a})",
            "{n} = collections.defaultdict(list)\n{n}['k'].append({a})",
            "{n} = set()\n{n}.add(1)",
            "{n} = collections.OrderedDict()\n{n}['k'] = {a}\n{n}.move_to_end('k')",
            "{n} = types.SimpleNamespace()\n{n}.x = {a}",
            "{n} = {{'k': {a}}}\n{n} |= {{'k': 1}}",
            "{n} = [3, 1]\n{n}.sort()\n{n}.append({a})",
            "{n} = [{a}]\n{n}.remove({n}[0])",
            "{n} = [{a}, 1]\n{n} = {n}[1:]",
            "{n} = [{a}, 1]\n{n} = {n}[::-1]",
            "{n} = [[]]\n{n}[0].append({a})",
        )
        self.line(form.format(n=name, a=argument))
        return name

    def comprehension(self, depth: int) -> str:
        first, second, name = self.value(depth), self.atom(), self.name()
        form = self.pick(
            "{n} = [x for x in ({a}, {b})]",
            "{n} = [x for x in [{a}] if x is None]",
            "{n} = {{k: x for k, x in [('a', {a}), ('b', {b})]}}",
            "{n} = list(x for x in [{a}])",
            "{n} = [[x] for x in [{a}]]",
            "{n} = {{i: {a} for i in range(2)}}",
            "{n} = [{a} for _ in range(2)]",
            "{n} = [k for k in {{'k': {a}}}]",
            "{n} = [x for y in [[{a}], [{b}]] for x in y]",
            "{n} = {{k: v for k, v in {{'k': {a}, 'l': {b}}}.items() if k != 'k'}}",
            "{n} = [(w := {a}), 1]",
            "{n} = tuple(x for x in (1, {a}))",
            "{n} = dict((k, {a}) for k in 'ab')",
            "{n} = (x for x in [{a}])",
            "{n} = list(map(lambda x: [x], [{a}]))",
            "{n} = list(filter(None, [1, {a}]))",
            "{n} = list(zip([{a}], [{b}]))",
            "{n} = list(enumerate([{a}]))",
            "{n} = dict(enumerate([{a}]))",
            "{n} = sorted([1, 2], key=lambda x: x)",
            "{n} = next(iter([{a}, {b}]))",
            "{n} = max([1, 2])",
            "{n} = list(reversed([{a}]))",
            "{n} = list({{'k': {a}}}.values())",
            "{n} = list({{'k': {a}}}.items())",
            "{n} = sum([[{a}], [1]], [])",
            "{n} = [*{{'k': {a}}}]",
            "{n} = functools.reduce(lambda x, y: x, [{a}, 1])",
        )
        self.line(form.format(n=name, a=first, b=second))
        return name

    def unpacked(self, depth: int) -> str:
        first, second, name = self.value(depth), self.atom(), self.name()
        form = self.pick(
            "{n}, other = {a}, {b}",
            "other, {n} = [{b}, {a}]",
            "other, *{n} = [1, {a}, {b}]",
            "*{n}, other = [1, {a}, {b}]",
            "(other, {n}), last = (1, {a}), 2",
            "{n} = other = {a}",
            "{n}, other = {a}, {b}\n{n}, other = other, {n}",
            "[{n}] = [{a}]",
            "{n}: object = {a}",
            "{n} = {a}\n{n} = {b}",
            "{n} = {a}\ndel {n}\n{n} = {b}",
            "if ({n} := {a}) is None:\n    pass",
            "other = {{'x': {a}}}\n{n} = other\nother['x'] = 1",
            "other = [{a}]\n{n} = list(other)\nother[0] = 1",
            "other = [{a}]\n{n} = other[:]\nother.clear()",
            "other = {{'x': {a}}}\n{n} = other.copy()\nother.clear()",
        )
        self.line(form.format(n=name, a=first, b=second))
        return name

    def loop(self, depth: int) -> str:
        """A loop. Its body calls nothing: where it does, the linter runs it for any item, not for each."""
        first, second, name = self.variable(self.value(depth)), self.variable(self.atom()), self.name()
        form = self.pick(
            "for {n} in [{b}, {a}]:\n    pass",
            "{n} = []\nfor x in [{a}, {b}]:\n    {n}.append(x)",
            "{n} = {{}}\nfor k, x in [('a', {a}), ('b', {b})]:\n    {n}[k] = x",
            "{n} = 1\nfor x in []:\n    {n} = {a}",
            "for {n} in [{a}, {b}]:\n    break",
            "{n} = 0\nwhile {n} < 2:\n    {n} += 1",
            "{n} = None\nwhile True:\n    {n} = {a}\n    break",
            "{n} = {b}\nfor i in range(2):\n    if i == 1:\n        {n} = {a}",
            "{n} = []\nfor i in range(3):\n    if i > 5:\n        {n}.append({a})",
            "{n} = []\nfor i, x in enumerate([{a}, {b}]):\n    if i == 0:\n        continue\n    {n}.append(x)",
            "{n} = {{'k': {a}, 'l': {b}}}\nfor k in list({n}):\n    if k == 'k':\n        del {n}[k]",
            "{n} = {{'_k': {a}, 'l': {b}}}\n{n} = {{k: x for k, x in {n}.items() if not k.startswith('_')}}",
            "for {n} in {{'k': {a}}}.values():\n    pass",
            "for {n}, other in {{'k': {a}}}.items():\n    pass",
            "{n} = {b}\nfor i in range(2):\n    pass\nelse:\n    {n} = {a}",
            "{n} = [{a}]\nwhile {n}:\n    {n}.pop()",
        )
        self.line(form.format(n=name, a=first, b=second))
        return name

    def taken_out(self, depth: int) -> str:
        """One item of a container, or one attribute, without the others."""
        first, second = self.value(depth), self.atom()
        return self.pick(
            "[{b}, {a}][1]",
            "[{b}, {a}][-1]",
            "({b}, {a})[0]",
            "{{'k': {a}, 'l': {b}}}['k']",
            "{{'k': {b}, 'l': {a}}}.get('k')",
            "{{'k': {b}}}.get('no', {a})",
            "{{'k': {b}}}.get('no')",
            "{{'k': {a}}}.pop('k')",
            "[{b}, {a}].pop()",
            "[{b}, {a}][:1]",
            "types.SimpleNamespace(x={b}, y={a}).x",
            "functools.partial(print, {a}).func",
            "functools.partial(print, {a}).args",
            "getattr(types.SimpleNamespace(x={a}), 'x')",
            "getattr(types.SimpleNamespace(x={a}), 'no', {b})",
            "len([{a}])",
            "str({a})",
            "type({b})",
            "bool([{a}])",
            "repr({a})",
            "isinstance({a}, int)",
            "[{a}] == [{b}]",
            "[{a}].index",
            "collections.ChainMap({{'k': {a}}})['k']",
            "operator.itemgetter(0)([{a}])",
            "copy.copy({b})",
            "iter([{a}, {b}]).__class__",
        ).format(a=first, b=second)

    def nested(self, depth: int) -> str:
        """Through a function inside `make`, or a variable of its own."""
        argument, name, inner = self.value(depth), self.name(), self.name("n_")
        form = self.pick(
            "def {i}():\n    return {a}\n{n} = {i}()",
            "{n} = {a}\ndef {i}():\n    nonlocal {n}\n    {n} = 1\n{i}()",
            "{n} = 1\ndef {i}():\n    nonlocal {n}\n    {n} = {a}\n{i}()",
            "{n} = []\ndef {i}():\n    {n}.append({a})\n{i}()",
            "{n} = (lambda: {a})()",
            "def {i}(x):\n    return lambda: x\n{n} = {i}({a})()",
            "def {i}(x):\n    yield x\n{n} = list({i}({a}))",
            "class {i}:\n    def __init__(self, x):\n        self.x = x\n{n} = {i}({a}).x",
            "def {i}(x):\n    yield from [x]\n{n} = next({i}({a}))",
            "{n} = {a}\ndef {i}():\n    {n} = 1\n    return {n}\n{i}()",
        )
        self.line(form.format(n=name, i=inner, a=argument))
        return name

    def guarded(self, depth: int) -> str:
        """Under try or with."""
        first, second, name = self.value(depth), self.atom(), self.name()
        form = self.pick(
            "try:\n    {n} = 1\nexcept ValueError:\n    {n} = {b}",
            "try:\n    if {f}:\n        raise ValueError(1)\n    {n} = {a}\nexcept ValueError:\n    {n} = {b}",
            "try:\n    raise ValueError(1)\nexcept ValueError:\n    {n} = {a}",
            "try:\n    {n} = {b}\nfinally:\n    {n} = {a}",
            "try:\n    {n} = [1, lambda: 0]\nexcept ValueError:\n    pass\nelse:\n    {n} = {a}",
            "with contextlib.nullcontext({a}) as {n}:\n    pass",
            "{n} = {b}\nwith contextlib.suppress(ValueError):\n    {n} = {a}",
            "{n} = {b}\nwith contextlib.suppress(ValueError):\n    raise ValueError\n    {n} = {a}",
            "try:\n    {n} = {{}}['no']\nexcept KeyError:\n    {n} = {a}",
            "try:\n    {n} = int('x')\nexcept ValueError as error:\n    {n} = {b}",
            "with open(os.devnull) as other:\n    {n} = [other.read(), {a}]",
            "{n} = {b}\nassert True\nif {n} is None:\n    {n} = {a}",
        )
        test = self.flag() if "{f}" in form else ""
        self.line(form.format(n=name, a=first, b=second, f=test))
        return name

    def from_a_global(self, depth: int) -> str:
        """A variable of the module, changed by a function or not."""
        first, name = self.atom(), self.name("G_")
        form = self.pick(
            "{n} = {a}",
            "{n} = 1\ndef {n}_set():\n    global {n}\n    {n} = {a}\n{n}_set()",
            "{n} = {{}}\n{n}['k'] = {a}",
            "{n} = []\ndef {n}_register(x):\n    {n}.append(x)\n    return x\n{n}_register({a})",
            "if 1 > 2:\n    {n} = {a}\nelse:\n    {n} = 1",
            "try:\n    {n} = {a}\nexcept ImportError:\n    {n} = None",
            "class {n}_C:\n    x = {a}\n{n} = {n}_C.x",
            "class {n}_C:\n    x = {a}\n{n} = {n}_C()",
            "{n} = {{}}\ndef {n}_register(fn):\n    {n}[fn.__name__] = fn\n    return fn\n@{n}_register\ndef {n}_f(): return 1",
        )
        self.define(form.format(n=name, a=first))
        return name

    def generated(self, depth: int) -> str:
        """What a generator function of the module gives."""
        argument, name = self.value(depth), self.name("y_")
        self.define(f"def {name}(x):\n    yield x\n    yield 1")
        return self.pick(f"list({name}({argument}))", f"next({name}({argument}))", f"{name}({argument})", f"[*{name}(1)]")


# -- whole programs ----------------------------------------------------------------------------------------------------

DEPTH = 3


@dataclass(frozen=True)
class Written:
    """A program: its files, and how many conditions nothing but the run decides."""

    files: dict[str, str]
    flags: int


def write(chooser: Chooser, style: Style = Style()) -> Written:
    """Write a program. The same choices in another style give the same program, spelt otherwise."""
    writer = Writer(chooser, style)
    depth = writer.pick(1, 2, 2, 3)
    returned = writer.value(depth)
    body = "\n".join([*writer.body, f"return {returned}"])
    head = "from __future__ import annotations\nimport abc\n" + "".join(f"import {name}\n" for name in LIBRARIES)
    head += "T = typing.TypeVar('T')\n"
    flag = "def flag(number):\n    return str(number) in os.environ.get('FLAGS', '').split()\n"
    definitions = "\n\n\n".join([flag, *writer.definitions]) + "\n\n\n"
    make = f"def make():\n{indent(body, '    ')}\n"
    if style.elsewhere:
        files = {"parts.py": head + definitions, "target.py": head + "from parts import *\n\n\n" + make}
    else:
        files = {"target.py": head + definitions + make}
    if style.between:
        files["target.py"] += "\n\ndef between():\n    made = make()\n    return made\n"
    files["main.py"] = main_file(style)
    return Written(files, writer.flags)


def main_file(style: Style) -> str:
    """Return the file that sends what `make` gives."""
    maker = "between" if style.between else "make"
    imported, call = {
        "from": (f"from target import {maker}", f"{maker}()"),
        "module": ("import target", f"target.{maker}()"),
        "alias": (f"from target import {maker} as build", "build()"),
        "module-alias": ("import target as t", f"t.{maker}()"),
    }[style.imports]
    dumps = "import pickle as p" if style.aliased else "import pickle"
    send = f"{'p' if style.aliased else 'pickle'}.dumps({call})"
    return f"{dumps}\n{imported}\n\n\nif __name__ == '__main__':\n    {send}\n"
