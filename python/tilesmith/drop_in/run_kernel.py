"""`run_kernel.py KERNEL [BACKEND] [PLATFORM]` for pipelines that call a script of this name: it is `tilesmith run KERNEL -- -r BACKEND -v PLATFORM`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

from tilesmith.__main__ import main  # noqa: E402

if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: run_kernel.py KERNEL [BACKEND=Model] [PLATFORM=Ascend950PR_9599]", file=sys.stderr)
        sys.exit(1)
    kernel, backend, platform = (sys.argv[1:] + ["Model", "Ascend950PR_9599"][len(sys.argv) - 2 :])[:3]
    sys.exit(1 if main(["run", kernel, "--", "-r", backend, "-v", platform]) else 0)
