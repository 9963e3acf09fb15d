"""Every record of the instruction table carries one call as the public manual writes it; all of them compile against the headers.

Headers and records have one source, so that an argument swapped in a record would agree with itself; these calls are written
independently of it.
"""

import re
import subprocess

import pytest

import ascendc

# Element type of the tensors in an example, where it is not float.
ELEMENTS = {"And": "int16_t", "Or": "int16_t", "Not": "uint16_t", "ShiftLeft": "int32_t", "ShiftRight": "int32_t"}


def examples():
    for path in sorted((ascendc.ROOT / "include/tilesmith/Isa").glob("*.td")):
        for name, text in re.findall(r'def (\w+) :.*?let example = "((?:[^"\\]|\\.)*)";', path.read_text(), re.S):
            yield name, text.replace('\\"', '"').replace("\\\\", "\\")


def source():
    parts = ['#include "kernel_operator.h"\n']
    for name, text in examples():
        parts.append(f"""
void example_{name}() {{
  using T = {ELEMENTS.get(name, "float")};
  [[maybe_unused]] AscendC::LocalTensor<T> x, y, z, work;
  [[maybe_unused]] AscendC::LocalTensor<uint8_t> m;
  [[maybe_unused]] AscendC::LocalTensor<uint32_t> offsets;
  [[maybe_unused]] AscendC::LocalTensor<half> hx, hy, a1, a2, b1, b2;
  [[maybe_unused]] AscendC::LocalTensor<float> c1, bias1, bias2;
  [[maybe_unused]] AscendC::LocalTensor<int32_t> ix, i1;
  [[maybe_unused]] AscendC::LocalTensor<int8_t> by;
  [[maybe_unused]] AscendC::LocalTensor<fp8_e4m3fn_t> f1, f2;
  [[maybe_unused]] AscendC::LocalTensor<fp8_e5m2_t> g2;
  [[maybe_unused]] AscendC::LocalTensor<fp8_e8m0_t> s1;
  [[maybe_unused]] AscendC::LoadData3DParamsV2<half> imageParams;
  [[maybe_unused]] AscendC::GlobalTensor<int32_t> iGm;
  [[maybe_unused]] uint16_t lengths[4] = {{}};
  [[maybe_unused]] AscendC::GlobalTensor<T> xGm, yGm;
  [[maybe_unused]] AscendC::GlobalTensor<half> aGm;
  [[maybe_unused]] AscendC::GlobalTensor<float> cGm;
  [[maybe_unused]] AscendC::FixpipeParamsV220 params;
  [[maybe_unused]] int n = 0;
#line 1 "example of {name}"
  {{ {text} }}
}}""")
    return "\n".join(parts)


def test_there_are_examples():
    assert len(list(examples())) > 60


@pytest.mark.parametrize("compiler", ascendc.COMPILERS)
def test_every_example_compiles(compiler, tmp_path):
    file = tmp_path / "examples.cpp"
    file.write_text(source())
    done = subprocess.run(
        [compiler, *ascendc.INCLUDES, "-std=c++17", "-fsyntax-only", "-Wno-unused-variable", str(file)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
