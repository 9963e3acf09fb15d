"""`tilesmith platforms`: the parts that have a model, with the numbers people ask for."""

from tilesmith.document import Failure
from tilesmith.schemas import count, listed, text

EXAMPLES = """\
examples:
  tilesmith platforms
  tilesmith platforms Ascend950PR_9599
  TILESMITH_PLATFORM_PATH=my.platform tilesmith platforms --json
"""

_PART = {
    "type": "object",
    "properties": {
        "name": text("of the part"),
        "arch": {"enum": ["c220", "c310"]},
        "vector_cores": count("of the part"),
        "cube_cores": count("of the part"),
        "clock_mhz": count("of its cores"),
        "max_blocks": count("of a launch"),
        "hbm_mbps": count("bandwidth of reads, MB/s"),
        "hbm_write_mbps": count("bandwidth of writes, MB/s"),
        "l2_mbps": count("bandwidth of hits, MB/s"),
        "l2_bytes": count("of the L2 cache"),
        "memories": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "bytes, by name"},
    },
    "required": ["name", "arch", "vector_cores", "cube_cores", "clock_mhz", "hbm_mbps", "l2_mbps", "l2_bytes", "memories"],
}

SCHEMA = {"properties": {"platforms": listed(_PART, "in the order of their names")}, "required": ["platforms"]}


def add_parser(commands):
    text = "list the parts that have a model: cores, clock, memories, bandwidths"
    sub = commands.add_parser(
        "platforms",
        help=text,
        description="List the parts that have a model: cores, clock, memories, bandwidths. Parts of your own come from the files in "
        "TILESMITH_PLATFORM_PATH (docs/platforms.md).",
        epilog=EXAMPLES,
    )
    sub.add_argument("names", nargs="*", metavar="NAME", help="only these (default: all)")
    return sub


def size(count):
    """Bytes for people: 192 KiB."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024 or count % 1024:
            return f"{count:.0f} {unit}" if count == int(count) else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.0f} GiB"


def rate(mbps):
    """Bandwidth for people: 1.48 TB/s."""
    return f"{mbps / 1e6:.2f} TB/s"


def table(parts):
    """The parts as lines of columns, and a line for what the memories are."""
    head = ["part", "arch", "vector", "cube", "MHz", "GM", "HBM", "L2", "L2 hits", "UB", "L1", "L0A", "L0B", "L0C"]
    rows = [
        [
            part["name"],
            part["arch"],
            str(part["vector_cores"]),
            str(part["cube_cores"]),
            str(part["clock_mhz"]),
            size(part["memories"]["GM"]),
            rate(part["hbm_mbps"]),
            size(part["l2_bytes"]),
            rate(part["l2_mbps"]),
            *(size(part["memories"][name]) for name in ("UB", "L1", "L0A", "L0B", "L0C")),
        ]
        for part in parts
    ]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [head, *rows]]
    return "\n".join([*lines, "vector, cube: cores; UB of each vector core, L1 and L0 of each cube core"])


def command(args):
    from importlib import import_module

    from tilesmith.arguments import suggestion

    import_module("tilesmith.extension")  # it says why it cannot be loaded
    import _tilesmith

    known = _tilesmith.platforms()
    for name in args.names:
        if name not in known:
            raise Failure(f"no platform is called '{name}'{suggestion(name, known)}")
    parts = [_tilesmith.describe_platform(name) for name in args.names or known]
    args.document["platforms"] = parts
    if not args.json:
        print(table(parts))
    return 0
