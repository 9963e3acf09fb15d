"""Readers of tasks: JSON Lines of every kind, and folders of tasks with candidates beside them."""

import json
import math

import pytest
import torch

from tilesmith.judge.isolation import cases
from tilesmith.judge.verdict import tasks

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "float64": torch.float64, "int8": torch.int8,
          "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "uint16": torch.uint16,
          "uint32": torch.uint32, "uint64": torch.uint64, "bool": torch.bool, "complex64": torch.complex64,
          "complex128": torch.complex128, "torch.float16": torch.float16, "float8_e4m3": torch.float8_e4m3fn}


def make(tmp_path, *inputs, seed=0):
    path = tmp_path / "case.json"
    path.write_text(json.dumps({"inputs": list(inputs)}) + "\n\n")
    torch.manual_seed(seed)
    [case] = cases.read_cases(path)
    return cases.make_inputs(case)


def tensor(dtype="fp32", shape=(4, 1000), **more):
    return {"name": "x", "type": "tensor", "required": True, "dtype": dtype, "shape": list(shape), **more}


@pytest.mark.parametrize("name, dtype", DTYPES.items())
def test_default_data_by_dtype(tmp_path, name, dtype):
    [x] = make(tmp_path, tensor(name))
    assert x.dtype == dtype and x.shape == (4, 1000)
    if dtype.is_complex:
        assert abs(x.mean()) < 0.1 and 0.9 < x.real.std() < 1.1 and 0.9 < x.imag.std() < 1.1
    elif dtype.is_floating_point:
        assert abs(x.double().mean()) < 0.1 and 0.9 < x.double().std() < 1.1
    elif dtype == torch.bool:
        assert set(x.flatten().tolist()) == {False, True}
    else:
        assert set(x.flatten().tolist()) == set(range(-10 if dtype.is_signed else 0, 10))


@pytest.mark.parametrize("rank", range(9))
def test_ranks(tmp_path, rank):
    [x] = make(tmp_path, tensor(shape=[2] * rank))
    assert x.shape == (2, ) * rank and x.is_contiguous()


def test_an_absent_optional_tensor_is_none_and_empty_ones_are_there(tmp_path):
    x, y, z = make(tmp_path, {**tensor(), "shape": None, "required": False}, tensor(shape=[0, 3]), tensor(shape=[]))
    assert x is None and y.shape == (0, 3) and z.shape == () and isinstance(z, torch.Tensor)


def test_a_seed_decides_the_data(tmp_path):
    [a], [b], [c] = (make(tmp_path, tensor(), seed=seed) for seed in (1, 1, 2))
    assert torch.equal(a, b) and not torch.equal(a, c)


@pytest.mark.parametrize("dtype, wanted, holds", [
    ("fp32", [-2, 3], lambda x: -2 <= x.min() < -1.9 and 2.9 < x.max() <= 3),
    ("fp16", [0.5, 0.5], lambda x: (x == 0.5).all()),
    ("fp32", 7, lambda x: (x == 7).all()),
    ("bf16", "nan", lambda x: x.isnan().all()),
    ("fp32", "inf", lambda x: (x == math.inf).all()),
    ("fp32", ["-inf"], lambda x: (x == -math.inf).all()),
    ("fp32", ["-inf", "inf"], lambda x: x.isinf().all() and 1000 < (x > 0).sum() < 3000),
    ("fp32", [0, "nan"], lambda x: 1000 < x.isnan().sum() < 3000 and (x[~x.isnan()] == 0).all()),
    ("fp32", [[0, 1], [10, 11], "nan"], lambda x: x.isnan().any() and (x > 10).any() and ((x >= 0) & (x <= 1)).any()),
    ("int32", [3, 5], lambda x: set(x.flatten().tolist()) == {3, 4, 5}),
    ("int8", [-1000, 1000], lambda x: x.min() < -120 and x.max() > 120),
    ("uint64", [0, 2**64 - 1], lambda x: max(x.flatten().tolist()) > 2**63),
    ("int64", ["-inf", "inf"], lambda x: min(x.flatten().tolist()) < -2**62 and max(x.flatten().tolist()) > 2**62),
    ("int32", "nan", lambda x: (x == 0).all()),
    ("complex64", [2, 2], lambda x: (x == 2 + 2j).all()),
    ("bool", 1, lambda x: x.all()),
    ("bool", [0, 1], lambda x: x.any() and not x.all()),
    ("fp32", None, lambda x: x.std() > 0.9),
])
def test_declared_ranges(tmp_path, dtype, wanted, holds):
    [x] = make(tmp_path, tensor(dtype, range_values=wanted))
    assert x.dtype == DTYPES.get(dtype) and holds(x), x


