"""The judge: is a candidate right, how fast is it.

Five packages, each of which uses only those before it: `isolation` (processes), `device` (the one that has a candidate's memory and
kernels), `verdict`, `timing`, `sweep`. None but `device` imports `asc`: what is judged brings its own.
"""

DEFAULT_IMPL = "triton_ascend_impl"  # the candidate of a task NAME is NAME_IMPL.py
