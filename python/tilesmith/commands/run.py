"""`tilesmith run`: a script on the model."""

from tilesmith import script
from tilesmith.schemas import LAUNCHES

EXAMPLES = """
examples:
  tilesmith run kernels/softmax.py
  tilesmith run kernels/softmax.py -v Ascend950PR_9599 --shape 512x1000
  tilesmith run add.cpp --kernel add_custom --blocks 8 --arg x.npy --arg y.npy --out z.npy
"""

SCHEMA = {"properties": LAUNCHES["properties"], "required": ["script"]}


def add_parser(commands):
    return script.add_parser(commands, "run", "run a kernel script on the model", examples=EXAMPLES)


def command(args):
    from asc.runtime import profile

    script.prepare(args)
    with profile.profile() if args.json else profile.launch_mode() as report:
        code = script.run(args)
    if report is not None:
        script.note_launches(args, report)
    return code
