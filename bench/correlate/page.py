"""All that a run found out, as data and as the page of the documentation.

The page is written from the data (results.json) alone, so that whether it is up to date can be seen without a run.
"""

import csv
import json
import math

import ablate
import plot
import sensitivity
from errors import Result, by_class, families, mean, pipe_errors, relative
from rows import CLASSES, HERE, PIPES

ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "correlation.md"
PICTURE = ROOT / "docs" / "pictures" / "correlation.svg"
DATA = HERE / "results.json"
EXPLANATIONS = HERE / "explanations.csv"
FRAME = HERE / "page.md"
LARGE = 0.15  # an error beyond it is explained
LARGE_BUSY = {"V": 0.10, "M": 0.10, "MTE1": 0.10, "MTE2": 0.10, "MTE3": 0.25, "FIX": 0.25}  # of the busy time of a pipe


class Kept:
    """A prediction as the data has it."""

    def __init__(self, row):
        self.predicted, self.bound = row["predicted"], row["bound"]
        self.busy = {pipe: predicted for pipe, (_, predicted, _) in row["pipes"].items()}

    def value(self, row):
        return self.predicted


def with_kept(results, rows):
    """Results of all rows: those of a run, and of the others what the data has."""
    run = {each.row.id: each for each in results}
    known = {row["id"]: row for row in kept()["rows"]} if DATA.exists() else {}
    for row in rows:
        old = known.get(row.id, {"failed": "was never run"})
        yield run.get(row.id) or (Result(row, failed=old["failed"]) if "failed" in old else Result(row, Kept(old)))


class Document:
    """What a run found out; parts that were not asked for are empty."""

    def __init__(self, results):
        self.results = results
        self.effects, self.ablations, self.scaling = {}, {}, []

    def fitted(self):
        """[(name, Decided)] of the fitted constants that matter to a row."""
        good = [each for each in self.results if not each.failed and each.row.counts]
        found = sensitivity.decided(good, self.effects)
        return [(name, decided) for name, decided in sorted(found.items()) if decided.constant.is_fitted]

    def ablation_table(self, classes):
        """[(name, [error of each class, of busy times], [(row, error)] that changed most)], first with everything on."""
        counted = [each for each in self.results if not each.failed and each.row.kind in classes]

        def averages(results):
            errors = [mean(abs(each.error) for each in results if each.row.kind == kind) for kind in classes]
            return [*errors, mean(abs(error) for each in results for _, _, error in each.pipes().values())]

        yield "nothing", averages(counted), []
        for name, changed in self.ablations.items():
            changed = [each for each in changed if not each.failed]
            now = {each.row.id: each for each in [*counted, *changed]}
            before = {each.row.id: each.error for each in counted}
            most = sorted(changed, key=lambda each: -abs(each.error - before[each.row.id]))[:3]
            yield (
                name,
                averages(now.values()),
                [(each.row.id, each.error) for each in most if abs(each.error - before[each.row.id]) > 0.01],
            )

    def as_json(self):
        good = [each for each in self.results if not each.failed]
        classes = by_class(good, CLASSES)
        data = {
            "rows": [_row(each) for each in self.results],
            "classes": [
                {
                    "class": each.name,
                    "rows": len(each.results),
                    "mape": _round(each.mape),
                    "bias": _round(each.bias),
                    "worst": each.worst.row.id,
                }
                for each in classes
            ],
            "pipes": [
                {
                    "pipe": pipe,
                    "rows": len(errors),
                    "mape": _round(mean(abs(e) for e, _ in errors)),
                    "worst": max(errors, key=lambda p: abs(p[0]))[1],
                }
                for pipe, errors in sorted(pipe_errors(good).items(), key=lambda item: PIPES.index(item[0]))
            ],
            "families": {name: _round(value) for name, value in families(good).items() if not math.isnan(value)},
        }
        if self.scaling:
            data["scaling"] = [
                {
                    "row": row.id,
                    "fractions": [str(part) for part in row.part],
                    "third": str(third),
                    "scaled": _digits(scaled),
                    "run": _digits(run),
                }
                for row, third, scaled, run in self.scaling
            ]
        if self.effects:
            data["effects"] = {
                id: {
                    constant.name: [_round(up), _round(down)]
                    for constant, (up, down, _, _) in sorted(found.items(), key=lambda i: i[0].name)
                }
                for id, found in self.effects.items()
            }
            data["fitted"] = [_fitted(name, decided) for name, decided in self.fitted()]
        if self.ablations:
            kinds = [each.name for each in classes if each.name != "envelope"]
            data["ablations"] = [
                {
                    "off": name,
                    "mape": dict(zip([*kinds, "busy time"], map(_round, errors))),
                    "most": [[id, _round(error)] for id, error in most],
                }
                for name, errors, most in self.ablation_table(kinds)
            ]
        return data


