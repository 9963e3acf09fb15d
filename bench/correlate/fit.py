"""`--fit NAME...`: constants that would fit the rows better, and how far to trust them. Nothing is written.

Gauss-Newton on the logarithms of constants and times, with real replays in every step. Residuals are ln(predicted / measured) of each
row, and of each measured busy time with half the weight; beyond 10 % an error counts in proportion and not by its square (Huber), so that
a row the model does not understand does not bend the constants. The deviation comes from the curvature at the solution; the interval from 400
resamples of the rows, to first order.
"""

import difflib
import math
import random
from dataclasses import dataclass

import platforms

MOST = math.log(3)  # a constant moves by at most this factor
ROUNDS = 5
BUSY_WEIGHT = 0.5
HUBER = 0.1


class FitError(Exception):
    """A constant that does not exist, or that no row depends on."""


def find(names, rows):
    """The constants that the names mean, on the parts of the rows: NAME or PART:NAME."""
    known = {}
    for part in dict.fromkeys(row.platform for row in rows):
        known |= {constant.name: constant for constant in platforms.constants(part)}
    chosen = {}
    for name in names:
        found = {full: constant for full, constant in known.items() if name in (full, full.partition(":")[2])}
        if not found:
            short = {full.partition(":")[2] for full in known}
            close = difflib.get_close_matches(name, [*short, *known], 1)
            raise FitError(
                f"the parts of these rows have no constant '{name}'" + (f"; did you mean '{close[0]}'?" if close else "")
            )
        chosen |= found
    zero = [name for name, constant in chosen.items() if not constant.value]
    if zero:
        raise FitError(f"'{zero[0]}' is 0 (off), and a factor of it cannot be fitted")
    return list(chosen.values())


def residuals(row, prediction):
    """[(residual, weight)] of a row; inside a range there is none."""
    value = max(prediction.value(row), 1e-12)
    target = min(max(value, row.low), row.high)
    result = [(math.log(value / target), 1.0)]
    for pipe, measured in row.busy.items():
        result.append((math.log(max(prediction.busy.get(pipe, 0.0), 1e-9) / measured), BUSY_WEIGHT))
    return result


def evaluate(row, points, parts=None):
    """[[(residual, weight)]] of a row at points {constant: text of the number}; asked of a worker."""
    import record

    whole = record.Whole(row).time()
    recorded = record.Whole(row, parts)
    first, answers = recorded.time(), []
    for point in points:
        own = {
            constant: number
            for constant, number in point.items()
            if platforms.lines(row.platform)[constant.line.key] == constant.line
        }
        answers.append(residuals(row, whole.scaled(first, recorded.time(platforms.overrides(row.platform, own)))))
    return answers


def solve(matrix, vector):
    """x of matrix x = vector, by elimination with pivots; None if it has no single solution."""
    size = len(vector)
    rows = [list(line) + [value] for line, value in zip(matrix, vector)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda at: abs(rows[at][column]))
        if abs(rows[pivot][column]) < 1e-12:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for at in range(size):
            if at != column:
                factor = rows[at][column] / rows[column][column]
                rows[at] = [value - factor * other for value, other in zip(rows[at], rows[column])]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def normal(equations, damping=0.0):
    """(JtWJ, JtWr) of [(residual, weight, gradient)]."""
    size = len(equations[0][2]) if equations else 0
    square = [
        [sum(w * g[i] * g[j] for _, w, g in equations) + (damping if i == j else 0) for j in range(size)] for i in range(size)
    ]
    return square, [sum(w * g[i] * r for r, w, g in equations) for i in range(size)]


@dataclass
class Proposal:
    constant: object
    value: float
    deviation: float  # of its logarithm
    low: float  # of the middle 90 % of the resamples
    high: float
    deciding: list  # (row id, its share of what is known about the constant)


@dataclass
class Fit:
    proposals: list
    rows: list  # that any of the constants matters to
    before: float  # mean absolute error of their totals
    after: float
    left_out: float  # of rows that were left out of the fit, one at a time


