"""Kernels here say `import triton`, which is ours."""

import tilesmith.triton

tilesmith.triton.install(quiet=True)
