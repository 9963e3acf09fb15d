"""One run of a kernel's script, a process: `ANSWER`, and the job as JSON on stdin. It writes what was launched and compared, and how the
script ended.

With poison every launch's results are replaced by bytes nobody can guess: a script that compares them with what is expected fails.
"""

import json
import os
import runpy
import sys
import traceback


def main(answer):
    import _tilesmith
    import numpy as np
    from asc.runtime import profile

    from tilesmith import npu_autoload
    from tilesmith.workflow.witness import Witness, saved

    job = json.loads(sys.stdin.read())
    script = job["script"]
    npu_autoload.install()
    folder = os.path.dirname(os.path.abspath(script))
    sys.path.insert(0, folder)
    os.chdir(folder)
    sys.argv = [script, "-r", "Model", "-v", job["platform"], *job["words"]]
    witness = Witness(job["last"])
    witness.install()
    error = None
    with profile.check() as report:
        if job["poison"]:
            _tilesmith.set_settings(poison=job["poison"], raise_findings=False)
        job = None  # nothing to be found by who looks for it
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as exit:
            error = None if exit.code in (None, 0) else f"exit code {exit.code}"
        except BaseException as raised:
            error = "".join(traceback.format_exception_only(type(raised), raised)).strip().splitlines()[0]
    facts = report.to_json()
    launches = [
        {name: launch.get(name) for name in ("kernel", "elements", "dtype", "platform", "time_us", "bound_us")}
        | {"written": _written(launch), "types": sorted({str(array[1]) for array in launch.get("arrays") or ()})}
        for launch in facts["launches"]
    ]
    findings = [finding["rendered"].splitlines()[0] for finding in facts["findings"]]
    comparisons, arrays = saved(witness.seen)
    content = {"error": error, "launches": launches, "findings": findings, "comparisons": comparisons}
    np.savez(answer, facts=np.frombuffer(json.dumps(content).encode(), np.uint8), **arrays)


def _written(launch):
    return [
        {"dtype": it["dtype"], "elements": it["elements"], "bytes": it["written"]}
        for it in launch.get("traffic") or ()
        if it.get("written")
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