def fit(rows, constants, run):
    """`run` takes [(row, points)] and gives [[residuals of a row at each point]]."""
    theta = [0.0] * len(constants)
    kept = None
    for _ in range(ROUNDS):
        texts = [constant.write(constant.value * math.exp(at)) for constant, at in zip(constants, theta)]
        points, steps = [dict(zip(constants, texts))], []
        for constant, text in zip(constants, texts):
            here = float(text) or constant.value
            for factor in (1.1, 1 / 1.1):
                stepped = platforms.Constant(constant.line, constant.index, constant.name).write(here * factor)
                if float(stepped) == here:
                    unit = 10.0 ** -len(constant.number.partition(".")[2])
                    stepped = constant.write(here + (unit if factor > 1 else -unit))
                points.append(points[0] | {constant: stepped})
                steps.append(math.log(max(float(stepped), 1e-9) / here))
        answers = run([(row, points) for row in rows])
        equations = []  # (row number, residual, weight, gradient)
        for number, answer in enumerate(answers):
            for index, (residual, weight) in enumerate(answer[0]):
                gradient = [
                    (answer[1 + 2 * i][index][0] - answer[2 + 2 * i][index][0]) / (steps[2 * i] - steps[2 * i + 1])
                    for i in range(len(constants))
                ]
                weight *= min(1.0, HUBER / max(abs(residual), 1e-9))
                if any(abs(g) > 1e-6 for g in gradient):
                    equations.append((number, residual, weight, gradient))
        if kept is None:
            first = {number for number, *_ in equations}
            if not first:
                raise FitError("none of these rows depends on " + ", ".join(constant.name for constant in constants))
            before = {number: abs(math.expm1(answers[number][0][0][0])) for number in first}
        cost = sum(w * r * r for _, r, w, _ in equations)
        if kept is None or cost < kept[0]:
            kept = cost, list(theta), equations, answers
        square, right = normal([equation[1:] for equation in equations], damping=1e-4)
        step = solve(square, right)
        if step is None or max(map(abs, step)) < 0.002:
            break
        theta = [max(-MOST, min(MOST, at - max(-0.5, min(0.5, move)))) for at, move in zip(theta, step)]
    return conclude(rows, constants, kept, before)


def conclude(rows, constants, kept, before):
    _, theta, equations, answers = kept
    plain = [equation[1:] for equation in equations]
    square, _ = normal(plain, damping=1e-9)
    freedom = max(1, len(equations) - len(constants))
    variance = sum(w * r * r for r, w, _ in plain) / freedom
    numbers = sorted({number for number, *_ in equations})

    def moved(chosen):
        system = normal([equation[1:] for number in chosen for equation in equations if equation[0] == number], damping=1e-6)
        return solve(*system)

    dice = random.Random(1)
    samples = [moved(dice.choices(numbers, k=len(numbers))) for _ in range(400)]
    errors = []
    for out in numbers:
        shift = moved([number for number in numbers if number != out]) or [0.0] * len(constants)
        residual, _, gradient = next(equation[1:] for equation in equations if equation[0] == out)
        errors.append(abs(math.expm1(residual - sum(g * s for g, s in zip(gradient, shift)))))
    proposals = []
    for i, (constant, at) in enumerate(zip(constants, theta)):
        unit = [float(i == j) for j in range(len(constants))]
        column = solve(square, unit)
        deviation = math.sqrt(max(variance * column[i], 0.0)) if column else math.inf
        spread = sorted(at - sample[i] for sample in samples if sample)
        low, high = (spread[len(spread) // 20], spread[-1 - len(spread) // 20]) if spread else (-math.inf, math.inf)
        weights = {}
        for number, _, weight, gradient in equations:
            weights[rows[number].id] = weights.get(rows[number].id, 0.0) + weight * gradient[i] ** 2
        total = sum(weights.values())
        deciding = sorted(((id, value / total) for id, value in weights.items() if total), key=lambda pair: -pair[1])
        scale = constant.value
        proposals.append(
            Proposal(constant, scale * math.exp(at), deviation, scale * math.exp(low), scale * math.exp(high), deciding)
        )
    after = [abs(math.expm1(answers[number][0][0][0])) for number in numbers]
    mean = lambda values: sum(values) / len(values)
    return Fit(proposals, [rows[number] for number in numbers], mean(list(before.values())), mean(after), mean(errors))


def report(result):
    """The proposal in words."""
    yield f"{len(result.rows)} rows depend on these constants; mean error {100 * result.before:.1f} % -> {100 * result.after:.1f} %"
    yield f"each row predicted by a fit to the others: {100 * result.left_out:.1f} %"
    yield ""
    for each in result.proposals:
        constant = each.constant
        value = constant.write(each.value)
        yield f"{constant.name}  {constant.number} -> {value}  (one deviation {100 * each.deviation:.0f} %; 90 % of resamples {constant.write(each.low)} .. {constant.write(each.high)})"
        rows = ", ".join(f"{id} {100 * share:.0f} %" for id, share in each.deciding[:5] if share >= 0.01)
        yield f"  decided by {rows or 'no row'}"
        if len([1 for _, share in each.deciding if share >= 0.05]) < 2:
            yield "  warning: one row decides it; a constant that is fitted to a single row says nothing about others"
        if each.low <= constant.value <= each.high:
            yield "  the present value lies inside: these rows do not ask for another one"
        texts = platforms.overrides(constant.line.part, {constant: value})
        yield f"  {constant.line.part}.platform: {constant.line.key} = {texts[constant.line.key]}"
    yield ""
    yield "Nothing was written."
