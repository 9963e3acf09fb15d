"""`verify_output.py KERNEL [--backend Model] [--atol 1e-5]` for pipelines that call a script of this name: it is `tilesmith run`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

import argparse  # noqa: E402
import importlib.util  # noqa: E402
import traceback  # noqa: E402


def main():
    """0: run_kernel(backend, None) passes; 1: an assertion fails, or the file is missing; 2: anything else, also no run_kernel."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("--backend", default="Model")
    parser.add_argument("--atol", type=float, default=1e-5, help="taken and not used: tolerances are the kernel's")
    args = parser.parse_args()
    path = Path(args.kernel)
    if not path.is_file():
        print(f"there is no '{path}'", file=sys.stderr)
        return 1
    sys.path.insert(1, str(path.resolve().parent))
    try:
        from asc.runtime.config import Backend

        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if not hasattr(module, "run_kernel"):
            print(f"'{path}' has no run_kernel: nothing was verified", file=sys.stderr)
            return 2
        module.run_kernel(getattr(Backend, args.backend), None)
    except AssertionError as error:
        print(f"FAIL {error}", file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
