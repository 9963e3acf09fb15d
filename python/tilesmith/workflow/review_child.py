"""One run of a kernel's script, a process: `SCRIPT PLATFORM POISON ANSWER WORDS...`. It writes what was launched, and how the script ended.

With poison every launch's results are replaced by bytes nobody can guess: a script that compares them with what is expected fails.
"""

import json
import os
import runpy
import sys
import traceback


def main(script, platform, poison, answer, *words):
    import _tilesmith
    from asc.runtime import profile

    from tilesmith import npu_autoload

    npu_autoload.install()
    folder = os.path.dirname(os.path.abspath(script))
    sys.path.insert(0, folder)
    os.chdir(folder)
    sys.argv = [script, "-r", "Model", "-v", platform, *words]
    error = None
    with profile.check() as report:
        if poison:
            _tilesmith.set_settings(poison=poison, raise_findings=False)
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as exit:
            error = None if exit.code in (None, 0) else f"exit code {exit.code}"
        except BaseException as raised:
            error = "".join(traceback.format_exception_only(type(raised), raised)).strip().splitlines()[0]
    facts = report.to_json()
    launches = [
        {
            "kernel": launch["kernel"],
            "elements": launch.get("elements"),
            "dtype": launch.get("dtype"),
            "platform": launch.get("platform"),
        }
        | {"time_us": launch.get("time_us"), "bound_us": launch.get("bound_us")}
        for launch in facts["launches"]
    ]
    findings = [finding["rendered"].splitlines()[0] for finding in facts["findings"]]
    with open(answer, "w") as file:
        json.dump({"error": error, "launches": launches, "findings": findings}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
