"""Writes docs/schema.json: what the command line prints with `--json`. `--check` only compares."""

import argparse
import json
import sys
from pathlib import Path

from tilesmith import schemas

PAGE = Path(__file__).resolve().parents[1] / "docs/schema.json"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if the file is not as it would be written")
    args = parser.parse_args()
    text = json.dumps(schemas.everything(), indent=2) + "\n"
    if args.check:
        return 0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} is old; run ./dev run tools/schema.py"
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
