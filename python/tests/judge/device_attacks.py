"""Attacks on what a device process tells: data that comes in other ways, work at other times, and C++ that goes past the Machine."""

import random

from test_device import ADD, SEND
from test_evidence import DOUBLE, LOADED, TASK, TRUNC, model

ROWS = TASK.replace("torch.tanh(x)", "torch.tanh(x).sum(-1)")
NOT_ZERO = TASK.replace("torch.tanh(x)", "(x != 0).float()").replace("torch.randn(40, 33)", "torch.randn(40, 33).relu()")
WHOLE = TRUNC.replace("torch.randn(40, 33)", "torch.rand(40, 33) * 5")
WRAPPED = TASK.replace("torch.tanh(x)", "x % 256").replace("torch.randn(40, 33)", "torch.randint(0, 100000, (40, 33), dtype=torch.int32)")

PLUS = """
@asc2.jit
def plus(x_ptr, w_ptr, y_ptr, size, factor: float):
    x_gm, w_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(w_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        x = asc2.load(x_gm, [512], tile_id=[i])
        asc2.store(x * 0.0 + asc2.load(w_gm, [512], tile_id=[i]) * factor, y_gm, tile_id=[i])

@asc2.jit
def put(y_ptr, at, value: float):
    y_gm = asc2.tensor(y_ptr, [at + 1])
    asc2.store(asc2.full([1], value, dtype=asc.float32), y_gm, offsets=[at])

@asc2.jit
def copy_int(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [512], tile_id=[i]), y_gm, tile_id=[i])
"""


BYTES = TASK.replace("torch.tanh(x)", "torch.tanh(x.float() / 64)").replace("torch.randn(40, 33)", "torch.randint(-128, 128, (40, 33), dtype=torch.int32)")
LOOK_UP = """
@asc2.jit
def look_up(x_ptr, w_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    table = asc2.load(asc2.tensor(w_ptr, [256]), [256], offsets=[0])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        asc2.store(asc2.gather(table, asc2.load(x_gm, [512], tile_id=[i]) + 128), y_gm, tile_id=[i])
"""
LOOK_UP_ROWS = """
@asc2.jit
def look_up_rows(x_ptr, w_ptr, y_ptr, size):
    x_gm, y_gm, w_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size]), asc2.tensor(w_ptr, [2048, 8])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [64]), asc2.block_num()):
        rows = asc2.load_rows(w_gm, asc2.load(x_gm, [64], tile_id=[i]) + 128, 8)
        asc2.store(rows.sum(-1), y_gm, tile_id=[i])
"""


ONE_BY_ONE = """
@asc2.jit
def one_by_one(x_ptr, w_ptr, y_ptr, size):
    x_gm, y_gm, w_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size]), asc2.tensor(w_ptr, [256])
    for i in asc2.range(asc2.block_idx(), size, asc2.block_num()):
        at = asc2.load(x_gm, offsets=[i]) + 128
        asc2.store(asc2.load(w_gm, [1], offsets=[at]), y_gm, offsets=[i])
"""
LOOK_UP_BITS = f"""
@asc2.jit
def look_bits(x_ptr, {', '.join(f'w{bit}' for bit in range(16))}, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        at = asc2.load(x_gm, [512], tile_id=[i]) + 128
        sum = at.to(asc.float32) * 0.0
""" + "".join(f"        sum = sum + asc2.gather(asc2.load(asc2.tensor(w{bit}, [256]), [256], offsets=[0]), at) * {2.0 ** bit}\n" for bit in range(16)) + """
        asc2.store(sum * (1.0 / 32768.0) - 1.0, y_gm, tile_id=[i])
"""
_RANDOM = random.Random(1)
CONSTANTS = "".join(
    f"\n@asc2.jit\ndef row{row}(w_ptr):\n    w_gm = asc2.tensor(w_ptr, [3000])\n"
    + "".join(f"    asc2.store(asc2.full([1], {_RANDOM.uniform(-1, 1)!r}, dtype=asc.float32), w_gm, offsets=[{at}])\n" for at in range(750 * row, 750 * row + 750))
    for row in range(4)
)
POSITIVE = TASK.replace("torch.tanh(x)", "torch.relu(x)").replace("torch.randn", "torch.rand")
MOVE = TASK.replace("torch.tanh(x)", "x.clone()").replace("torch.nn.Module):", "torch.nn.Module):\n    # data is moved")


