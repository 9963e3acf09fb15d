"""The command line of Tilesmith. Kernels import `asc` and `asc2`."""

__version__ = "0.1.0"
