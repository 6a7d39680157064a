"""Asks the machine without the observers hearing of it."""

from __future__ import annotations

import ast

from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import UNKNOWN, Value


def quietly(machine: Machine, node: ast.expr, frame: Frame) -> Value:
    """Return what a plain expression may be, and tell nobody that it was asked for."""
    if not isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.UnaryOp)):
        return UNKNOWN
    with machine.unobserved(), machine.trial():
        return machine.evaluate(node, frame)
