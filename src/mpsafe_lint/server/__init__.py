"""The language server: findings as one types, the way of a value as related places, repairs as quick fixes.

It needs pygls, which the extra `lsp` installs. `analysis.py` looks at what is open, `answers.py` says it in the words
of the protocol, `server.py` talks.
"""
