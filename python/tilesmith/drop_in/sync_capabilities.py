"""`sync_capabilities.py [--capabilities FILE] [--evidence-dir DIR] [--dry-run]` for pipelines that call a script of this name: it is `tilesmith capabilities sync`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

from tilesmith.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(["capabilities", "sync", *sys.argv[1:]]))
