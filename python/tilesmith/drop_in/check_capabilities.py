"""`check_capabilities.py [--capabilities FILE] [--json] [-v] [--soft-runtime]` for pipelines that call a script of this name: it is `tilesmith capabilities check`, with the same arguments and exit codes. It runs by its path,
whether Tilesmith is installed or this is a checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])  # not the folder of these scripts

import argparse  # noqa: E402
import json  # noqa: E402

from tilesmith.workflow import capabilities  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--capabilities", default="capabilities.yaml")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--soft-runtime", action="store_true")
    args = parser.parse_args()
    verdict = capabilities.check(args.capabilities, args.soft_runtime)
    if args.json:
        print(json.dumps(verdict, indent=2))
    else:
        for text in verdict["failures"]:
            print(f"FAIL {text}")
        for text in verdict["warnings"] if args.verbose or args.soft_runtime else []:
            print(f"warning: {text}")
        print(f"{verdict['total_cells']} cells: {verdict['status']}")
    return 1 if verdict["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
