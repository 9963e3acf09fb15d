"""`tilesmith cache`: the compiled kernels on disk."""

from tilesmith.schemas import count, text

EXAMPLES = """\
examples:
  tilesmith cache show
  tilesmith cache clear
"""

SCHEMA = {
    "properties": {
        "folder": text("of compiled kernels"),
        "kernels": count("in it, or removed"),
        "bytes": count("of them"),
        "cleared": {"type": "boolean"},
    },
    "required": ["folder", "kernels", "bytes", "cleared"],
}


def add_parser(commands):
    text = "show or clear the compiled kernels on disk"
    sub = commands.add_parser("cache", help=text, description=text[0].upper() + text[1:] + ".", epilog=EXAMPLES)
    sub.add_argument("action", choices=["show", "clear"])
    return sub


def command(args):
    from asc.runtime import cache

    cleared = args.action == "clear"
    kernels, size = cache.clear() if cleared else cache.usage()
    args.document.update(folder=cache.folder(), kernels=kernels, bytes=size, cleared=cleared)
    if not args.json:
        print(
            f"{'removed ' if cleared else ''}{kernels} kernels, {size / 1e6:.1f} MB, {'from' if cleared else 'in'} {cache.folder()}"
        )
    return 0
