"""`check_env.py` for pipelines that call a script of this name: it is `tilesmith doctor`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

import os  # noqa: E402


def main():
    errors = []
    if not (3, 9) <= sys.version_info[:2]:
        errors.append(f"Python {sys.version_info[0]}.{sys.version_info[1]} is older than 3.9")
    for name in ("numpy", "asc2"):
        try:
            __import__(name)
        except ImportError as error:
            errors.append(f"{name} cannot be imported: {error}")
    home = os.environ.get("ASCEND_HOME_PATH")
    if home and not os.path.isdir(home):
        errors.append(f"ASCEND_HOME_PATH is '{home}', which is not there")
    for text in errors:
        print(f"ERROR {text}")
    print("the environment is complete" if not errors else f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
