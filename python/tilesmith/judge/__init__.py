"""The judge: is a candidate right, how fast is it.

Four packages, each of which uses only those before it: `isolation` (processes), `verdict`, `timing`, `sweep`. None imports `asc`:
what is judged brings its own.
"""

DEFAULT_IMPL = "triton_ascend_impl"  # the candidate of a task NAME is NAME_IMPL.py
