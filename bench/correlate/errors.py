"""Errors of predictions against measurements: of a row, of its pipes, of classes, and the order of variants in a family."""

from dataclasses import dataclass
from itertools import combinations

NEAR = 0.005  # two measurements that differ by less are not in an order


def relative(predicted, low, high=None):
    """0.1: ten percent too much. Inside a range there is no error."""
    high = low if high is None else high
    if predicted < low:
        return predicted / low - 1
    return predicted / high - 1 if predicted > high else 0.0


@dataclass
class Result:
    """A row beside its prediction."""

    row: object
    prediction: object = None
    seconds: float = 0.0
    failed: str = ""  # why there is none

    @property
    def predicted(self):
        return self.prediction.value(self.row)

    @property
    def error(self):
        return relative(self.predicted, self.row.low, self.row.high)

    def pipes(self):
        """{pipe: (measured us, predicted us, error)}"""
        return {
            pipe: (measured, self.prediction.busy.get(pipe, 0.0), relative(self.prediction.busy.get(pipe, 0.0), measured))
            for pipe, measured in self.row.busy.items()
        }

    def ranked(self):
        """(measured, predicted) of what the row's family is ordered by."""
        if self.row.rank == "total":
            return self.row.measured, self.predicted
        return self.row.busy[self.row.rank], self.prediction.busy.get(self.row.rank, 0.0)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


@dataclass
class Summary:
    """Of a class: rows, mean absolute error, the worst row, and the error of the mean."""

    name: str
    results: list

    @property
    def mape(self):
        return mean(abs(each.error) for each in self.results)

    @property
    def bias(self):
        return mean(each.error for each in self.results)

    @property
    def worst(self):
        return max(self.results, key=lambda each: abs(each.error))


def by_class(results, classes):
    groups = ((name, [each for each in results if not each.failed and each.row.kind == name]) for name in classes)
    return [Summary(name, group) for name, group in groups if group]


def tau(pairs):
    """Kendall's tau of [(measured, predicted)]: pairs in the measured order less those in the other one, of all pairs whose measurements
    differ. Equal predictions of different measurements are neither."""
    agree = count = 0
    for (m1, p1), (m2, p2) in combinations(pairs, 2):
        if abs(m1 - m2) <= NEAR * max(m1, m2):
            continue
        count += 1
        if p1 != p2:
            agree += 1 if (m1 < m2) == (p1 < p2) else -1
    return agree / count if count else float("nan")


def families(results):
    """{family: tau} of those with three rows and more."""
    groups = {}
    for each in results:
        if not each.failed:
            groups.setdefault(each.row.family, []).append(each)
    return {name: tau([each.ranked() for each in group]) for name, group in groups.items() if len(group) > 2}


def pipe_errors(results):
    """{pipe: [errors]} over all rows that count and have the busy time of a pipe."""
    errors = {}
    for each in results:
        if not each.failed and each.row.counts:
            for pipe, (_, _, error) in each.pipes().items():
                errors.setdefault(pipe, []).append((error, each.row.id))
    return errors
