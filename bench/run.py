"""The bench: one run, one table, every figure beside a peer's.

Absolute times mean little on a shared machine, so everything is a ratio against a peer measured in the same run: rounds of
ours and the peers alternate, and medians are compared. `./dev bench --help` lists the options.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "kernels"))

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
THREADS = min(2, os.cpu_count())


def alternate(functions, seconds, rounds_at_least=5):
    """Median time of each function; one call of every function per round, until the time is used up."""
    times = {name: [] for name in functions}
    for call in functions.values():
        call()
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < rounds_at_least or time.perf_counter() < end:
        for name, call in functions.items():
            begin = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - begin)
        rounds += 1
    return {name: statistics.median(values) for name, values in times.items()}


# ---- first launches, each in a process of its own --------------------------------------------------------------------

FIRST_LAUNCH = """
import sys, time, json
sys.path.insert(0, {kernels!r})
import numpy as np
begin = time.perf_counter()
import asc, asc2
imported = time.perf_counter() - begin
import golden
golden.use({platform!r})
import {module}, {second}
times = []
for kernel, arguments in (({module}.{launch}, {args}), ({second}.{second_launch}, {second_args})):
    arguments = [np.ones(shape, dtype) for shape, dtype in arguments]
    begin = time.perf_counter()
    kernel(*arguments)
    times.append(time.perf_counter() - begin)
