"""`tilesmith run|prof|check kernel.cpp`: people's own Ascend C from the command line."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

from tilesmith.arguments import Parser

SUFFIXES = (".cpp", ".cc", ".cxx", ".cce", ".asc")

EXAMPLE = "tilesmith run add.cpp --kernel add_custom --blocks 8 --arg x.npy --arg y.npy --out z.npy"


class _Positional(argparse.Action):
    """--arg and --out stand for the kernel's parameters in the order they are given."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.arguments = [*(namespace.arguments or []), (option, value)]


def parser(command):
    main = Parser(
        prog=f"tilesmith {command} KERNEL.cpp",
        epilog=f"example: {EXAMPLE}",
        description="Compile an Ascend C kernel with the host's compiler and run it on the model.",
    )
    main.add_argument("--kernel", help="name of the kernel; may be left out when the source has one")
    main.add_argument("--blocks", type=int, default=1, help="number of blocks (default 1)")
    main.add_argument(
        "--arg",
        dest="arguments",
        action=_Positional,
        metavar="VALUE",
        help="next parameter: a .npy array, the bytes of another file, or a number",
    )
    main.add_argument(
        "--out",
        dest="arguments",
        action=_Positional,
        metavar="FILE[:DTYPE[:SHAPE]]",
        help="next parameter: an array of zeros, written to FILE.npy after the run; like the first array unless "
        "dtype and shape (64x1024) are given",
    )
    main.add_argument("--seed", type=int, help="fill --out arrays with random bytes of this seed instead of zeros")
    main.add_argument("--compiler", help="C++ compiler (default: CXX, else clang++ or g++)")
    main.add_argument("--timeout", type=float, default=60.0, help="seconds a launch may take (default 60; 0: no limit)")
    main.add_argument(
        "--host",
        nargs="*",
        metavar="FILE",
        help="the source is a host program that launches its kernels (kernel<<<...>>> or ICPU_RUN_KF): compile it (with more "
        "sources) and run it; arguments of the program come after --",
    )
    return main


def _split_options(arguments):
    """-D and -I go to the compiler as they are."""
    ours, options = [], []
    for argument in arguments:
        (options if re.match(r"-[DI].", argument) else ours).append(argument)
    return ours, options


def _has_main(path):
    from asc.runtime.ascendc.source import quiet

    with open(path, encoding="utf-8", errors="replace") as file:
        return re.search(r"\b(?:int|int32_t|auto)\s+main\s*\(", quiet(file.read())) is not None


def _number(text):
    for kind in (lambda t: int(t, 0), float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


def _load(value, error):
    import numpy as np

    number = _number(value)
    if number is not None:
        return number
    if not os.path.isfile(value):
        error(f"--arg {value}: neither a number nor a file")
    if value.endswith(".npy"):
        try:
            return np.load(value)
        except (ValueError, OSError) as problem:
            error(f"--arg {value}: {problem}")
    with open(value, "rb") as file:
        return np.frombuffer(file.read(), dtype=np.uint8)


def _output(value, like, seed, error):
    import numpy as np

    file, _, rest = value.partition(":")
    dtype, _, shape = rest.partition(":")
    if like is None and not (dtype and shape):
        error(f"--out {value}: no array comes before it to be like; give dtype and shape, as in {file}:float32:1024")
    try:
        shape = tuple(int(size) for size in shape.split("x")) if shape else like.shape
        array = np.zeros(shape, np.dtype(dtype) if dtype else like.dtype)
    except (TypeError, ValueError) as problem:
        error(f"--out {value}: {problem}")
    if seed is not None:
        array.reshape(-1).view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, array.nbytes, dtype=np.uint8)
    return file, array


def _run_host_program(command, sources, arguments, compiler, options, launches):
    """Compiles a program that launches its kernels itself and runs it; its status is ours, and `launches` gets its launches."""
    import _tilesmith
    from asc.runtime.ascendc import Builder, architecture
    from asc.runtime.profile import current_mode

    architecture.check(options)
    if any(architecture.asks(source, options) for source in sources):
        options = [*architecture.flags(options), *options]
    program = Builder(compiler, options).build_program(sources)
    mode = {"prof": "timed", "check": "checked"}.get(command, current_mode())
    with tempfile.NamedTemporaryFile("r", prefix="tilesmith-", suffix=".jsonl") as notes:
        environment = dict(
            os.environ, TILESMITH_MODE=mode, TILESMITH_PLATFORM=_tilesmith.current_platform(), TILESMITH_LAUNCHES=notes.name
        )
        sys.stdout.flush()
        status = subprocess.run([program, *arguments], env=environment).returncode
        launches += [json.loads(line) for line in notes if line.endswith("\n")]
    if status < 0:
        print(f"tilesmith: error: the program was ended by {signal.Signals(-status).name}", file=sys.stderr)
        return 1
    return status


def run(command, path, arguments, launches):
    """Runs the kernel as the command line says. Returns the exit code; `launches` gets those of a host program."""
    import asc
    import numpy as np

    arguments, options = _split_options(arguments)
    main = parser(command)
    rest = arguments.index("--") if "--" in arguments else len(arguments)
    args = main.parse_args(arguments[:rest])
    if args.host is not None:
        return _run_host_program(command, [path, *args.host], arguments[rest + 1 :], args.compiler, options, launches)
    if not args.kernel and not args.arguments and _has_main(path):
        main.error(
            f"{path} has a main(): run it as a program by --host, or launch one of its kernels by --kernel and --arg\n"
            f"example: tilesmith {command} {path} --host"
        )
    library = asc.load_ascendc(
        path, kernels=[args.kernel] if args.kernel else None, compiler=args.compiler, options=options, timeout=args.timeout or None
    )
    if not args.kernel and len(library) > 1:
        main.error(f"the source has several kernels; choose one by --kernel: {', '.join(library)}")
    kernel = library[args.kernel or next(iter(library))]
    values, outputs, like = [], [], None
    for option, value in args.arguments or []:
        if option == "--arg":
            values.append(_load(value, main.error))
        else:
            file, array = _output(value, like, args.seed, main.error)
            outputs.append((file, array))
            values.append(array)
        if like is None and isinstance(values[-1], np.ndarray):
            like = values[-1]
    try:
        kernel[args.blocks](*values)
    except (TypeError, ValueError, OverflowError) as problem:
        main.error(str(problem))
    for file, array in outputs:
        np.save(file, array)
    return 0
