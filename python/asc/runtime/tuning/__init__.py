"""Choosing the ConstExpr parameters of a kernel by model time.

A search (`search.py`) times configurations (`config.py`) by dry launches (`measure.py`), here or in processes (`workers.py`), and keeps
what it learns on disk (`store.py`). `autotune.py` is the decorator over it, `tilesmith tune` the command.
"""