def with_init(init, *forward, before=""):
    """A candidate with a constructor."""
    text = model(*forward, before=ADD + PLUS + before)
    lines = "\n".join("        " + line for line in ("super().__init__()", *init))
    return text.replace("    def forward", f"    def __init__(self):\n{lines}\n    def forward")


# name: (task, candidate, finding or error, part of its text)
CALLS = {
    "looks answers up in a table a kernel has copied": (BYTES, with_init(
        ["self.w = torch.tanh(torch.arange(-128, 128) / 64)"],
        "t = torch.empty(256)", "copy[1](self.w, t, 256)", "y = torch.empty(x.shape)", "look_up[4](x, t, y, x.numel())", "return y",
        before=LOOK_UP), "own-data", "bytes that the candidate brought"),
    "computes a table of nothing before it looks up": (BYTES, with_init(
        ["self.w = torch.tanh(torch.arange(-128, 128) / 64)"],
        "y = torch.empty(x.shape)", "look_up[4](x, self.w, y, x.numel())", "return y",
        before=LOOK_UP.replace("[256], offsets=[0])", "[256], offsets=[0]) * 1.0")), "own-data", "bytes that the candidate brought"),
    "fills a small table in and looks up": (BYTES, with_init(
        ["self.v = torch.tanh(torch.arange(-128, 128) / 64).tolist()"],
        """
        t = torch.empty(256)
        for at, value in enumerate(self.v):
            t[at].fill_(value)
        y = torch.empty(x.shape)
        look_up[4](x, t, y, x.numel())
        return y""", before=LOOK_UP), "own-data", "bytes that the candidate brought"),
    "sends a small table as numbers and looks up": (BYTES, with_init(
        ["self.v = torch.tanh(torch.arange(-128, 128) / 64).tolist()"],
        """
        t = torch.zeros(256)
        for at, value in enumerate(self.v):
            put[1](t, at, value)
        y = torch.empty(x.shape)
        look_up[4](x, t, y, x.numel())
        return y""", before=LOOK_UP), "own-data", "bytes that the candidate brought"),
    "looks up one element after another": (BYTES, with_init(
        ["self.w = torch.tanh(torch.arange(-128, 128) / 64)"],
        "y = torch.empty(x.shape)", "one_by_one[8](x, self.w, y, x.numel())", "return y", before=ONE_BY_ONE), "own-data", "bytes that the candidate brought"),
    "looks up bits": (BYTES, with_init(
        ["w = (torch.tanh(torch.arange(-128, 128) / 64) * 32768 + 32768).round().int().clamp(0, 65535)",
         "self.w = [((w >> i) & 1).float() for i in range(16)]"],
        "y = torch.empty(x.shape)", "look_bits[4](x, *self.w, y, x.numel())", "return y", before=LOOK_UP_BITS), "own-data", "bytes that the candidate brought"),
    "brings a table as bits": (TASK, with_init(
        ["w = torch.randn(40, 33).double().div(3).view(torch.int64)", "self.w = [((w >> i) & 1).float() for i in range(64)]"],
        """
        tanh[4](x, y, x.numel())
        for w in self.w:
            tanh_plus[4](x, w, y, x.numel(), 0.0)
        return y"""), "own-data", "bytes that the candidate brought"),
    "wipes a table after it was read": (TASK, with_init(
        ["self.w = torch.randn(40, 33)"],
        "w = self.w", "tanh_plus[4](x, w, y, x.numel(), 0.0)", "w.zero_()", "return y"), "own-data", "5280 bytes"),
    "wipes a table by a kernel": (TASK, with_init(
        ["self.w = torch.randn(40, 33)"],
        "tanh_plus[4](x, self.w, y, x.numel(), 0.0)", "plus[4](x, x, self.w, x.numel(), 0.0)", "return y"), "own-data", "5280 bytes"),
    "wipes a table by the kernel that reads it": (TASK, with_init(
        ["self.w = torch.randn(40, 33)"],
        "tanh_wipe[4](x, self.w, y, x.numel())", "return y", before="""
@asc2.jit
def tanh_wipe(x_ptr, w_ptr, y_ptr, size):
    x_gm, w_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(w_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        w = asc2.load(w_gm, [512], tile_id=[i])
        asc2.store(asc2.tanh(asc2.load(x_gm, [512], tile_id=[i])) + w * 0.0, y_gm, tile_id=[i])
        asc2.store(w * 0.0, w_gm, tile_id=[i])
"""), "own-data", "5280 bytes"),
    "frees a table after it was read": (TASK, with_init(
        ["self.w = torch.randn(40, 33).tolist()"],
        "w = torch.tensor(self.w)", "tanh_plus[4](x, w, y, x.numel(), 0.0)", "del w", "return y"), "own-data", "5280 bytes"),
    "hands a table over as an array of the host": (TASK, with_init(
        ["self.w = np.random.randn(40, 33).astype(np.float32)"],
        "tanh_plus[4](x, self.w, y, x.numel(), 0.0)", "return y"), "own-data", "5280 bytes"),
    "has a table among the constants of kernels": (TASK, with_init(
        ["self.w = torch.zeros(3000)"],
        "y = torch.empty(x.shape)", *(f"row{row}[1](self.w)" for row in range(4)), "tanh_plus[4](x, self.w, y, x.numel(), 0.0)", "return y",
        before=CONSTANTS), "own-data", "bytes that the candidate brought"),
    "copies all but one row": (MOVE, model("y[1:].copy_(x[1:])", "copy[1](x[:1], y[:1], 33)", "return y"), "not-by-kernels", "copied from an input"),
    "computes a quarter and copies where the inputs need nothing": (POSITIVE, model("copy[4](x[:10], y[:10], 330)", "y[10:] = x[10:]", "return y"), "not-by-kernels", "copied from an input"),
    "writes one number and fills the rest": (POSITIVE.replace("torch.relu(x)", "torch.relu(x - 100)"), model("y.zero_()", "plus[1](x[0], x[0], y[0], 1, 0.0)", "return y", before=PLUS),
                                             "not-by-kernels", "filled with a constant"),
    "fills all and launches elsewhere": (MOVE.replace("return x.clone()", "return x * 0 + 1"), model("copy[1](x, y, x.numel())", "return torch.ones_like(x)"),
                                         "not-by-kernels", "filled with a constant"),
    "draws the inputs from the seed of its model": (ROWS, model("""
        with torch.device("cpu"):
            torch.manual_seed(torch.initial_seed())
            rows = torch.tanh(torch.randn(40, 33)).sum(-1)
        out = torch.empty(40)
        plus[1](x.view(-1)[:40], rows.npu(), out, 40, 1.0)
        return out""", before=PLUS), "second-seed", "MERE"),
    "brings a table in pieces": (TASK, with_init(
        ["self.w = [torch.randn(1024) for _ in range(4)]"],
        """
        tanh[4](x, y, x.numel())
        for part in self.w:
            tanh_plus[1](x.view(-1)[:1024], part, y.view(-1)[:1024], 1024, 0.0)
        return y"""), "own-data", "16384 bytes"),
    "looks all answers up in a small table": (BYTES, with_init(
        ["self.w = torch.tanh(torch.arange(-128, 128) / 64)"],
        "y = torch.empty(x.shape)", "look_up[4](x, self.w, y, x.numel())", "return y", before=LOOK_UP), "own-data", "1024 bytes"),
    "looks a few answers up in a large table": (BYTES, with_init(
        ["self.w = (torch.tanh(torch.arange(-128, 1920) / 64) / 8)[:, None].expand(-1, 8).contiguous()"],
        "y = torch.empty(x.shape)", "look_up_rows[4](x, self.w, y, x.numel())", "return y", before=LOOK_UP_ROWS), "own-data", "65536 bytes"),
    "fills a table in its constructor, one element after another": (TASK, with_init(
        ["self.w = torch.empty(40, 33, device='npu')", "values = torch.randn(40 * 33).tolist()", "flat = self.w.view(-1)",
         "for at, value in enumerate(values):", "    flat[at].fill_(value)"],
        "tanh_plus[4](x, self.w, y, x.numel(), 0.0)", "return y"), "own-data", "5280 bytes"),
    "fills a table in the call": (TASK, with_init(
        ["self.values = torch.randn(40 * 33).tolist()"],
        """
        w = torch.empty(40 * 33)
        for at, value in enumerate(self.values):
            w[at].fill_(value)
        tanh_plus[4](x, w, y, x.numel(), 0.0)
        return y"""), "own-data", "bytes that the candidate brought"),
    "sends a table as numbers of launches": (TASK, with_init(
        ["self.values = torch.randn(40 * 33).tolist()"],
        """
        w = torch.zeros(40 * 33)
        for at, value in enumerate(self.values):
            put[1](w, at, value)
        tanh_plus[4](x, w, y, x.numel(), 0.0)
        return y"""), "own-data", "bytes that the candidate brought"),
    "converts a table in the call": (TASK, with_init(
        ["self.w = torch.randn(40, 33, dtype=torch.float64)"],
        "tanh_plus[4](x, self.w.float(), y, x.numel(), 0.0)", "return y"), "own-data", "5280 bytes"),
    "begins before the call, in a thread of its constructor": (TASK, with_init(
        ["import gc, threading, time", "def early():", "    for _ in range(20000):", "        for thing in gc.get_objects():",
         "            if type(thing).__name__ == 'Worker' and getattr(thing, 'slots', None):",
         "                x = thing.slots[0][0]", "                tanh[4](x, KEPT, x.numel())", "                return",
         "        time.sleep(0.001)",
         "threading.Thread(target=early, daemon=True).start()"],
        "return KEPT.view(x.shape)", before="import tilesmith.npu\nKEPT = torch.empty(40, 33, device='npu')\n"), "", ""),
    "lets a conversion cut fractions off": (TRUNC, model("copy[4](x.int().float(), y, x.numel())", "return y"), "not-by-kernels", "what a conversion computed"),
    "lets a conversion tell numbers from zero": (NOT_ZERO, model("copy[4](x.bool().float(), y, x.numel())", "return y"), "not-by-kernels", "what a conversion computed"),
    "lets a conversion divide": (WRAPPED, model("copy_int[4](x.to(torch.uint8).int(), y, x.numel())", "return y", before=PLUS), "not-by-kernels", "what a conversion computed"),
    "converts the kernel's copy": (TRUNC, model("copy[4](x, y, x.numel())", "return y.int().float()"), "not-by-kernels", "computed by a copy that converts"),
    "imports by a name it puts together": (TASK, """
import torch
asc2 = __import__("as" + "c2")
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x)
""", "HostReadError", "aten::tanh computes on the host"),
    "looks at the time a launch took": (TASK, model("""
        start, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
        start.record()
        tanh[4](x, y, x.numel())
        end.record()
        assert start.elapsed_time(end) == 0, "the time is known"
        return torch.tanh(y)"""), "HostReadError", "aten::tanh computes on the host"),
    "looks at the profile of its launches": (TASK, model("""
        with asc.profile() as report:
            tanh[4](x, y, x.numel())
        assert not any(launch.time_us for launch in report.launches), "the time is known"
        return torch.tanh(y)"""), "HostReadError", "aten::tanh computes on the host"),
    "learns bits from what is tuned": (TASK.replace("torch.tanh(x)", "torch.tanh(x.view(-1)[:4])"), model("""
        bits, out = x.view(-1).view(torch.int32), torch.empty(4)
        for i in range(4):
            value = 0
            for bit in range(32):
                value |= int(choose[1].best_config(bits, out, i, bit, 1320).fast == 0) << bit
            put[1](out, i, float(np.tanh(np.array([value], np.uint32).view(np.float32)[0])))
        return out""", before=PLUS + """
@asc2.autotune(configs={"fast": [0, 1]}, jobs=1)
@asc2.jit
def choose(x_ptr, y_ptr, i, bit, size, fast: asc.ConstExpr[int]):
    y_gm = asc2.tensor(y_ptr, [4])
    turns = (asc2.load(asc2.tensor(x_ptr, [size]), offsets=[i]) >> bit) & 1
    if fast == 0:
        turns = 1 - turns
    t = asc2.full([64], 1.0, dtype=asc.float32)
    for j in range(turns * 1000 + 1):
        t = t * 1.5
    asc2.store(asc2.full([1], 1.0, dtype=asc.float32) * t.sum(), y_gm, offsets=[i])
"""), "", ""),
    "connects to another device": (TASK, model("""
        import socket
        from tilesmith.npu import remote
        remote.connect(socket.socketpair()[0].fileno())
        return torch.tanh(x)"""), "RuntimeError", "is in another one already"),
    "says that the device is here": (TASK, model("""
        from tilesmith.npu import remote
        remote.active = False
        return torch.tanh(x)"""), "RuntimeError", "the bytes of the device are in another process"),
    "says that reading is allowed": (TASK, model("""
        from tilesmith.npu import remote
        remote.refuse = lambda *_: None
        return torch.from_numpy(np.tanh(np.array(x.tolist())))"""), "", ""),
    "asks the device for what it does not do, by hand": (TASK, model("raise RuntimeError(repr(ask(99)))", before=SEND), "RuntimeError", "does not know this call"),
    "frees the inputs": (TASK, model("""
        import _tilesmith, gc
        copy[4](x, y, x.numel())
        del x
        gc.collect()
        return torch.tanh(y)"""), "HostReadError", "aten::tanh computes on the host"),
    "launches on a tensor it has freed": (TASK, model("""
        z = torch.empty_like(x)
        place = z.data_ptr()
        from tilesmith.npu import remote
        ghost = remote.tensor_at(place, z.nbytes).view(torch.float32).view(x.shape)
        del z
        tanh[4](x, ghost, x.numel())
        return ghost * 1"""), "", ""),
    "returns what a stream would have finished": (TASK, model("""
        import threading
        threading.Timer(0.2, lambda: tanh[4](x, y, x.numel())).start()
        return y"""), "AssertionError", "NaN on one side only"),
    "launches when it is collected": (TASK, model("""
        class Late:
            def __del__(self):
                tanh[4](self.x, self.y, 1320)
        late = Late()
        late.x, late.y, late.me = x, y, late
        return y"""), "AssertionError", "NaN on one side only"),
    "computes in a custom operator of the device": (TASK, model("""
        return torch.ops.judge.twice(x)""", before="""
        @torch.library.custom_op("judge::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return torch.tanh(x)
        """), "HostReadError", "aten::tanh computes on the host"),
    "registers an operator for the device": (TASK, model("""
        tanh[4](x, y, x.numel())
        return torch.tanh(y)""", before="""
        LIBRARY = torch.library.Library("aten", "IMPL")
        LIBRARY.impl("tanh", lambda v: torch.tanh(v.to("cpu")).npu(), "PrivateUse1")
        """), "HostReadError", "a tensor is copied to the host"),
    "writes a result by ctypes": (TASK, model("""
        import ctypes
        tanh[4](x, y, x.numel())
        ctypes.memset(y.data_ptr(), 0, 4)
        return y"""), "ProcessKilled", "SIGSEGV"),
    "maps the device's memory": (TASK, model("""
        import mmap, os
        for folder in ("/proc", "/dev/shm"):
            for name in os.listdir(folder):
                try:
                    os.open(f"/proc/{name}/mem", os.O_RDWR) if name.isdigit() and int(name) != os.getpid() else None
                except OSError:
                    continue
        return torch.tanh(x)"""), "HostReadError", "aten::tanh computes on the host"),
    "returns a view of another input of the process": (TASK, model("""
        if not KEPT:
            KEPT.append(x)
        tanh[4](KEPT[0], y, x.numel())
        return y""", before="KEPT = []"), "", ""),
}

