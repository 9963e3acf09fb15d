"""Which part kernels run on."""

from asc.runtime import config


def npuarch():
    """The architecture of the current platform: "C220" or "C310"."""
    return config.platform_to_arch(config.current_platform()).value.upper()