def test_outliers_are_few_but_there(tmp_path):
    [x] = make(tmp_path, tensor(range_values=[0, 1], outlier_values=["nan", "inf", -99]))
    assert x.isnan().any() and (x == math.inf).any() and (x == -99).any() and ((x >= 0) & (x <= 1)).sum() > 3900


@pytest.mark.parametrize("dtype, value, expected", [
    ("int", 3, 3),
    ("int", 3.0, 3),
    ("float", 3, 3.0),
    ("float", "inf", math.inf),
    ("bool", True, True),
    ("bool", 0, False),
    ("str", "sum", "sum"),
    ("string", "", ""),
    ("list", [1, 2], [1, 2]),
    ("tuple", [1, [2]], (1, [2])),
    ("dtype", "fp16", torch.float16),
    ("dtype", "torch.int8", torch.int8),
    ("int", None, None),
    ("list", None, None),
    ("int", [1, 2], [1, 2]),
    ("float32", 0.5, 0.5),
])
@pytest.mark.parametrize("kind", ["attr", "scalar"])
def test_attributes_and_scalars(tmp_path, kind, dtype, value, expected):
    [made] = make(tmp_path, {"name": "a", "type": kind, "dtype": dtype, "value": value})
    assert made == expected and type(made) is type(expected)


def test_lists_of_tensors(tmp_path):
    [xs] = make(tmp_path, {"name": "xs", "type": "tensor_list", "dtype": "fp16", "shapes": [[2], [3, 4], []], "dim": 0})
    assert [x.shape for x in xs] == [(2, ), (3, 4), ()] and all(x.dtype == torch.float16 for x in xs)
    [xs] = make(tmp_path, {"name": "xs", "type": "tensor_list", "dtype": ["fp16", "int8"], "shapes": [[2], [3]]})
    assert [x.dtype for x in xs] == [torch.float16, torch.int8]


@pytest.mark.parametrize("line, said", [
    ("{", ":2: Expecting"),
    ("[]", ':2: a case is an object with a list of objects as "inputs"'),
    ('{"inputs": [3]}', ":2: a case is an object"),
    ("[" * 100_000, ":2: "),
    ('{"inputs": [{"name": "x", "type": "tenser"}]}',
     ":2: input 'x': type 'tenser' is unknown; it is tensor, tensor_list, attr or scalar"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp33", "shape": [1]}]}',
     ":2: input 'x': dtype 'fp33' is unknown"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32"}]}',
     ":2: input 'x': a tensor has a shape, which may be null"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32", "shape": [-1]}]}',
     ":2: input 'x': shape [-1] is not a list of sizes"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32", "shape": [1.5]}]}', "shape [1.5] is not a list of sizes"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32", "shape": [1,1,1,1,1,1,1,1,1]}]}', "has 9 dimensions"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32", "shape": null, "required": true}]}',
     "a required tensor has no shape"),
    ('{"inputs": [{"name": "x", "type": "tensor", "dtype": "fp32", "shape": [1], "range_values": "many"}]}',
     "'many' is not a number"),
    ('{"inputs": [{"name": "x", "type": "attr", "dtype": "int"}]}', "an attr has a value, which may be null"),
    ('{"inputs": [{"name": "x", "type": "attr", "dtype": "int", "value": 1.5}]}', "1.5 is not an int"),
    ('{"inputs": [{"name": "x", "type": "attr", "dtype": "bool", "value": 2}]}', "2 is not a bool"),
    ('{"inputs": [{"name": "x", "type": "tensor_list", "dtype": "fp32", "shape": [1]}]}',
     "a tensor_list has a list of shapes"),
])
def test_a_line_that_is_no_case_is_named(tmp_path, line, said):
    path = tmp_path / "op.json"
    path.write_text('{"inputs": []}\n' + line + "\n")
    with pytest.raises(cases.TaskError) as caught:
        cases.read_cases(path)
    assert str(caught.value).startswith(str(path)) and said in str(caught.value)


