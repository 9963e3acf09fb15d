"""The attacks in attacks/*.txt, as candidates.

Each computes 2 x on the host, in a way that wants not to be seen, around a kernel that only copies. A file begins with what its
attacks have in common. `== name | RULE` begins one, with the rule of `validate` that refuses it; then the body of forward, or in front of
it, between `@@` and `@@`, what the module has before ModelNew (`@@init`: what its constructor does).
"""

import textwrap
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "attacks"

TASK = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + x
def get_init_inputs():
    return []
def get_inputs():
    return [torch.randn(40, 33)]
"""

IMPORTS = """
import argparse, array, asyncio, atexit, bisect, builtins, collections, concurrent.futures, contextlib, contextvars, copy, ctypes
import dataclasses, decimal, fractions, functools, gc, heapq, importlib, inspect, itertools, json, math, operator, os, pickle, queue
import signal, statistics, struct, subprocess, sys, threading, time, types, typing, weakref
import numpy as np
import torch
import torch.nn as nn
"""
ASC2 = """
import asc
import asc2

@asc2.jit
def copy_kernel(x_ptr, y_ptr, size):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [512]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [512], tile_id=[i]), y_gm, tile_id=[i])
"""
RUN = """
def run(x):
    y = torch.empty_like(x)
    copy_kernel[4](x, y, x.numel())
    return y
"""


@dataclass
class Attack:
    group: str
    name: str
    rule: str  # that refuses it
    before: str
    init: str
    forward: str

    def __str__(self):
        return f"{self.group}: {self.name}"

    def candidate(self):
        init = textwrap.indent("def __init__(self):\n    super().__init__()\n" + textwrap.indent(self.init, "    "), "    ") if self.init else ""
        forward = "    def forward(self, x):\n" + textwrap.indent(self.forward, " " * 8)
        return f"{IMPORTS}{ASC2}{RUN}\n{self.before}\nclass ModelNew(nn.Module):\n{init}\n{forward}\n"


def read(path):
    for block in path.read_text().split("\n== ")[1:]:
        title, _, text = block.partition("\n")
        name, _, rule = title.partition(" | ")
        before = init = ""
        if text.startswith("@@"):
            kind, _, rest = text[2:].partition("\n")
            part, _, text = rest.partition("\n@@\n")
            before, init = ("", part) if kind == "init" else (part, "")
        yield Attack(path.stem, name.strip(), rule.strip(), before, init, text.rstrip() + "\n")


def attacks():
    return [attack for path in sorted(FOLDER.glob("*.txt")) for attack in read(path)]
