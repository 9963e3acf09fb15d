"""gated_norm up to M2, in torch: made from module_interfaces.yaml."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from gated_norm_golden import gated_norm_norm_golden, gated_norm_gate_golden


def gated_norm_module12_golden(x, gamma):
    m1_h1 = gated_norm_norm_golden(x, gamma)
    m2_h2 = gated_norm_gate_golden(m1_h1)
    return m2_h2
