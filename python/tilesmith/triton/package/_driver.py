"""What programs ask about the device."""


class _Target:
    def __init__(self, arch):
        self.backend, self.arch, self.warp_size = "npu", arch, 0


class NPUUtils:
    """What there is of the chip."""

    def get_device_properties(self, device=0):
        """How many cores there are, and the bytes of UB."""
        from asc.runtime.config import core_count

        return {"num_aicore": core_count("cube"), "num_vectorcore": core_count("vector"), "max_shared_mem": 192 * 1024}

    def get_aicore_num(self):
        """How many cores make products."""
        return self.get_device_properties()["num_aicore"]

    def get_aivector_core_num(self):
        """How many cores compute with vectors."""
        return self.get_device_properties()["num_vectorcore"]

    def get_arch(self):
        """The chip the model is of."""
        from asc.runtime import config

        return config.current_platform().value


class _Active:
    utils = NPUUtils()

    def get_current_target(self):
        """The chip the model is of."""
        from asc.runtime import config

        return _Target(config.current_platform().value)

    def get_current_device(self):
        """There is one."""
        return 0

    def set_current_device(self, device):
        """There is one."""

    def get_current_stream(self, device=None):
        """Streams are torch's."""
        return 0

    def get_active_torch_device(self):
        """Where tensors live that kernels take: the npu device if it is there, else the host."""
        import torch

        return torch.device("npu") if hasattr(torch, "npu") else torch.device("cpu")

    def get_benchmarker(self):
        """What measures."""
        from tilesmith.triton.package.testing import do_bench

        return do_bench


active = _Active()
