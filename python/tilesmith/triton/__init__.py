"""Triton's language on the Machine.

`install()` makes `import triton` and everything below it ours, for this process; `uninstall()` undoes it. Nothing of an installed
Triton is used.
"""

import importlib.util
import sys

from tilesmith.triton import modules

_finder = modules.Finder()


def is_installed():
    """Whether `import triton` is ours."""
    return _finder in sys.meta_path


def _other():
    """Where an installed Triton is; None: there is none. A folder that happens to have the name is not one."""
    found = importlib.util.find_spec("triton")
    return found.origin if found is not None else None


def _theirs():
    return sorted(name for name, module in sys.modules.items() if _below(name) and not modules.is_ours(module))


def _below(name):
    return name == "triton" or name.startswith("triton.")


def install(quiet=False):
    """Makes `import triton` ours. A Triton that was imported before is an error: its functions are not kernels of ours."""
    if is_installed():
        return
    theirs = _theirs()
    if theirs:
        origin = getattr(sys.modules[theirs[0]], "__file__", None) or "unknown"
        raise ImportError(
            f"'{theirs[0]}' was imported before, from {origin}\nhelp: call tilesmith.triton.install() before anything imports triton"
        )
    other = _other()
    if other is not None and not quiet:
        print(f"tilesmith: `import triton` is ours in this process, not {other}", file=sys.stderr)
    sys.meta_path.insert(0, _finder)


def install_if_missing():
    """The same where no Triton is installed or imported; one that is stays what it is."""
    if not is_installed() and not _theirs() and _other() is None:
        install(quiet=True)


def uninstall():
    """`import triton` is what it was before. What has been imported stays with those who have it."""
    if is_installed():
        sys.meta_path.remove(_finder)
    for name in [name for name in sys.modules if _below(name)]:
        if modules.is_ours(sys.modules[name]):
            del sys.modules[name]
