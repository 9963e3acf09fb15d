"""The IR shown in ARCHITECTURE.md is what the compiler does today."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_architecture_page_is_current():
    result = subprocess.run([sys.executable, ROOT / "tools" / "architecture.py", "--check"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
