"""The life of processes: habits that hang, crash or leak (MPS3xx), and advice (MPS4xx).

`observer` watches a run and keeps its events in order; each rule is a small function over them (`table`).
"""
