"""The end of a tool that writes files: `outputs()` gives (path, text) of each; `--check` only compares."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(tool, outputs, summary):
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("--check", action="store_true", help="compare only")
    args = parser.parse_args()
    stale = [(path, text) for path, text in outputs() if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if args.check:
            print(f"{path.relative_to(ROOT)} is not what {Path(tool).relative_to(ROOT)} writes", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return bool(args.check and stale)
