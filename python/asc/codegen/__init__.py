"""Compiling kernels: the errors it reports."""