def _round(value):
    return round(value, 4)


def _digits(value):
    return float(f"{value:.5g}")


def _row(each):
    row = each.row
    data = {"id": row.id, "family": row.family, "class": row.kind, "platform": row.platform, "kernel": row.kernel, "blocks": row.blocks,
            "arguments": row.arguments, "unit": row.unit, "measured": [row.low, row.high] if row.is_range else row.low, "source": row.source,
            "confidence": row.confidence, "note": row.note}  # fmt: skip
    if each.failed:
        return data | {"failed": each.failed}
    pipes = {pipe: [m, _digits(p), _round(e)] for pipe, (m, p, e) in each.pipes().items()}
    return data | {
        "predicted": _digits(each.predicted),
        "error": _round(each.error),
        "bound": each.prediction.bound,
        "pipes": pipes,
    }


def _fitted(name, decided):
    out = decided.left_out()
    deviation = decided.deviation()
    return {
        "constant": name,
        "source": decided.constant.line.source,
        "value": decided.constant.value,
        "best": _digits(decided.constant.value * math.exp(decided.best())),
        "deviation": None if math.isinf(deviation) else _round(deviation),
        "rows": [[result.row.id, _round(slope)] for result, slope in decided.rows],
        "without": [_digits(min(value for _, value, _ in out)), _digits(max(value for _, value, _ in out))],
        "error": _round(mean(abs(result.error) for result, _ in decided.rows)),
        "left_out": _round(mean(abs(error) for _, _, error in out)),
    }


# ---- the page ----------------------------------------------------------------------------------------------------------


def explanations():
    """{ids, or prefixes with a *: text}"""
    with open(EXPLANATIONS, newline="") as file:
        return {row["rows"]: row["why"] for row in csv.DictReader(file)}


def kept():
    """What the last run for the page found out."""
    return json.loads(DATA.read_text())


def explained(id, texts):
    return next(
        (
            text
            for name, text in texts.items()
            if id in name.split() or any(n[-1:] == "*" and id.startswith(n[:-1]) for n in name.split())
        ),
        "",
    )


def is_large(row):
    return "error" in row and row["class"] != "envelope" and abs(row["error"]) > LARGE


def large_pipes(row):
    """[(pipe, error)] of the busy times that are explained."""
    pipes = row.get("pipes", {}) if row["class"] != "envelope" else {}
    return [(pipe, error) for pipe, (_, _, error) in pipes.items() if abs(error) > LARGE_BUSY.get(pipe, math.inf)]


def _percent(value):
    return f"{100 * value:+.1f} %".replace("-", "−")


def _share(value):
    return f"{100 * value:.1f} %"


def _number(value):
    return f"{value:,.0f}".replace(",", " ") if value >= 10000 else f"{value:.4g}"


def _measured(row):
    value = row["measured"]
    return f"{_number(value[0])} to {_number(value[1])}" if isinstance(value, list) else _number(value)


def _table(head, lines):
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(line) + " |" for line in lines)]
    )


def _classes(data):
    worst = {row["id"]: row for row in data["rows"]}
    return _table(
        ["class", "rows", "MAPE", "bias", "worst"],
        [
            [
                each["class"],
                str(each["rows"]),
                _share(each["mape"]),
                _percent(each["bias"]),
                f"{each['worst']} {_percent(worst[each['worst']]['error'])}",
            ]
            for each in data["classes"]
        ],
    )


def _pipes(data):
    rows = {row["id"]: row for row in data["rows"]}
    worst = lambda each: rows[each["worst"]]["pipes"][each["pipe"]][2]
    lines = [
        [each["pipe"], str(each["rows"]), _share(each["mape"]), f"{each['worst']} {_percent(worst(each))}"]
        for each in data["pipes"]
    ]
    return _table(["pipe", "rows", "MAPE of busy time", "worst"], lines)


def _families(data):
    return _table(
        ["family of variants", "Kendall's tau"],
        [[name, f"{value:.2f}".replace("-", "−")] for name, value in data["families"].items()],
    )


def _rows(data, kind):
    lines = []
    for row in data["rows"]:
        if row["class"] != kind:
            continue
        if "failed" in row:
            lines.append([row["id"], row["platform"], row["note"], _measured(row), "cannot run", "", ""])
            continue
        unit = "µs" if row["unit"] == "us" else "cycles"
        pipes = ", ".join(f"{pipe} {_number(m)}: {_percent(e)}" for pipe, (m, _, e) in row["pipes"].items())
        lines.append(
            [
                row["id"],
                row["platform"],
                row["note"],
                f"{_measured(row)} {unit}",
                _number(row["predicted"]),
                _percent(row["error"]),
                pipes,
            ]
        )
    return _table(["row", "part", "what", "measured", "predicted", "error", "busy time per core"], lines)


