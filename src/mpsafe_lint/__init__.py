"""Finds values that will fail to cross a process boundary, before the program runs."""

__version__ = "0.1.0"
