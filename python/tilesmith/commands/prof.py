"""`tilesmith prof`: the model's time of a script's launches, as text, as a trace, as a page; and two of them compared."""

from tilesmith import script, terminal
from tilesmith.document import Failure
from tilesmith.schemas import LAUNCHES, listed, number, text

EXAMPLES = """
examples:
  tilesmith prof kernels/softmax.py
  tilesmith prof kernels/gelu.py -v Ascend950PR_9599 --shape 1024x1024
  tilesmith prof kernels/softmax.py --html softmax.html     timeline, source, roofline, memory in one page
  tilesmith prof kernels/softmax.py --trace softmax.json    for ui.perfetto.dev; .json.gz is compressed
  tilesmith prof kernels/gelu.py --json > before.json
  tilesmith prof --compare before.json after.json           also with --html
"""

SCHEMA = {
    "properties": {
        **LAUNCHES["properties"],
        "trace": text("the file --trace wrote"),
        "html": text("the file --html wrote"),
        "before_us": number("--compare: of all launches of the first document"),
        "after_us": number("and of the second"),
        "pairs": listed({"type": "object"}, "--compare: kernel, before_us, after_us, notes, parts, lines"),
    },
    "required": [],
}


def add_parser(commands):
    help = "run a kernel script and print the model's time of every launch"
    parser = script.add_parser(commands, "prof", help, examples=EXAMPLES, required=False)
    parser.add_argument(
        "--trace", metavar="FILE", help="write every instruction as a trace that Perfetto and chrome://tracing read"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with the timeline and everything about the launches")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"), help="compare two documents of --json; runs no script")
    return parser


def command(args):
    if args.compare:
        return compare(args)
    if args.script is None:
        raise Failure("prof needs a script, or --compare with two documents")
    import os

    from asc.runtime import profile

    script.prepare(args)
    pictures = args.trace or args.html
    if pictures:
        check_writable(args.trace, args.html, keep=[args.script])
        if args.trace and args.html and os.path.abspath(args.trace) == os.path.abspath(args.html):
            raise Failure("--trace and --html name the same file")
        from tilesmith.look.recording import recording

        watch = recording()
    else:
        watch = profile.profile()
    with watch as report:
        code = script.run(args)
    script.note_launches(args, report)
    if not args.json and (report.launches or not args.host_launches):  # a host program has told its times itself
        terminal.say(report)
    if pictures:
        write_pictures(args, report)
        code = code or int(any(finding["severity"] == "error" for finding in report.findings))  # they were not raised
    return code


def check_writable(*paths, keep=()):
    """A run may be long; that its result cannot be written is said before. Files in `keep` are not written over."""
    import os

    for path in filter(None, paths):
        folder = os.path.dirname(os.path.abspath(path))
        if os.path.isdir(path):
            raise Failure(f"cannot write '{path}': it is a folder")
        if not os.path.isdir(folder):
            raise Failure(f"cannot write '{path}': there is no folder '{folder}'")
        if not os.access(folder, os.W_OK):
            raise Failure(f"cannot write '{path}': no right to write into '{folder}'")
        if any(os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other) for other in keep):
            raise Failure(f"'{path}' would be written over; give another name")


def write_pictures(args, report):
    import os
    import sys

    from tilesmith import pages
    from tilesmith.look import page, trace, units

    said = sys.stderr if args.json else sys.stdout
    if report.dropped:
        print(
            f"timelines of {units.plural(report.dropped, 'launch')} were left out: together they have too many instructions",
            file=said,
        )
    try:
        if args.trace:
            print(trace.describe(args.trace, trace.write(args.trace, report)), file=said)
            args.document["trace"] = args.trace
        if args.html:
            pages.write(args.html, page.render(report, os.path.basename(args.script)))
            print(f"wrote {args.html}: {units.size(os.path.getsize(args.html))}", file=said)
            args.document["html"] = args.html
    except trace.NothingToShow as error:
        of_host = "launches of a host program have no timeline; give the kernel's source instead, with --kernel"
        raise Failure(of_host if args.host_launches else str(error), code=1) from None
    except OSError as error:
        raise Failure(f"cannot write '{error.filename}': {error.strerror}", code=1) from None


def compare(args):
    import os

    from tilesmith.look import compare as comparing

    if args.script is not None or args.trace:
        raise Failure("--compare runs no script and writes no trace: give two documents of `tilesmith prof --json`")
    check_writable(args.html, keep=args.compare)
    try:
        before, after = map(comparing.read, args.compare)
    except comparing.Unreadable as error:
        raise Failure(str(error)) from None
    names = tuple(map(os.path.basename, args.compare))
    args.document.update(comparing.facts(before, after))
    if not args.json:
        print(comparing.text(before, after, names))
    if args.html:
        from tilesmith import pages

        pages.write(args.html, comparing.html(before, after, names))
        args.document["html"] = args.html
    return 0