print(json.dumps(dict(imported=imported, first=times[0], further=times[1])))
"""

FLAT = "[((4096,), 'float32')] * 2"
FLAT3 = "[((4096,), 'float32')] * 3"
ROWS = "[((64, 1024), 'float32')] * 2"
FIRST = {
    "abs": ("abs", "abs_launch", FLAT),
    "gelu": ("gelu", "gelu_launch", FLAT),
    "softmax": ("softmax", "softmax_launch", ROWS),
    "rms_norm": ("rms_norm", "rms_norm_launch", "[((64, 1024), 'float32'), ((1024,), 'float32'), ((64, 1024), 'float32')]"),
    "matmul": ("matmul", "matmul_launch", "[((128, 128), 'float16')] * 2 + [((128, 128), 'float32')]"),
}


def first_launches(platform, rounds):
    for name, (module, launch, arguments) in FIRST.items():
        code = FIRST_LAUNCH.format(
            kernels=str(ROOT / "kernels"),
            platform=platform,
            module=module,
            launch=launch,
            args=arguments,
            second="add" if name != "add" else "mul",
            second_launch="add_launch",
            second_args=FLAT3,
        )
        cold, warm, further = [], [], []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as cache:
                env = dict(os.environ, PYASC_CACHE_DIR=cache)
                for into in (cold, warm):
                    result = json.loads(
                        subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout
                    )
                    into.append(result["first"])
                further.append(result["further"])
        yield name, statistics.median(cold), statistics.median(warm), statistics.median(further)


def import_time(rounds):
    # Naming asc2.jit loads the extension module and with it LLVM and MLIR, which a bare import leaves for later.
    code = "import time, numpy; t = time.perf_counter(); import asc2; asc2.jit; print(time.perf_counter() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(rounds)
    ]
    return statistics.median(times)


def unrolled(quick):
    """Time of one launch that compiles, with growing unroll factors: it should grow as the kernel does."""
    import numpy as np
    import unrolled as kernels

    x, y = np.ones(4096, np.float32), np.empty(4096, np.float32)
    a, c = np.ones((64, 64), np.float16), np.empty((64, 64), np.float32)
    calls = {f"plain {u}": lambda u=u: kernels.plain[1](x, y, x.size, tile=64, unroll=u) for u in (1, 8, 16, 32, 64)}
    calls |= {
        f"matmul {o} x {i}": lambda o=o, i=i: kernels.matmul[1](a, a, c, 64, 64, 64, tile=32, outer=o, inner=i)
        for o, i in ((1, 1), (2, 2), (3, 2), (4, 4))
    }
    for name, call in calls.items():
        times = []
        for _ in range(1 if quick else 3):
            begin = time.perf_counter()
            call()
            times.append(time.perf_counter() - begin)
        yield name, statistics.median(times)


# ---- throughput ------------------------------------------------------------------------------------------------------


def throughput_cases(quick):
    """name, launch, arrays to launch with, NumPy peer, torch peer, bytes of a copy as big as the work's traffic."""
    import abs as abs_kernel
    import add
    import gelu
    import leaky_relu
    import matmul
    import mul
    import numpy as np
    import reduce_sum
    import rms_norm
    import softmax
    import sub
    import torch

    n = 1 << (20 if quick else 24)
    side = 1024 if quick else 4096
    rng = np.random.default_rng(0)

    def flat(dtype):
        return rng.uniform(-4, 4, n).astype(dtype)

    def pair(dtype):
        x = flat(dtype)
        return x, np.empty_like(x), torch.from_numpy(x), torch.empty_like(torch.from_numpy(x))

    for dtype in ("float32", "float16"):
        x, y, tx, ty = pair(dtype)
        z, out = flat(dtype), np.empty_like(x)
        tz, tout = torch.from_numpy(z), torch.from_numpy(out)
        yield (
            f"abs {dtype}",
            lambda x=x, y=y: abs_kernel.abs_launch(x, y),
            lambda x=x, y=y: np.abs(x, out=y),
            lambda tx=tx, ty=ty: torch.abs(tx, out=ty),
            (x, y),
        )
        for module, name, peer in ((add, "add", np.add), (sub, "sub", np.subtract), (mul, "mul", np.multiply)):
            yield (
                f"{name} {dtype}",
                lambda x=x, z=z, o=out, m=module, k=name: getattr(m, k + "_launch")(x, z, o),
                lambda x=x, z=z, o=out, p=peer: p(x, z, out=o),
                lambda tx=tx, tz=tz, to=tout, k=name: getattr(torch, k)(tx, tz, out=to),
                (x, out),
            )
        for form, approximate in (("gelu erf", "none"), ("gelu tanh", "tanh")):
            yield (
                f"{form} {dtype}",
                lambda x=x, y=y, a=approximate: gelu.gelu_launch(x, y, a),
                None,
                lambda tx=tx, a=approximate: torch.nn.functional.gelu(tx, approximate=a),
                (x, y),
            )
        yield (
            f"leaky_relu {dtype}",
            lambda x=x, y=y: leaky_relu.leaky_relu_launch(x, y, 0.1),
            None,
            lambda tx=tx: torch.nn.functional.leaky_relu(tx, 0.1),
            (x, y),
        )
        m = rng.uniform(-4, 4, (side, side)).astype(dtype)
        r, sums = np.empty_like(m), np.empty(side, dtype)
        gamma = rng.uniform(-1, 1, side).astype(dtype)
        tm, tg = torch.from_numpy(m), torch.from_numpy(gamma)
        yield (
            f"row_sum {dtype}",
            lambda m=m, s=sums: reduce_sum.row_sum_launch(m, s),
            lambda m=m: m.sum(axis=1),
            lambda tm=tm: tm.sum(1),
            (m, r),
        )
        yield f"softmax {dtype}", lambda m=m, r=r: softmax.softmax_launch(m, r), None, lambda tm=tm: torch.softmax(tm, 1), (m, r)
        yield (
            f"rms_norm {dtype}",
            lambda m=m, g=gamma, r=r: rms_norm.rms_norm_launch(m, g, r),
            None,
            lambda tm=tm, tg=tg: torch.nn.functional.rms_norm(tm, tg.shape, tg),
            (m, r),
        )
    for size in (256,) if quick else (512, 1024):
        a, b = (rng.uniform(0, 1, (size, size)).astype("float16") for _ in range(2))
        c = np.empty((size, size), np.float32)
        fa, fb = a.astype(np.float32), b.astype(np.float32)
        ta, tb = torch.from_numpy(fa), torch.from_numpy(fb)
        yield (
            f"matmul {size}^3 float16",
            lambda a=a, b=b, c=c: matmul.matmul_launch(a, b, c),
            lambda a=fa, b=fb, c=c: np.matmul(a, b, out=c),
            lambda a=ta, b=tb: a @ b,
            None,
        )


