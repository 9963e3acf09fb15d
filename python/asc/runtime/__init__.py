"""Compiling, launching and observing kernels."""
