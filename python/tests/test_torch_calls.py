"""The table of torch_calls: every call gives on the device what it gives on the host, and its result stays on the device."""

import copy
import io
import pickle
import warnings

import pytest

torch = pytest.importorskip("torch")
import tilesmith.npu
from torch.nn import functional as F

from torch_calls import CALLS


def setitem(tensor, index, value):
    tensor[index if len(index) > 1 else index[0]] = value
    return tensor


def grad(function, tensor):
    tensor = tensor.clone().requires_grad_()
    function(tensor).backward()
    return tensor.grad


def saved(tensor):
    file = io.BytesIO()
    torch.save(tensor, file)
    file.seek(0)
    return torch.load(file)


def evaluate(call, device):
    generator = torch.Generator().manual_seed(5)
    random = lambda *shape: torch.randn(*shape, generator=generator)
    tensors = {"x": random(3, 4), "y": random(3, 4), "v": random(4), "i": torch.tensor([0, 2, 1, 1]), "b": random(3, 4) > 0,
               "s": random(4, 4) + 4 * torch.eye(4), "z": torch.complex(random(3), random(3)), "img": random(2, 3, 8, 8)}
    names = {name: tensor.to(device) for name, tensor in tensors.items()}
    return eval(call, {"torch": torch, "F": F, "d": device, "grad": grad, "setitem": setitem, "saved": saved, "pickle": pickle,
                       "copy": copy, **names})


def leaves(result):
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        return [leaf for item in result for leaf in leaves(item)]
    return [result]


@pytest.mark.parametrize("call", CALLS)
def test_call_gives_on_the_device_what_it_gives_on_the_host(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tilesmith.npu.FallbackWarning)
        wanted, given = leaves(evaluate(call, "cpu")), leaves(evaluate(call, "npu"))
    assert len(wanted) == len(given)
    # Torch computes these in other steps on the host, or in an order that depends on where memory begins.
    near = 1e-5 if call.startswith(("grad(", "F.scaled", "x @", "torch.bmm", "torch.linalg", "F.linear", "F.layer_norm")) else 0
    on_host = call.startswith(("x.cpu()", "x.tolist()"))
    for one, other in zip(wanted, given):
        if not isinstance(one, torch.Tensor):
            assert one == other
            continue
        assert other.device.type == ("cpu" if on_host else "npu")
        assert one.dtype == other.dtype and one.shape == other.shape
        if one.numel():
            assert one.stride() == other.stride()
        torch.testing.assert_close(other.cpu(), one, rtol=near, atol=near, equal_nan=True)


def test_the_table_is_as_long_as_docs_say():
    assert len(CALLS) >= 60


def test_no_call_of_the_table_leaks_memory():
    """A tensor that a fallback keeps would never be freed."""
    import gc
    gc.collect()
    before = torch.npu.memory_allocated()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tilesmith.npu.FallbackWarning)
        for call in CALLS[30:60]:
            evaluate(call, "npu")
    gc.collect()
    assert torch.npu.memory_allocated() == before
