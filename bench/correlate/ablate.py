"""`--ablate`: the error of each class with each mechanism of the model switched off.

A mechanism is switched off by lines of the platform file (ablations.csv): name, architecture or part it is about, the lines, what it is.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import platforms

FILE = Path(__file__).resolve().parent / "ablations.csv"


@dataclass(frozen=True)
class Ablation:
    name: str
    lines: tuple  # (key, text); keys a part does not have are left out
    what: str

    def texts(self, part):
        known = platforms.lines(part)
        return {key: text for key, text in self.lines if key in known and known[key].text != text}


def read(path=FILE):
    with open(path, newline="") as file:
        return [
            Ablation(
                row["name"],
                tuple(tuple(piece.strip() for piece in line.split("=", 1)) for line in row["lines"].split(";")),
                row["what"],
            )
            for row in csv.DictReader(file)
        ]
