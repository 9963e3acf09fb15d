"""Attacks on what a device process tells: data that comes in other ways, work at other times, and C++ that goes past the Machine."""

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


def with_init(init, *forward, before=""):
    """A candidate with a constructor."""
    text = model(*forward, before=ADD + PLUS + before)
    lines = "\n".join("        " + line for line in ("super().__init__()", *init))
    return text.replace("    def forward", f"    def __init__(self):\n{lines}\n    def forward")


# name: (task, candidate, finding or error, part of its text)
CALLS = {
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
