"""The page of names is what the headers have."""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_names_is_up_to_date():
    spec = importlib.util.spec_from_file_location("names", ROOT / "tools/names.py")
    names = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(names)
    text = names.document()
    assert (ROOT / "docs/names.md").read_text() == text, "run ./dev run tools/names.py"
    # A name that a macro makes, one the table makes, one that is written, one that is known to be missing.
    for name in ("`asc_add_sync`", "`WholeReduceSum`", "`Mull`", "`ListTensorDesc`"):
        assert name in text


def test_the_page_of_asc_names_is_what_the_declarations_say():
    done = subprocess.run([sys.executable, ROOT / "tools/asc_names.py", "--check"], check=False)
    assert done.returncode == 0, "./dev run tools/asc_names.py writes docs/asc-names.md"
