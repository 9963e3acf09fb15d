"""Settings of the matrix object that a tiling is told."""

from dataclasses import dataclass

from asc.lib.host.enums import MatrixTraverse, ScheduleType


@dataclass
class MatmulConfigParams:
    """Which template of the matrix object is meant."""

    mm_config_type: int = 1
    enable_l1_cache_ub: bool = False
    schedule_type: ScheduleType = ScheduleType.INNER_PRODUCT
    traverse: MatrixTraverse = MatrixTraverse.NOSET
    en_vec_nd2nz: bool = False
