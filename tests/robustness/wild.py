"""Programs that make no sense: any statement and any expression, with names that the analysis knows things about."""

from __future__ import annotations

import re
from random import Random

IMPORTS = """\
import copy, contextlib, functools, itertools, operator, threading, types, weakref
import multiprocessing as mp
from abc import *
from collections import defaultdict, namedtuple, OrderedDict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from functools import partial, wraps, lru_cache, cached_property
from multiprocessing import Pool, Process, Queue
from typing import Generic, NamedTuple, TypeVar
import torch, numpy as np
from torch.utils.data import DataLoader, Dataset, IterableDataset
"""

GRAMMAR = {
    "block": "<statement> ; <statement>\n<statement> ; <statement>\n<statement>\n<statement>",
    "statement": "<place> = <value> ; <call> ; <target> = <place> = <value> ; <place> += <value> ; <place>: object = <value> ; "
    "del <place> ; if <value>: raise <value> from <value> ; assert <value> ; import <name> as <name> ; from . import <name> ; "
    "<def> ; <def> ; <class> ; <class> ; <flow> ; <flow>",
    "def": "def <method>(<parameters>):\n    <block>\n    <end> <value> ; @<value>\ndef <method>(<parameters>):\n    <block> ; "
    "async def <method>(<parameters>):\n    <block>\n    await (<value>)",
    "end": "return ; yield ; yield from",
    "class": "class <defined>(<base>, <base>):\n    <block> ; @<value>\nclass <defined>:\n    <block> ; class <defined>(<base>, metaclass=<value>):\n    <block>",
    "flow": "if (a := <value>):\n    <block>\nelse:\n    <block> ; for <target> in <value>:\n    <block>\nelse:\n    <block> ; "
    "while <value>:\n    <block> ; with <value> as <place>, <value>:\n    <block> ; try:\n    <block>\nfinally:\n    <block> ; "
    "try:\n    <block>\nexcept <value> as a:\n    <block>\nelse:\n    <block> ; try:\n    <block>\nexcept* ValueError:\n    <block> ; "
    "match <value>:\n    case <pattern>:\n        <block>\n    case <pattern>:\n        <block>",
    "pattern": "[1, *b] ; {'a': 1, **c} ; Rows(b=a) ; mp.Process(1) ; 1 | 2 ; [_, a] ; mp.b ; [Rows(a), *_] ; a if b",
    "parameters": " ; self ; self, a ; cls ; a, b=None ; self, *args, **kwargs ; a, /, b, *, c=(), **d ; self, a=<value> ; a: <value> = None",
    "place": "a ; b ; c ; self.a ; self.b ; cls.a ; Rows ; <place>.<attribute> ; <place>[<value>]",
    "target": "<place> ; <place> ; <place>, *<place> ; (<place>, [<place>, <place>])",
    "value": "<name> ; <name> ; <constant> ; <call> ; <call> ; <access> ; <display> ; <operation> ; <made>",
    "call": "<name>(<arguments>) ; <name>(<arguments>) ; <access>(<arguments>)",
    "arguments": " ; <value> ; <value>, <value> ; *<value> ; **<value> ; target=<value> ; <value>, collate_fn=<value>, num_workers=2 ; "
    "<value>, args=<value> ; *<value>, **<value> ; a=<value>, **<value>",
    "access": "<name>.<attribute> ; <name>.<attribute> ; (<value>).<attribute> ; (<value>)[<value>] ; <name>[a:<value>, ...]",
    "display": "[<value>, *<value>] ; (<value>, <value>) ; {<value>: <value>, **<value>} ; {<value>, <value>} ; f'{<name>!r:>{a}}' ; "
    "[<value> for <target> in <value>] ; (<value> for <target> in <value> if <value>) ; {<value>: <value> for a, b in <value>} ; "
    "[<value> for a in <value> for b in a]",
    "operation": "(<value> <operator> <value>) ; (not <value>) ; (-<value>) ; (<value> if <value> else <value>)",
    "operator": "+ ; - ; * ; / ; // ; % ; @ ; ** ; | ; & ; << ; and ; or ; == ; != ; < ; is ; is not ; in ; not in",
    "made": "(lambda a=1, *args: <value>) ; partial(<name>, <value>) ; type('C', (<name>,), {'a': <value>}) ; threading.Lock() ; "
    "namedtuple('C', 'a') ; {}.keys() ; super().<attribute>(<value>) ; Process(target=<value>) ; getattr(<name>, <value>) ; "
    "setattr(<name>, 'a', <value>) ; DataLoader(<value>, num_workers=2) ; Pool().map(<name>, <value>)",
    "base": "<name> ; Dataset ; Rows ; Process ; <value>",
    "constant": "0 ; 1 ; -1 ; 1.5 ; None ; True ; ... ; '' ; 'a' ; b'x' ; 'spawn' ; 1j ; 10**9",
    "defined": "Rows ; Base ; C ; a",
    "method": "f ; g ; run ; __init__ ; __new__ ; __getstate__ ; __setstate__ ; __reduce__ ; __getitem__ ; __len__ ; __iter__ ; "
    "__next__ ; __call__ ; __getattr__ ; __setattr__ ; __enter__ ; __init_subclass__ ; __set_name__ ; __class_getitem__ ; __eq__",
    "attribute": "a ; b ; keys ; values ; items ; get ; pop ; update ; append ; copy ; start ; join ; close ; map ; submit ; "
    "apply_async ; put ; imap_unordered ; __init__ ; __dict__ ; __class__ ; __getstate__ ; __reduce__ ; __getitem__ ; __len__ ; "
    "__name__ ; __wrapped__ ; __mro__ ; dataset ; collate_fn ; Process ; Lock ; get_context ; data ; utils ; func ; args ; "
    "default_factory ; _fields ; _asdict ; chain ; Manager ; from_iterable",
    "name": "a ; b ; c ; d ; self ; cls ; args ; kwargs ; f ; g ; Process ; Pool ; Queue ; DataLoader ; Dataset ; IterableDataset ; "
    "ProcessPoolExecutor ; mp ; torch ; np ; partial ; wraps ; lru_cache ; cached_property ; defaultdict ; namedtuple ; OrderedDict ; "
    "dataclass ; field ; Enum ; NamedTuple ; Generic ; TypeVar ; type ; object ; super ; dict ; list ; tuple ; set ; map ; zip ; "
    "filter ; iter ; next ; open ; getattr ; setattr ; isinstance ; vars ; globals ; property ; classmethod ; staticmethod ; len ; "
    "range ; enumerate ; sorted ; reversed ; Exception ; __name__ ; itertools ; operator ; copy ; contextlib ; functools ; types ; "
    "threading ; weakref ; undefined ; Rows ; Base",
}  # fmt: skip
"""What each word may stand for; alternatives are parted by semicolons."""

CHOICES = {word: text.split(" ; ") for word, text in GRAMMAR.items()}
SHORT = {word: [one for one in found if "<" not in one] or found for word, found in CHOICES.items()}
SHORT |= {"statement": ["<place> = <value>", "<call>"], "value": ["<name>", "<constant>"], "target": ["<place>"]}
SHORT |= {"call": ["<name>(a)"], "block": ["<statement>"]}
"""What it stands for where the program is deep enough."""

WORD = re.compile(r"^( *)<(\w+)>|<(\w+)>", re.MULTILINE)


def program(random: Random, statements: int = 12, depth: int = 9) -> str:
    """Return a program; not every one can be compiled."""

    def expanded(word: str, depth: int) -> str:
        form = random.choice((CHOICES if depth > 0 else SHORT)[word])
        return WORD.sub(lambda found: replaced(found, depth - 1), form)

    def replaced(found: re.Match[str], depth: int) -> str:
        indent, word, inner = found.groups()
        return expanded(inner, depth) if inner else indent + expanded(word, depth).replace("\n", f"\n{indent}")

    return IMPORTS + "".join(expanded("statement", depth) + "\n" for _ in range(statements))
