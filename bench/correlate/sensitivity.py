"""What each constant is worth to each row, and what that says about those that were fitted.

The effect of a constant on a row is d ln(time) / d ln(constant), measured at +20 % and -20 %. Constants that do not matter are found in
groups: all of a group changed at once, and only a group that changes the time is looked into. Constants of vector functions are tried on
kernels of the compiler only: those of C++ would have to be launched again for each.
"""

import math
from dataclasses import dataclass, field

import platforms

UP, DOWN = 1.2, 0.8
SMALL = 0.02  # an effect below it is none: 20 % of the constant are 0.4 % of the row


def effects(row, parts=None):
    """{constant: (change of ln time at +20 %, at -20 %, of ln constant at both)} of a row; asked of a worker."""
    import record

    recorded = record.Whole(row, parts)
    base = recorded.time().value(row)
    constants = [each for each in platforms.constants(row.platform) if each.value and not record.needs_launch(row, [each.line.key])]

    def change(chosen, factor):
        values = {constant: constant.changed(factor)[0] for constant in chosen}
        return math.log(recorded.time(platforms.overrides(row.platform, values)).value(row) / base)

    def allowed(constant, factor):
        """Some numbers have a limit."""
        try:
            platforms.derive(row.platform, platforms.overrides(row.platform, {constant: constant.changed(factor)[0]}))
        except ValueError:
            return False
        return True

    def step(constant, factor):
        value = constant.changed(factor)[1]
        return math.log(value / constant.value) if value else None

    found = {}

    def search(group):
        if not group or abs(up := change(group, UP)) < 1e-9:
            return
        if len(group) > 1:
            half = len(group) // 2
            search(group[:half])
            search(group[half:])
            return
        (constant,) = group
        both = step(constant, DOWN) is not None and allowed(constant, DOWN)
        found[constant] = (
            up,
            change(group, DOWN) if both else -up,
            step(constant, UP),
            step(constant, DOWN) if both else -step(constant, UP),
        )

    if base > 0:
        upwards = [constant for constant in constants if allowed(constant, UP)]
        search(upwards)
        for constant in constants:
            if constant not in upwards and step(constant, DOWN) is not None and allowed(constant, DOWN):
                down = change([constant], DOWN)
                if abs(down) >= 1e-9:
                    found[constant] = (-down, down, -step(constant, DOWN), step(constant, DOWN))
    return found


def slope(effect):
    up, down, step_up, step_down = effect
    return (up - down) / (step_up - step_down)


@dataclass
class Decided:
    """A constant and the rows that decide it."""

    constant: object
    rows: list = field(default_factory=list)  # (result, slope)

    def residuals(self):
        """[(ln(predicted / measured), slope)]"""
        return [(math.log(result.predicted / _target(result)), slope) for result, slope in self.rows]

    def best(self, without=None):
        """How much ln(constant) wants to change, by least squares over its rows, to first order."""
        pairs = [pair for number, pair in enumerate(self.residuals()) if number != without]
        weight = sum(slope * slope for _, slope in pairs)
        return -sum(error * slope for error, slope in pairs) / weight if weight else 0.0

    def deviation(self):
        """Of ln(constant) at its best value."""
        pairs, delta = self.residuals(), self.best()
        if len(pairs) < 2:
            return math.inf
        variance = sum((error + slope * delta) ** 2 for error, slope in pairs) / (len(pairs) - 1)
        return math.sqrt(variance / sum(slope * slope for _, slope in pairs))

    def left_out(self):
        """[(id, the constant without the row, error of the row then)]"""
        result = []
        for number, ((error, slope), (row, _)) in enumerate(zip(self.residuals(), self.rows)):
            delta = self.best(without=number) if len(self.rows) > 1 else 0.0
            result.append((row.row.id, self.constant.value * math.exp(delta), math.expm1(error + slope * delta)))
        return result


def _target(result):
    """What the prediction should be: inside a range, itself."""
    return min(max(result.predicted, result.row.low), result.row.high)


def decided(results, effects_of):
    """{name: Decided} of the constants, by the rows they matter to."""
    found = {}
    for result in results:
        for constant, effect in effects_of.get(result.row.id, {}).items():
            if abs(slope(effect)) >= SMALL:
                found.setdefault(constant.name, Decided(constant)).rows.append((result, slope(effect)))
    return found
