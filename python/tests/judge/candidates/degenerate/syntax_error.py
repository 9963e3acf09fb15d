# degenerate: type 1: parse
import torch


class ModelNew(
    def forward(self, x):
        return x