def throughput(platform, seconds, quick):
    import asc
    import golden
    import torch

    torch.set_num_threads(THREADS)
    golden.use(platform)

    def copy(pair):
        x, y = torch.from_numpy(pair[0]), torch.from_numpy(pair[1])
        return lambda: y.copy_(x)

    for name, launch, numpy_peer, torch_peer, copied in throughput_cases(quick):

        def observed(launch=launch):
            with asc.launch_mode(mode="checked"):
                launch()

        functions = {"fast": launch, "checked": observed, "torch": torch_peer}
        if numpy_peer:
            functions["numpy"] = numpy_peer
        if copied:
            functions["copy"] = copy(copied)
        times = alternate(functions, seconds)
        with asc.profile() as profile:
            launch()
        times["core_cycles"] = profile.core_cycles
        yield name, times


def overhead(seconds):
    """Launches of one element: ours with numpy and torch arguments beside np.abs on the same array."""
    import abs as abs_kernel
    import golden
    import numpy as np
    import torch

    golden.use(PLATFORMS[0])
    x, y = np.ones(1, np.float32), np.empty(1, np.float32)
    tx, ty = torch.from_numpy(x), torch.from_numpy(y)
    bound = abs_kernel.abs_kernel[1]
    repeat = 1000

    def many(call):
        def run():
            for _ in range(repeat):
                call()

        return run

    times = alternate(
        {
            "numpy": many(lambda: bound(x, y, 1, tile=64)),
            "torch": many(lambda: bound(tx, ty, 1, tile=64)),
            "np.abs": many(lambda: np.abs(x, out=y)),
        },
        seconds,
    )
    return {name: value / repeat for name, value in times.items()}


# ---- kernels written in C++ ------------------------------------------------------------------------------------------

CPP_LAUNCH = """
import json, sys, time
import numpy as np
import asc
x, y = np.ones((2, 512), np.float16), np.ones((2, 512), np.float16)
ones, mean = np.ones(512, np.float32), np.ones(2, np.float32)
asc.launch_mode  # what a bare import leaves for later
begin = time.perf_counter()
kernel = asc.load_ascendc(sys.argv[1])[sys.argv[2]]
kernel[1](*((x, ones, ones, y, mean, 2, 512, 1e-5) if sys.argv[2] == "layer_norm" else (x, x, y, 1024)))
first = time.perf_counter() - begin
times = []
for _ in range(200):
    begin = time.perf_counter()
    kernel[1](*((x, ones, ones, y, mean, 2, 512, 1e-5) if sys.argv[2] == "layer_norm" else (x, x, y, 1024)))
    times.append(time.perf_counter() - begin)
print(json.dumps(dict(first=first, further=sorted(times)[100])))
"""


def cpp_kernels(rounds):
    """Medians of: a source of 200 lines from nothing, with the precompiled header, from the cache, one more launch of it; and
    two runs of the command line."""
    import numpy as np

    sources = ROOT / "kernels" / "ascendc"
    times = {name: [] for name in ("cold", "compiled", "cached", "further", "run", "run again")}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            env = dict(os.environ, PYASC_CACHE_DIR=os.path.join(folder, "cache"))

            def python(*arguments):
                return subprocess.run([sys.executable, *arguments], env=env, check=True, capture_output=True, text=True).stdout

            def launched(source, kernel):
                return json.loads(python("-c", CPP_LAUNCH, str(sources / source), kernel))

            times["cold"].append(launched("layer_norm_rows.cpp", "layer_norm")["first"])
            times["compiled"].append(launched("add_custom.cpp", "add_custom")["first"])
            result = launched("layer_norm_rows.cpp", "layer_norm")
            times["cached"].append(result["first"])
            times["further"].append(result["further"])
            for name in "xyz":
                np.save(os.path.join(folder, name + ".npy"), np.ones(1024, np.float16))
            for name in ("run", "run again"):
                begin = time.perf_counter()
                python(
                    "-m",
                    "tilesmith",
                    "run",
                    str(sources / "silu.cpp"),
                    "--kernel",
                    "silu",
                    "--blocks",
                    "1",
                    "--arg",
                    os.path.join(folder, "x.npy"),
                    "--out",
                    os.path.join(folder, "y.npy"),
                    "--arg",
                    "1024",
                )
                times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in times.items()}


