"""What a tiling has to know of the chip."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A chip: its cores, and the bytes of its memories that a product may use."""

    name: str
    cores: int
    vector_cores: int
    l1: int
    l0a: int
    l0b: int
    l0c: int
    ub: int
    bt: int

    def get_core_num(self) -> int:
        """Cores of the matrix unit."""
        return self.cores

    def get_core_num_aic(self) -> int:
        """Cores of the matrix unit."""
        return self.cores

    def get_core_num_aiv(self) -> int:
        """Vector cores."""
        return self.vector_cores


class PlatformAscendCManager:
    """Platforms by their names."""

    @staticmethod
    def get_instance(soc=None) -> Platform:
        """The platform of this name, or the current one."""
        import _tilesmith

        name = str(getattr(soc, "value", soc) or _tilesmith.current_platform())
        facts = _tilesmith.platform_facts(name)
        memories = {memory.lower(): facts[memory] for memory in ("L1", "L0A", "L0B", "L0C", "UB", "BT")}
        return Platform(name, facts["cube_cores"], facts["vector_cores"], **memories)


def get_ascendc_platform() -> Platform:
    """The current platform."""
    return PlatformAscendCManager.get_instance()