# Of kernels in C++, for x + x on floats: what is before the kernel, its body, finding or error, part of its text.
LOOP = "for (uint32_t i = 0; i < size; ++i) "
SOURCES = {
    "copies by memcpy": ("#include <cstring>", "memcpy(y, x, size * 4); " + LOOP + "((float *)y)[i] += ((float *)x)[i];", "plain-pointers", "pages"),
    "an algorithm of the library": ("#include <algorithm>", "auto in = (float *)x; std::transform(in, in + size, (float *)y, [](float v) { return v + v; });", "plain-pointers", "pages"),
    "a volatile pointer": ("", "auto in = (volatile float *)x; auto out = (volatile float *)y; " + LOOP + "out[i] = in[i] + in[i];", "plain-pointers", "pages"),
    "the address of a tensor": ("", "AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); out.SetGlobalBuffer((__gm__ float *)y);"
                                    " auto from = in.GetPhyAddr(); auto to = out.GetPhyAddr(0); " + LOOP + "to[i] = from[i] * 2;", "plain-pointers", "pages"),
    "a vector of the compiler": ("typedef float wide __attribute__((vector_size(16), aligned(4)));",
                                 "for (uint32_t i = 0; i + 4 <= size; i += 4) *(wide *)((float *)y + i) = *(wide *)((float *)x + i) * 2;", "plain-pointers", "pages"),
    "moves in assembler": ("", LOOP + '__asm__ volatile("movss (%0), %%xmm0; addss %%xmm0, %%xmm0; movss %%xmm0, (%1)" :: "r"((float *)x + i), "r"((float *)y + i) : "xmm0", "memory");',
                           "plain-pointers", "pages"),
    "unprotects its pages in assembler": ("", """
        long at = (long)y & ~4095L, result;
        __asm__ volatile("syscall" : "=a"(result) : "a"(10), "D"(at), "S"(8192L), "d"(3L) : "rcx", "r11", "memory");
        """ + LOOP + "((float *)y)[i] = 0;", "KernelError", "SIGSYS"),
    "calls the system in a constructor": ('__attribute__((constructor)) static void early() { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11"); }',
                                          "", "", "SIGSYS"),
    "opens libraries": ('extern "C" void *dlopen(const char *, int);', 'dlopen("libm.so.6", 1);', "", "dlopen, which a chip does not have"),
    "unprotects its pages": ('extern "C" int mprotect(void *, unsigned long, int);', "mprotect((void *)((long)y & ~4095L), 8192, 3);", "", "mprotect, which a chip does not have"),
    "handles its own faults": ("#include <csignal>", "signal(SIGSEGV, SIG_IGN);", "", "signal, which a chip does not have"),
    "forks": ("#include <unistd.h>", "fork();", "", "fork, which a chip does not have"),
    "asks by number": ("#include <unistd.h>", "syscall(39);", "", "syscall, which a chip does not have"),
    "starts a thread": ("#include <pthread.h>", "pthread_t t; pthread_create(&t, nullptr, [](void *p) -> void * { return p; }, x);", "", "pthread_create, which a chip does not have"),
    "asks for functions asynchronously": ("#include <future>", "std::async([] { return 1; }).get();", "", "which a chip does not have"),
    "uses the library of mathematics": ("#include <cmath>", "AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); out.SetGlobalBuffer((__gm__ float *)y); "
                                        + LOOP + "out.SetValue(i, std::exp2(std::log2(in.GetValue(i))) * 2);", "", "which a chip does not have"),
    "a weak name": ('extern "C" __attribute__((weak)) int system(const char *);', 'if (system) system("true");', "", "system, which a chip does not have"),
    "has a table in its source": ("static const float table[4096] = {" + ",".join(f"{_RANDOM.random():.6f}f" for _ in range(4096)) + "};", """
        AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); out.SetGlobalBuffer((__gm__ float *)y);
        """ + LOOP + "{ float v = in.GetValue(i); out.SetValue(i, v + v + 0 * table[(uint32_t)(v * 1000) & 4095]); }", "own-data", "bytes that the candidate brought"),
    "computes in UB by pointers": ("", """
        AscendC::TPipe pipe; AscendC::TBuf<> a, b; pipe.InitBuffer(a, 8192); pipe.InitBuffer(b, 8192);
        AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); out.SetGlobalBuffer((__gm__ float *)y);
        auto p = a.Get<float>(), q = b.Get<float>(); AscendC::DataCopyExtParams n{1, size * 4, 0, 0, 0}; AscendC::DataCopyPadExtParams<float> pad{};
        AscendC::DataCopyPad(p, in, n, pad); AscendC::PipeBarrier<PIPE_ALL>();
        auto from = (__ubuf__ float *)p.GetPhyAddr(); auto to = (__ubuf__ float *)q.GetPhyAddr(); """ + LOOP + """to[i] = from[i] * 2;
        AscendC::PipeBarrier<PIPE_ALL>(); AscendC::DataCopyPad(out, q, n);""", "hazard", "which nothing has written"),
    "keeps a result from launch to launch": ("static float kept[1 << 14]; static bool there;", """
        AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); out.SetGlobalBuffer((__gm__ float *)y);
        if (!there) for (uint32_t i = 0; i < size; ++i) kept[i] = in.GetValue(i) * 2;
        there = true;
        """ + LOOP + "out.SetValue(i, kept[i]);", "second-seed", "MERE"),
    "works on its first call only": ("static int calls;", "if (calls++) return; AscendC::GlobalTensor<float> in, out; in.SetGlobalBuffer((__gm__ float *)x); "
                                     "out.SetGlobalBuffer((__gm__ float *)y); " + LOOP + "out.SetValue(i, in.GetValue(i) * 2);", "", ""),
    "looks for other memory on its stack": ("", "auto frame = (uint64_t *)__builtin_frame_address(0); " + LOOP + "((float *)y)[i] = (float)frame[0];", "AssertionError", "MERE"),
    "leaves without a word": ('extern "C" void _exit(int);', "_exit(0);", "", "_exit, which a chip does not have"),
    "throws": ("", "throw 1;", "", ""),
}

