"""Launching under observation."""

import asc


def launch(kernel, blocks, *args, **constants):
    """Runs the kernel; it must be clean in checked mode and give the same bytes however late instructions run."""
    with asc.check() as report:
        kernel[blocks](*args, **constants)
    assert not report.findings, "\n".join(map(str, report.findings))
