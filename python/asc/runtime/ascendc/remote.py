"""A library of C++ kernels in a process whose device is in another one: that one compiles the sources and launches."""

import operator

from .build import tiling_header
from .errors import AscendCError
from .library import Library
from .source import user_files


class RemoteLibrary(Library):
    """The kernels of one source, as the device's process has compiled them."""

    def __init__(self, path, *, kernels=None, compiler=None, options=(), timeout=60.0):
        import os

        from tilesmith.npu import remote

        self._remote, self.path, self.timeout = remote, os.path.abspath(os.fspath(path)), timeout
        options = [str(option) for option in options]
        files = user_files(self.path, options)
        if self.path not in files:
            raise AscendCError(f"'{self.path}' cannot be read")
        tiling = tiling_header(self.path, files[self.path].encode("utf-8", "surrogateescape"))
        if tiling:
            files.update(user_files(tiling, options))
        request = {"do": "library", "path": self.path, "files": files, "options": options, "timeout": timeout}
        answer = remote.ask({**request, "kernels": None if kernels is None else list(kernels), "compiler": compiler})
        if "error" in answer:
            raise AscendCError(answer["error"])
        self._number = answer["number"]
        self._kernels = {name: RemoteKernel(self, name) for name in answer["kernels"]}

    def close(self):
        """The device keeps what it has compiled."""


class RemoteKernel:
    """A kernel written in C++; `kernel[blocks](...)` launches it."""

    def __init__(self, library, name):
        self.library, self.__name__ = library, name

    def __getitem__(self, configuration):
        blocks = operator.index(configuration[0] if isinstance(configuration, tuple) and configuration else configuration)
        if blocks <= 0:
            raise ValueError(f"the number of blocks must be positive, not {blocks}")
        return lambda *args, **keywords: self._launch(blocks, args, keywords)

    def __call__(self, *args, **keywords):
        raise TypeError(f"'{self.__name__}' is a C++ kernel; launch it as {self.__name__}[blocks](...)")

    def _launch(self, blocks, args, keywords):
        lent = []
        request = {"do": "launch", "library": self.library._number, "kernel": self.__name__, "blocks": blocks}
        request["args"] = [self._described(value, lent) for value in args]
        request["keywords"] = {name: self._described(value, lent) for name, value in keywords.items()}
        self.library._remote.ask(request)

    def _described(self, value, lent):
        """A value as the device's process takes it. What the host has is handed over for the launch, which may only read it."""
        import numpy as np
        import torch

        value = getattr(value, "__tilesmith_tensor__", value)
        if isinstance(value, np.ndarray):
            value = torch.from_numpy(np.ascontiguousarray(value))
        if isinstance(value, torch.Tensor):
            if value.device.type != "npu":
                value = value.to("npu")
                lent.append(value)
            if not value.is_contiguous():
                raise ValueError(
                    f"an argument of shape {tuple(value.shape)} of {self.__name__}() is not contiguous; pass a contiguous copy"
                )
            return self.library._remote.place(value)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return {"bytes": bytes(value).hex()}
        if hasattr(value, "item"):
            value = value.item()
        if value is None or isinstance(value, (bool, int, float)):
            return {"value": value.hex() if isinstance(value, float) else value}
        raise TypeError(f"{self.__name__}() takes arrays, numbers and None, not {type(value).__name__}")
