"""Adding an instruction is one record and one function: a record written into a scratch copy of the table reaches its op, its
Python stub, its printer, its header declaration and its docs page by itself.

The instructions are the worked examples of CONTRIBUTING.md, letter by letter: one of a known family, one of a new one. With
TILESMITH_LONG=1 the Machine and the headers are built from a scratch copy of the tree, and they run.
"""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ascendc

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TILESMITH_BUILD", ROOT / "build"))
TBLGEN = BUILD / "bin/tilesmith-tblgen"
HEADERS = Path(ascendc.include_folder())


def worked_example(language):
    """The code blocks of the example in CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## Adding an instruction"):text.index("## Adding a pass")]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def add_records(table):
    """Puts the records of the examples behind the last of their kind."""
    for record, (file, place) in zip(worked_example("tablegen"), (("Vector.td", "// One tile.\n"), ("VectorPermute.td", "#endif")),
                                     strict=True):
        path = table / file
        text = path.read_text()
        at = text.index(place)
        path.write_text(text[:at] + record + "\n" + text[at:])


def generate(table, action, output):
    output.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([TBLGEN, "-I", table, table / "Isa.td", action, "-o", output], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output.read_text()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("record") / "Isa"
    shutil.copytree(ROOT / "include/tilesmith/Isa", scratch)
    add_records(scratch)
    return scratch


def test_its_op(table, tmp_path):
    """ODS from the record, and from that a C++ class for each form, made by MLIR's own generator."""
    ods = generate(table, "-gen-ods", tmp_path / "tilesmith/Dialect/Isa/IsaInstructions.td")
    assert 'def Isa_AbsDiffOp : Isa_Instruction<"abs_diff">' in ods and 'def Isa_AbsDiffROp : Isa_Instruction<"abs_diff_r">' in ods
    bindir = subprocess.run(["llvm-config-22", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
    include = subprocess.run(["llvm-config-22", "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
    done = subprocess.run([f"{bindir}/mlir-tblgen", "-gen-op-decls", f"-I{tmp_path}", f"-I{ROOT}/include", f"-I{include}",
                           f"-I{BUILD}/include", ROOT / "include/tilesmith/Dialect/Isa/IsaOps.td"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in ("AbsDiffOp", "AbsDiffROp", "RiffleOp"):
        assert f"class {name} : public ::mlir::Op<{name}" in done.stdout


def test_its_rows_in_the_table_and_the_abi(table, tmp_path):
    rows = generate(table, "-gen-table", tmp_path / "Table.h.inc")
    row = rows[rows.index('{Opcode::AbsDiff, "abs_diff", "AbsDiff", Form::Count, Family::VectorBinary, Pipe::V'):]
    assert "{0, dtypeBit(DType::F16) | dtypeBit(DType::F32)}" in row[:400], "it is on the 950 only"
    assert "TILESMITH_ABI_ENTRY(void, abs_diff_r," in generate(table, "-gen-abi", tmp_path / "Abi.inc")


def test_its_limits_its_layout_and_its_function(table, tmp_path):
    """What a new family says, everybody reads: nobody lists families."""
    layouts = generate(table, "-gen-layouts", tmp_path / "Layouts.h.inc")
    where, limits = layouts.split("void visitLimits(")
    assert "case Opcode::AbsDiff:" in where and "case Opcode::AbsDiff:" in limits
    case = where[where.index("case Opcode::Riffle:"):]
    assert [line.strip() for line in case[:case.index("return;")].splitlines() if "reader.run" in line] == [
        f"reader.run(Access::{access}, {operand}, V(0), (count * size), {{}});"
        for access, operand in (("Read", 2), ("Read", 3), ("Write", 0), ("Write", 1))]
    assert "case Opcode::Riffle:" in limits
    assert "  Riffle,\n" in generate(table, "-gen-table", tmp_path / "Table.h.inc"), "the family"
    execution = generate(table, "-gen-execution", tmp_path / "Execution.inc")
    assert "void riffle(const Instr &instr, const MemoryView &memory);" in execution
    assert "case Opcode::Riffle:\n  exec::riffle(instr, memory);\n" in execution


@pytest.mark.parametrize("record, reason", [
    ('let countLayout = [Lies<"dst0", "elements(count)">];', "does not say where the bytes of 'dst1' lie"),
    ('let layout = [Lies<"dst0", "elements(number)">];', "'number' is neither an operand with a number nor known"),
    ('let layout = [Lies<"dst0", "element(count)">];', "nothing is called 'element'"),
    ('let layout = [Lies<"dst0", "rows(count)">];', "'rows' does not take 1 arguments"),
    ('let layout = [Lies<"dst0", "elements(count">];', "expected ')' before ''"),
])
def test_a_wrong_layout_is_an_error_at_its_record(tmp_path, record, reason):
    shutil.copytree(ROOT / "include/tilesmith/Isa", tmp_path / "Isa")
    add_records(tmp_path / "Isa")
    path = tmp_path / "Isa/VectorPermute.td"
    text = path.read_text()
    path.write_text(re.sub(r"  let countLayout = \[Lies<\"dst0.*?\];\n", f"  {record}\n", text, count=1, flags=re.DOTALL))
    done = subprocess.run([TBLGEN, "-I", tmp_path / "Isa", tmp_path / "Isa/Isa.td", "-gen-layouts"], capture_output=True, text=True)
    assert done.returncode != 0 and reason in done.stderr and "VectorPermute.td" in done.stderr, done.stderr


def test_its_printer(table, tmp_path):
    calls = generate(table, "-gen-calls", tmp_path / "Calls.inc")
    assert "{isa::Opcode::AbsDiff, callOfAbsDiff}," in calls and "{isa::Opcode::AbsDiffR, callOfAbsDiffR}," in calls
    tokens = calls[calls.index("callOfAbsDiffR[]"):calls.index("};", calls.index("callOfAbsDiffR[]"))]
    assert "AscendC::BinaryRepeatParams{" in tokens and tokens.count("CallToken::Member") == 6


@pytest.mark.parametrize("compiler", ascendc.COMPILERS)
def test_its_header_declaration(table, tmp_path, compiler):
    """The example of the record compiles against headers made from the scratch table, and not against those of the tree."""
    shutil.copytree(HEADERS, tmp_path / "include")
    for action, name in (("-gen-ascendc-types", "ascendc/tilesmith/types.inc"), ("-gen-abi", "tilesmith/Machine/Abi.inc"),
                         ("-gen-ascendc-calls", "ascendc/tilesmith/instructions.inc")):
        generate(table, action, tmp_path / "include" / name)
    example = "\n  ".join(re.search(r'let example = "(.*?)";', record).group(1) for record in worked_example("tablegen"))
    source = tmp_path / "example.cpp"
    source.write_text(f'#include "kernel_operator.h"\nvoid example(AscendC::LocalTensor<float> x, AscendC::LocalTensor<float> y, '
                      f'AscendC::LocalTensor<float> z, uint64_t *bits) {{\n  {example}\n'
                      "  AscendC::AbsDiff(z, x, y, 64, 4, {1, 1, 1, 8, 8, 8});\n  AscendC::AbsDiff(z, x, y, bits, 4, {1, 1, 1, 8, 8, 8});\n}\n")

    def compiles(headers):
        return subprocess.run([compiler, f"-I{headers}", f"-I{headers}/ascendc", "-std=c++17", "-fsyntax-only", source],
                              capture_output=True, text=True)

    done = compiles(tmp_path / "include")
    assert done.returncode == 0, done.stderr
    assert compiles(HEADERS).returncode != 0, "the example of CONTRIBUTING.md is in the table; choose another one"


CHOICE = """\
def : Overload<"Blend", "LocalTensor<T> dst, LocalTensor<T> src0, LocalTensor<U> src1, SELMODE mode, DataCopyParams params", [
  Way<Add, "Count", ["count = params.blockLen * 32 / sizeof(T)"], "mode == SELMODE::VSEL_CMPMASK_SPR">,
  Way<Sub, "Count", ["dst = dst + i * 256", "count = lanes(T)"], "memory(dst) == Memory::UB", "params.blockCount">]> {
  let musts = [Must<"same(T, U)", "Blend: one element type">, Must<"params.srcStride == 0", "Blend with DataCopyParams::srcStride other than 0">];
  let otherwise = "Blend outside UB";
}
"""


def add_choice(table, record=CHOICE):
    path = table / "OverloadsVector.td"
    text = path.read_text()
    place = text.rindex("#endif")
    path.write_text(text[:place] + record + text[place:])


@pytest.fixture(scope="module")
def table_with_choice(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("choice") / "Isa"
    shutil.copytree(ROOT / "include/tilesmith/Isa", scratch)
    add_choice(scratch)
    return scratch


@pytest.mark.parametrize("compiler", ascendc.COMPILERS)
def test_the_overload_of_a_choice(table_with_choice, tmp_path, compiler):
    """A record with a choice is a function template that compiles, and refuses what the record refuses."""
    shutil.copytree(HEADERS, tmp_path / "include")
    calls = generate(table_with_choice, "-gen-ascendc-calls", tmp_path / "include/ascendc/tilesmith/instructions.inc")
    body = calls[calls.index("inline void Blend("):]
    for text in ('static_assert(std::is_same_v<T, U>, "Blend: one element type");',
                 'if (!(int64_t(params.srcStride) == 0))\n    return tilesmith::unsupported(where, "Blend with DataCopyParams::srcStride other than 0");',
                 "if (int64_t(mode) == int64_t(SELMODE::VSEL_CMPMASK_SPR)) {\n    return tilesmith::api->tsm_add(",
                 "for (int64_t i = 0; i < int64_t(params.blockCount); ++i)\n      tilesmith::api->tsm_sub(",
                 'tilesmith::unsupported(where, "Blend outside UB");'):
        assert text in body, body[:2000]

    def compiles(second):
        source = tmp_path / "blend.cpp"
        source.write_text(f'#include "kernel_operator.h"\nvoid blend(AscendC::LocalTensor<float> x, AscendC::LocalTensor<{second}> y) {{\n'
                          "  AscendC::Blend(x, x, y, AscendC::SELMODE::VSEL_CMPMASK_SPR, {1, 8, 0, 0});\n}\n")
        headers = tmp_path / "include"
        return subprocess.run([compiler, f"-I{headers}", f"-I{headers}/ascendc", "-std=c++17", "-fsyntax-only", source],
                              capture_output=True, text=True)

    done = compiles("float")
    assert done.returncode == 0, done.stderr
    done = compiles("half")
    assert done.returncode != 0 and "Blend: one element type" in done.stderr


def test_a_choice_is_data(table_with_choice, tmp_path):
    """What is not C++ reads conditions and values as trees."""
    facts = json.loads(generate(table_with_choice, "-gen-json", tmp_path / "Isa.json"))
    blend, = (each for each in facts["overloads"] if each["name"] == "Blend")
    add, sub = blend["ways"]
    assert add["instruction"] == "add" and sub["instruction"] == "sub"
    assert add["when"] == {"op": "==", "of": ["mode", "SELMODE::VSEL_CMPMASK_SPR"]}
    assert add["operands"]["src1"] == "src1", "an operand without a value is the parameter of its name"
    length = {"member": "blockLen", "of": ["params"]}
    assert add["operands"]["count"] == {"op": "/", "of": [{"op": "*", "of": [length, 32]}, {"call": "sizeof", "of": ["T"]}]}
    assert sub["times"] == {"member": "blockCount", "of": ["params"]}
    assert [must["static"] for must in blend["musts"]] == [True, False]


@pytest.mark.parametrize("change, error", [
    (("params.blockLen *", "params.length *"), "the call of Blend is wrong: 'params' has no member 'length'"),
    (("mode == SELMODE", "how == SELMODE"), "the call of Blend is wrong: it has no parameter 'how'"),
    (("SELMODE::VSEL_CMPMASK_SPR", "SELMODE::VSEL"), "the call of Blend is wrong: 'SELMODE' has no 'VSEL'"),
    (('"count = lanes(T)"', '"amount = lanes(T)"'), "the call of Blend is wrong: operand 'count' has no value"),
    (('"count = lanes(T)"', '"count = lanes(T)", "extra = 1"'), "the call of Blend is wrong: Sub has no operand 'extra'"),
    (('<Sub, "Count"', '<Sub, "Plain"'), "the call of Blend is wrong: Sub has no form Plain"),
    (("lanes(T)", "lane(T)"), "the call of Blend is wrong: there is no function 'lane' in expressions"),
    (("* 32 /", "* 32 32 /"), "the expression ' params.blockLen * 32 32 / sizeof(T)' is wrong: '32 / sizeof(T)' is left over"),
])
def test_a_wrong_choice_says_what_is_wrong(tmp_path, change, error):
    shutil.copytree(ROOT / "include/tilesmith/Isa", tmp_path / "Isa")
    assert change[0] in CHOICE
    add_choice(tmp_path / "Isa", CHOICE.replace(*change))
    done = subprocess.run([TBLGEN, "-I", tmp_path / "Isa", tmp_path / "Isa/Isa.td", "-gen-ascendc-calls", "-o", tmp_path / "out"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and error in done.stderr


def test_the_overload_of_the_guide_is_in_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## Adding an overload"):text.index("## Adding an option")]
    record, = re.findall(r"```tablegen\n(.*?)```", section, re.DOTALL)
    assert record in (ROOT / "include/tilesmith/Isa/OverloadsMove.td").read_text()


def test_its_page_and_its_python_stub(table, tmp_path, monkeypatch):
    generate(table, "-gen-json", tmp_path / "Isa.json")
    core = tmp_path / "python/asc/language/core"
    core.mkdir(parents=True)
    shutil.copy(ROOT / "python/asc/language/core/ops.py", core)
    subprocess.run([sys.executable, ROOT / "tools/isa.py", "--table", tmp_path / "Isa.json", "--root", tmp_path], check=True)
    page = (tmp_path / "docs/isa/abs_diff.md").read_text()
    for text in ("# abs_diff", "`AscendC::AbsDiff`", "AbsDiff(dst, src0, src1, count)", "| C220 (Atlas A2, 910B) | not there |",
                 "| C310 (950) | half, float |", "AscendC::AbsDiff(z, x, y, 1024);"):
        assert text in page
    assert "| 0 to 2147483648 |" in page and "`lanes(mask, repeat, src0Blk, src0Rep)`" in page
    assert "# riffle" in (tmp_path / "docs/isa/riffle.md").read_text()
    assert "[abs_diff](abs_diff.md)" in (tmp_path / "docs/isa/README.md").read_text()

    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    stubs, declarations = importlib.import_module("stubs"), importlib.import_module("declarations")
    monkeypatch.setattr(declarations, "PYTHON", tmp_path / "python")
    stub = stubs.instructions_stub()
    assert stub.count("\ndef abs_diff(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, ") == 3
    assert "mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams" in stub
    assert "\ndef riffle(dst0: LocalTensor, dst1: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt" in stub


def test_pages_and_declarations_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "tools/isa.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_platform_is_one_file(tmp_path):
    """A file in the folder is a part of the program, wherever its name then appears; no list has to be edited."""
    folder = ROOT / "lib/Machine/Time/platforms"
    shutil.copytree(folder, tmp_path / "platforms")
    (tmp_path / "platforms/Ascend999.platform").write_text("platform Ascend999\nbase Ascend910B1\n\ncubeCores = 3  # a guess\n")
    subprocess.run(["cmake", "-D", f"FOLDER={tmp_path / 'platforms'}", "-D", f"OUTPUT={tmp_path / 'Platforms.inc'}",
                    "-P", ROOT / "cmake/EmbedPlatforms.cmake"], check=True)
    assert '{"Ascend999", R"platform(platform Ascend999\nbase Ascend910B1\n' in (tmp_path / "Platforms.inc").read_text()
    done = subprocess.run([sys.executable, "-c", "from asc.runtime import config\nconfig.set_platform('Model', config.Platform.Ascend999)\n"
                           "print(config.core_count('cube'), config.platform_to_arch('Ascend999'))"], capture_output=True, text=True,
                          env=os.environ | {"TILESMITH_PLATFORM_PATH": str(tmp_path / "platforms")})
    assert done.stdout == "3 c220\n", done.stderr


def test_a_dtype_is_one_row(tmp_path):
    """From the row come the enumeration, the table of names and sizes, the names in Python and the page."""
    scratch = tmp_path / "Isa"
    shutil.copytree(ROOT / "include/tilesmith/Isa", scratch)
    path = scratch / "DTypes.td"
    text = path.read_text()
    last = re.findall(r'<"\w+", (\d+),', text)[-1]
    row = f'Real<"F6E2M3", {int(last) + 1}, 6, 2, 3, "float6_e2m3fn", "fp6_e2m3_t", "Float6E2M3FNType", "Named">'
    assert text.count(">]>;") == 1
    path.write_text(text.replace(">]>;", f">,\n  {row}]>;"))
    assert "  F6E2M3 = " in generate(scratch, "-gen-enums", tmp_path / "Enums.h.inc")
    dtypes = generate(scratch, "-gen-dtypes", tmp_path / "DTypes.h.inc")
    assert '{"F6E2M3", "float6_e2m3fn", "fp6_e2m3_t", DTypeKind::Float, DTypeUse::Named, 6, 2, 3}' in dtypes
    assert "TILESMITH_FLOAT_TYPE(F6E2M3, Float6E2M3FNType)" in dtypes
    generate(scratch, "-gen-json", tmp_path / "Isa.json")
    core = tmp_path / "python/asc/language/core"
    core.mkdir(parents=True)
    shutil.copy(ROOT / "python/asc/language/core/ops.py", core)
    subprocess.run([sys.executable, ROOT / "tools/isa.py", "--table", tmp_path / "Isa.json", "--root", tmp_path], check=True)
    assert 'float6_e2m3fn = DataType("float6_e2m3fn")' in (core / "dtype.py").read_text()
    assert "`asc.float6_e2m3fn`" in (tmp_path / "docs/isa/dtypes.md").read_text()


def test_the_function_of_a_record_belongs_into_a_kernel():
    import asc

    assert asc.basic.add is asc.add and "Element-wise sum" in asc.add.__doc__
    with pytest.raises(RuntimeError, match="asc.add works inside a kernel only: call it in a function decorated with @asc.jit"):
        asc.add(None, None, None, 8)

    @asc.jit(always_compile=True)
    def kernel(x_ptr, n):
        asc.add(x_ptr, x_ptr, x_ptr, n)

    with pytest.raises(Exception, match="no form of asc.add takes \\(an address of float32, an address of float32, an address of float32, a runtime int32"):
        kernel[1](np.zeros(8, np.float32), 8)


PROGRAM = """\
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void riffle(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  AscendC::GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 1024), b(AscendC::TPosition::VECCALC, 4096, 1024);
  AscendC::DataCopy(a, xGm, 1024);
  AscendC::DataCopy(b, yGm, 1024);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::Riffle(a, b, a, b, 1024);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(zGm, a, 1024);
  AscendC::DataCopy(zGm[1024], b, 1024);
}
extern "C" __global__ __aicore__ void abs_diff(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  AscendC::GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 1024), b(AscendC::TPosition::VECCALC, 4096, 1024);
  AscendC::DataCopy(a, xGm, 1024);
  AscendC::DataCopy(b, yGm, 1024);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::AbsDiff(a, a, b, 1000);
  AscendC::AbsDiff(a[1000], a[1000], b[1000], 24, 1, {1, 1, 1, 8, 8, 8});
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(zGm, a, 1024);
}

#include "tikicpulib.h"
int main() {
  auto *x = AscendC::GmAlloc(4096), *y = AscendC::GmAlloc(4096), *z = AscendC::GmAlloc(4096), *w = AscendC::GmAlloc(8192);
  if (std::fread(x, 4096, 1, stdin) != 1 || std::fread(y, 4096, 1, stdin) != 1)
    return 2;
  ICPU_RUN_KF(abs_diff, 1, (uint8_t *)x, (uint8_t *)y, (uint8_t *)z);
  ICPU_RUN_KF(riffle, 1, (uint8_t *)x, (uint8_t *)y, (uint8_t *)w);
  std::fwrite(z, 4096, 1, stdout);
  std::fwrite(w, 8192, 1, stdout);
}
"""


@pytest.mark.skipif(not os.environ.get("TILESMITH_LONG"), reason="builds the Machine once more; set TILESMITH_LONG=1")
def test_the_instructions_run(tmp_path):
    """The examples of CONTRIBUTING.md in a scratch copy of the tree: the Machine and the headers are built from it, and a program
    that calls the instructions gives what NumPy gives. The 910B, which the records leave out, refuses them."""
    tree = tmp_path / "tree"
    for name in subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and not name.startswith("docs/"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    add_records(tree / "include/tilesmith/Isa")
    path = tree / "lib/Machine/Exec/VectorBinary.cpp"
    function, case, file = worked_example("cpp")
    (tree / "lib/Machine/Exec/Riffle.cpp").write_text(file)
    text = path.read_text()
    for place, addition in (("#undef TS_BINARY\n", function), ("  default:\n    return nullptr;\n", case)):
        assert place in text
        text = text.replace(place, addition + place, 1)
    path.write_text(text)

    build = tree / "build"
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
    kept = ["CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER",
            "CMAKE_CXX_FLAGS", "CMAKE_EXE_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS", "CMAKE_SHARED_LINKER_FLAGS", "Python_EXECUTABLE",
            "nanobind_DIR"]
    subprocess.run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DTILESMITH_TESTS=OFF",
                    *(f"-D{name}={cache[name]}" for name in kept if name in cache)], check=True)
    jobs = os.environ.get("TILESMITH_JOBS", str(os.cpu_count() or 1))
    subprocess.run(["ninja", "-C", build, f"-j{jobs}", "tilesmith_cpu", "TilesmithAscendHeaders"], check=True)

    headers, libraries, program = build / "python/tilesmith_include", build / "python/tilesmith_lib", tmp_path / "program"
    (tmp_path / "program.cpp").write_text(PROGRAM)
    subprocess.run([ascendc.COMPILERS[0], "-std=c++17", f"-I{headers}", f"-I{headers}/ascendc", tmp_path / "program.cpp", "-o", program,
                    f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-ltilesmith_cpu", "-lpthread"], check=True)
    x, y = np.random.default_rng(1).standard_normal((2, 1024)).astype(np.float32)

    def run(platform):
        return subprocess.run([program], input=x.tobytes() + y.tobytes(), capture_output=True, env=os.environ | {
            "TILESMITH_PLATFORM": platform})

    done = run("Ascend950PR_9599")
    assert done.returncode == 0, done.stderr.decode()
    results = np.frombuffer(done.stdout, np.float32)
    assert (results[:1024] == np.abs(x - y)).all()
    assert (results[1024:].reshape(1024, 2) == np.stack([x, y], axis=1)).all()
    done = run("Ascend910B1")
    assert done.returncode == 1 and b"C220 does not have abs_diff" in done.stderr
