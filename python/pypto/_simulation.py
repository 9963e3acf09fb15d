"""Run modes: what a launch in SIM leaves behind, and what one in NPU says when the model stands for the chip."""

import os
import sys
from contextlib import contextmanager

import asc

from pypto._types import RunMode
from pypto.error import PyptoError, coded

_said = False


@contextmanager
def checking():
    """Runs a launch with the order checker. The first finding is an error."""
    with asc.check() as report:
        yield
    if report.findings:
        raise PyptoError(coded(report.findings[0]["rendered"], "RuntimeError"))


@contextmanager
def running(mode):
    """Runs a launch as its mode asks. In SIM its timeline is left where programs look for it, below the working folder."""
    if mode is RunMode.SIM:
        from asc.runtime.profile import Report, watching
        from tilesmith.look import trace

        with watching(Report(), "traced") as report:
            yield
        folder = os.path.join("output", f"output_{os.getpid()}", "CostModelSimulationOutput")
        os.makedirs(folder, exist_ok=True)
        trace.write(os.path.join(folder, "merged_swimlane.json"), report)
        return
    global _said
    if mode is RunMode.NPU and not _said and not os.environ.get("ASCEND_HOME_PATH"):
        _said = True
        print("pypto: no CANN is here: RunMode.NPU runs on the model of the chip", file=sys.stderr)
    yield