def test_a_file_without_cases_is_an_error(tmp_path):
    (tmp_path / "op.json").write_text("\n \n")
    with pytest.raises(cases.TaskError, match="no case is in it"):
        cases.read_cases(tmp_path / "op.json")
    with pytest.raises(cases.TaskError, match="No such file"):
        cases.read_cases(tmp_path / "none.json")


# ---- folders -----------------------------------------------------------------------------------------------------------

TASK, CANDIDATE = "class Model: pass\n", "class ModelNew: pass\n"


def found(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(path.name + ".py").write_text(text)
    return {task.name: [str(path.relative_to(folder)) for path in task.candidates] for task in tasks.discover(folder)}


def test_candidates_lie_beside_their_task_or_in_its_folder(tmp_path):
    assert found(tmp_path,
                 relu=TASK,
                 relu_fast=CANDIDATE,
                 relu__slow=CANDIDATE,
                 relu__broken="def (",
                 relu___helper="",
                 level1__gelu_torch=TASK,
                 level1__gelu_triton_ascend_impl=CANDIDATE,
                 level1__gelu__a=CANDIDATE,
                 unrelated=CANDIDATE) == {
                     "level1/gelu_torch": ["level1/gelu/a.py", "level1/gelu_triton_ascend_impl.py"],
                     "relu": ["relu/broken.py", "relu/slow.py", "relu_fast.py"]
                 }


def test_the_longest_task_name_owns_a_candidate(tmp_path):
    assert found(tmp_path, add=TASK, add_relu=TASK, add_relu_x=CANDIDATE,
                 add_x=CANDIDATE) == {"add": ["add_x.py"], "add_relu": ["add_relu_x.py"]}


def test_a_candidate_may_hold_the_task_too_and_helpers_are_neither(tmp_path):
    assert found(tmp_path, add=TASK, add_x=TASK + CANDIDATE, add_tools="def f(): pass\n") == {"add": ["add_x.py"]}


def test_two_tasks_of_one_name_are_an_error(tmp_path):
    with pytest.raises(cases.TaskError, match="add_torch.py: add.py beside it is a task of the same name"):
        found(tmp_path, add=TASK, add_torch=TASK)


def test_cases_belong_to_the_task_with_their_stem(tmp_path):
    found(tmp_path, add=TASK, mul=TASK)
    (tmp_path / "add.json").write_text('{"inputs": []}\n')
    assert [(task.op_name, task.cases and task.cases.name) for task in tasks.discover(tmp_path)] == [("add", "add.json"),
                                                                                                     ("mul", None)]


@pytest.mark.parametrize("source, names", [
    ("from kernels import Fast as ModelNew", {"ModelNew"}),
    ("ModelNew = make()", {"ModelNew"}),
    ("if True:\n    class Model: pass\nelse:\n    Model = None", {"Model"}),
    ("try:\n    import a\nexcept ImportError:\n    class Model: pass", {"a", "Model"}),
    ("def f():\n    class Model: pass", {"f"}),
    ("(", None), ("\0", None),
])
def test_names_a_file_defines(source, names):
    assert tasks.defined_names(source) == names


def test_forms_of_public_case_files(tmp_path):
    """Named distributions, scalars with a range instead of a value, and int4 were refused."""
    [x] = make(tmp_path, tensor(range_values="normal"))
    assert abs(x.mean()) < 0.1 and 0.9 < x.std() < 1.1
    [x] = make(tmp_path, tensor(range_values="uniform"))
    assert 0 <= x.min() < 0.1 and 0.9 < x.max() <= 1
    [x] = make(tmp_path, tensor("int4"))
    assert x.dtype == torch.int8 and (x.min(), x.max()) == (-8, 7)
    [x] = make(tmp_path, tensor("int4", range_values=[0, 3]))
    assert (x.min(), x.max()) == (0, 3)
    [x, y] = make(tmp_path, {"name": "k", "type": "scalar", "dtype": "int32", "range_values": [3, 9]},
                  {"name": "p", "type": "scalar", "dtype": "fp32", "range_values": [0.5, 0.75]})
    assert type(x) is int and 3 <= x <= 9 and type(y) is float and 0.5 <= y <= 0.75
    [x, _] = make(tmp_path, {"name": "k", "type": "scalar", "dtype": "int32", "range_values": [0, 10**6]}, tensor(), seed=1)
    [y, _] = make(tmp_path, {"name": "k", "type": "scalar", "dtype": "int32", "range_values": [0, 10**6]}, tensor(), seed=2)
    assert x != y