def _explained(data):
    texts = explanations()
    why = lambda id: explained(id, texts) or "not explained yet"
    large = [[row["id"], _percent(row["error"]), why(row["id"])] for row in data["rows"] if is_large(row)]
    busy = [[f"{row['id']}, {pipe}", _percent(error), why(row["id"])] for row in data["rows"] for pipe, error in large_pipes(row)]
    return _table(["row", "error", "why"], large + busy)


def _failed(data):
    return ", ".join(row["id"] for row in data["rows"] if "failed" in row)


def _ablations(data):
    whats = {each.name: each.what for each in ablate.read()}
    names = list(data["ablations"][0]["mape"])
    lines = []
    for each in data["ablations"]:
        most = ", ".join(f"{id} {_percent(error)}" for id, error in each["most"])
        what = f"{each['off']}: {whats[each['off']]}" if each["off"] in whats else "nothing"
        lines.append([what, *(_share(each["mape"][name]) for name in names), most])
    return _table(["switched off", *names, "rows that change most"], lines)


def _constants(data):
    lines = []
    for each in data["fitted"]:
        one = len(each["rows"]) == 1
        most = sorted(each["rows"], key=lambda pair: -abs(pair[1]))[:4]
        rows = ", ".join(f"{id} {slope:+.2f}".replace("-", "−") for id, slope in most)
        spread = "one row" if one else f"{_number(each['without'][0])} to {_number(each['without'][1])}"
        best = _number(each["best"]) + ("" if one or each["deviation"] is None else f" ± {100 * each['deviation']:.0f} %")
        lines.append(
            [
                f"`{each['constant']}`",
                f"{each['value']:g}",
                best,
                str(len(each["rows"])),
                spread,
                _share(each["error"]),
                _share(each["left_out"]),
                rows,
            ]
        )
    head = [
        "constant",
        "value",
        "best for its rows",
        "rows",
        "with one row left out",
        "mean error",
        "of rows left out",
        "rows that depend on it most",
    ]
    return _table(head, lines)


def _sensitive(data):
    """By constant: the rows it moves."""
    by_constant = {}
    for id, found in data["effects"].items():
        for name, (up, down) in found.items():
            by_constant.setdefault(name, []).append((max(abs(up), abs(down)), id, up, down))
    lines = []
    for name, moved in sorted(by_constant.items()):
        moved.sort(key=lambda item: -item[0])
        strong = [item for item in moved if item[0] >= 0.01]
        if strong:
            text = ", ".join(f"{id} {_percent(up)} / {_percent(down)}" for _, id, up, down in strong[:3])
            lines.append([f"`{name}`", str(len(strong)), text])
    return _table(["constant", "rows it moves by 1 % or more", "most: at +20 % / at −20 %"], lines)


def _scaling(data):
    lines = [
        [
            each["row"],
            " and ".join(each["fractions"]),
            each["third"],
            _number(each["scaled"]),
            _number(each["run"]),
            _percent(relative(each["scaled"], each["run"])),
        ]
        for each in data["scaling"]
    ]
    return _table(["row", "fractions", "third", "as scaled", "as run", "difference"], lines)


def render(data):
    """The page; page.md is its frame, with {{name}} where a table goes."""
    text = FRAME.read_text()
    parts = {
        "classes": _classes, "pipes": _pipes, "families": _families, "explained": _explained, "ablations": _ablations, "constants": _constants,
        "sensitive": _sensitive, "scaling": _scaling,
        **{kind: (lambda data, kind=kind: _rows(data, kind)) for kind in CLASSES},
    }  # fmt: skip
    needed = {"ablations": "ablations", "constants": "fitted", "sensitive": "effects", "scaling": "scaling"}
    for name, make in parts.items():
        if needed.get(name, "rows") not in data:
            make = lambda data: "Not run yet: `./dev correlate --page --all`."
        mark = "{{" + name + "}}"
        if mark in text:
            text = text.replace(mark, make(data))
    return text


def pictures(rows, path):
    """Of the rows of the data: {file: text}."""
    path = path if path.suffix == ".svg" else path.with_name(path.name + ".svg")
    return {path: plot.against(rows), path.with_name(path.stem + "-residuals.svg"): plot.residuals(rows)}


SLOW = ("scaling", "effects", "fitted", "ablations")


def write(document):
    """The parts that were not asked for stay as they were."""
    data = document.as_json()
    if DATA.exists():
        data |= {name: part for name, part in kept().items() if name in SLOW and name not in data}
    DATA.write_text(
        json.dumps(data, indent=None, separators=(", ", ": "))
        .replace('{"id"', '\n{"id"')
        .replace('{"constant"', '\n{"constant"')
        .replace('{"off"', '\n{"off"')
        + "\n"
    )
    for path, text in {PAGE: render(kept()), **pictures(kept()["rows"], PICTURE)}.items():
        path.write_text(text)
