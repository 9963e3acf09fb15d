"""Programs as people write them in Triton, beside what torch computes, by what they are about."""

from triton_programs.common import PROGRAMS, tl, triton  # isort: skip, before any kernel is made
from triton_programs import atomics, axes, elements, functions, memory, products

__all__ = ["PROGRAMS", "atomics", "axes", "elements", "functions", "memory", "products", "tl", "triton"]