# ---- the table -------------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: does it run, roughly")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--platform", choices=PLATFORMS, action="append", help="only this platform; may be repeated")
    parser.add_argument(
        "--only", choices=["first", "unrolled", "overhead", "throughput", "import", "cpp", "parity", "pypto"], action="append"
    )
    args = parser.parse_args()
    wanted = args.only or ["import", "first", "unrolled", "overhead", "cpp", "parity", "pypto", "throughput"]
    rounds, seconds = (1, 0.1) if args.quick else (5, 1.0)
    figures = {}

    if "import" in wanted:
        figures["import"] = import_time(max(rounds, 3))
        print(f"import asc2 beyond numpy   {figures['import'] * 1e3:6.1f} ms   (target 60)\n")
    for platform in args.platform or PLATFORMS:
        if "first" in wanted:
            print(f"first launch on {platform}      cold      disk cache warm   further kernel, warm")
            for name, cold, warm, further in first_launches(platform, rounds):
                target = 60 if name in ("softmax", "rms_norm", "matmul") else 25
                print(f"  {name:28s} {cold * 1e3:7.1f} ms ({target})   {warm * 1e3:6.2f} ms (3)    {further * 1e3:6.2f} ms (1)")
                figures[f"first {platform} {name}"] = dict(cold=cold, warm=warm, further=further)
            print()
    for platform in args.platform or PLATFORMS:
        if "unrolled" in wanted:
            import golden

            golden.use(platform)
            print(f"compiling unrolled loops on {platform}")
            for name, seconds_each in unrolled(args.quick):
                print(f"  {name:28s} {seconds_each * 1e3:7.1f} ms")
                figures[f"unrolled {platform} {name}"] = seconds_each
            print()
    if "overhead" in wanted:
        times = figures["overhead"] = overhead(seconds)
        print(
            f"launch overhead   numpy {times['numpy'] * 1e6:5.2f} us (2)   torch {times['torch'] * 1e6:5.2f} us (5)   "
            f"np.abs itself {times['np.abs'] * 1e6:5.2f} us\n"
        )
    if "cpp" in wanted:
        times = figures["cpp"] = cpp_kernels(rounds)
        print("Ascend C: a file of 200 lines compiled and launched")
        print(
            f"  nothing cached {times['cold']:6.2f} s (2)     another file {times['compiled']:5.2f} s     "
            f"from the cache {times['cached'] * 1e3:6.1f} ms     one more launch {times['further'] * 1e3:5.2f} ms (1)"
        )
        print(f"  tilesmith run  {times['run']:6.2f} s         again        {times['run again']:5.2f} s\n")
    if "parity" in wanted:
        import parity
        import parity_matmul

        parity.show(figures, args.quick, every=bool(args.only))
        parity_matmul.show(figures, args.quick, every=bool(args.only))
    if "pypto" in wanted:
        import pypto_tilings

        pypto_tilings.show(figures, args.quick, args.platform or PLATFORMS)
    for platform in args.platform or PLATFORMS:
        if "throughput" in wanted:
            print(f"throughput on {platform}, {THREADS} threads: share of a copy, speed against peers (above 1: we are faster)")
            print(
                f"  {'':26s} {'fast':>9s}   {'of copy':>7s} {'x NumPy':>8s} {'x torch':>8s} {'checked/fast':>13s} "
                f"{'core-cycles/s':>14s}"
            )
            for name, t in throughput(platform, seconds, args.quick):
                against = lambda peer: f"{t[peer] / t['fast']:8.2f}" if peer in t else "       -"
                share = f"{t['copy'] / t['fast'] * 100:6.0f}%" if "copy" in t else "      -"
                rate = t["core_cycles"] / t["checked"] / THREADS
                print(
                    f"  {name:26s} {t['fast'] * 1e3:7.2f}ms   {share} {against('numpy')} {against('torch')} "
                    f"{t['checked'] / t['fast']:13.2f} {rate / 1e6:12.1f}M",
                    flush=True,
                )
                figures[f"throughput {platform} {name}"] = t
            print()
    if args.json:
        Path(args.json).write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
