"""The device `npu` of torch: `import tilesmith.npu`, and tensors with `device="npu"` lie in the global memory of the model.

    import tilesmith.npu, torch

    x = torch.ones(1024, device="npu")
    kernel[8](x, y, 1024)                # takes them where they are

The device has kernels for what memory alone needs: allocation, copies, filling, views. Every other operator of torch runs on the
host; the first time each does, a warning names it. `strict()` makes that an error, `fallbacks()` counts. `install()` makes
`import torch_npu` work where it is not installed. docs/npu.md has more.

Nothing else of Tilesmith imports this package, because it imports torch, which is optional, and can be done once in a process.
"""

from __future__ import annotations

from importlib import metadata

TORCH = "2.13.0"


def _check_torch():
    """Torch's interface for devices in Python changes without notice, so that other versions are refused by name."""
    try:
        found = metadata.version("torch")
    except metadata.PackageNotFoundError:
        raise ImportError(
            f"tilesmith.npu needs torch {TORCH}, which is not installed\nhelp: pip install torch=={TORCH}", name="torch"
        ) from None
    if found.partition("+")[0] != TORCH:
        raise ImportError(
            f"tilesmith.npu works with torch {TORCH}; this is torch {found}\nhelp: pip install torch=={TORCH}", name="torch"
        )


_check_torch()

from . import registration  # noqa: E402  nothing of torch may be imported before its version is known

registration.register()

from tilesmith.npu_autoload import install  # noqa: E402

from .fallback import FallbackError, FallbackWarning, fallbacks, strict  # noqa: E402
from .memory import poison  # noqa: E402

__all__ = ["FallbackError", "FallbackWarning", "fallbacks", "install", "poison", "strict"]