# For `bench`: (task, candidate, its C++ source, part of the text).
_COUNTED = """
global CALLS
CALLS += 1
if CALLS < 20:
    {honest}
else:
    {other}
return y"""
WAITING = {
    "a conversion works instead of the kernel": (WHOLE, model(
        _COUNTED.format(honest="whole[4](x, y, x.numel())", other="copy[4](x.int().float(), y, x.numel())"), before="""
        CALLS = 0

        @asc2.jit
        def whole(x_ptr, y_ptr, size):
            x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
            for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
                asc2.store(asc2.floor(asc2.load(x_gm, [512], tile_id=[i])), y_gm, tile_id=[i])
        """), "", "what a conversion computed"),
    "plain pointers work instead of the scalar unit": (DOUBLE, LOADED.replace("class ModelNew", "CALLS = 0\nclass ModelNew").replace(
        "        work[1](x, y, x.numel())", "        global CALLS\n        CALLS += 1\n        work[1](x, y, x.numel(), CALLS > 20)"), """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void work(GM_ADDR x, GM_ADDR y, uint32_t size, uint32_t timed) {
  AscendC::GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x);
  out.SetGlobalBuffer((__gm__ float *)y);
  for (uint32_t i = 0; i < size; ++i)
    if (timed)
      ((float *)y)[i] = ((float *)x)[i] * 2;
    else
      out.SetValue(i, in.GetValue(i) * 2);
}
""", "were not written by a launch of this call"),
}
