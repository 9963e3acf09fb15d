"""`tilesmith prof`: the model's time of a script's launches."""

from tilesmith import script, terminal
from tilesmith.schemas import LAUNCHES

EXAMPLES = """
examples:
  tilesmith prof kernels/softmax.py
  tilesmith prof kernels/gelu.py -v Ascend950PR_9599 --shape 1024x1024
  tilesmith prof kernels/gelu.py --json
"""

SCHEMA = LAUNCHES


def add_parser(commands):
    return script.add_parser(commands, "prof", "run a kernel script and print the model's time of every launch", examples=EXAMPLES)


def command(args):
    from asc.runtime import profile

    script.prepare(args)
    with profile.profile() as report:
        code = script.run(args)
    script.note_launches(args, report)
    if not args.json and (report.launches or not args.host_launches):  # a host program has told its times itself
        terminal.say(report)
    return code
