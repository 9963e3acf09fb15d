"""What a tiling has to know of the chip."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A chip: its cores, and the bytes of its memories that a product may use."""

    name: str
    cores: int = 24
    l1: int = 512 * 1024
    l0a: int = 64 * 1024
    l0b: int = 64 * 1024
    l0c: int = 128 * 1024
    ub: int = 192 * 1024
    bt: int = 1024

    def get_core_num(self) -> int:
        """Cores of the matrix unit."""
        return self.cores

    def get_core_num_aic(self) -> int:
        """Cores of the matrix unit."""
        return self.cores

    def get_core_num_aiv(self) -> int:
        """Vector cores."""
        return 2 * self.cores


class PlatformAscendCManager:
    """Platforms by their names."""

    @staticmethod
    def get_instance(soc=None) -> Platform:
        """The platform of this name, or the current one."""
        import _tilesmith

        name = getattr(soc, "value", soc) or _tilesmith.current_platform()
        if str(name).startswith("Ascend950"):
            return Platform(str(name), 32, l0c=256 * 1024, ub=248 * 1024, bt=4096)
        return Platform(str(name), 20 if str(name) in ("Ascend910B4", "Ascend910B4-1") else 24)


def get_ascendc_platform() -> Platform:
    """The current platform."""
    return PlatformAscendCManager.get_instance()
