"""OL42: There is a device, and the test runs on the simulator unless it is told otherwise."""

import glob
import re

RULE = {
    "id": "OL42",
    "name": "sim-on-device",
    "severity": "S1",
    "role": "py",
    "file": "test_{op}.py",
    "stages": [5, 6],
    "what": "There is a device, and the test runs on the simulator unless it is told otherwise.",
    "why": "What was to be shown on the chip was shown on the model.",
    "use": "--run_mode npu as the default",
    "bad": """\
parser.add_argument("--run_mode", default="sim")
""",
    "good": """\
parser.add_argument("--run_mode", default="npu")
""",
}


def check(folder, tell):
    text = folder.text("test_{op}.py") or ""
    if not glob.glob("/dev/davinci[0-9]*"):
        return
    if match := re.search(r"run_mode[^\n]*default\s*=\s*[\"']sim[\"']", text):
        tell("the test runs on the simulator although there is a device", "test_{op}.py", text.count("\n", 0, match.start()) + 1)
