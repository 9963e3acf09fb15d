"""Compositions of instructions: sorting helpers."""

from asc.language.basic.functions import concat, extract, sort

__all__ = ["concat", "extract", "sort"]
