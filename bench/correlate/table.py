"""What `./dev correlate` prints."""

from errors import by_class, families, mean, pipe_errors
from rows import CLASSES, PIPES


def percent(error):
    return f"{100 * error:+.1f} %"


def short(value):
    return f"{value:.4g}" if value < 10000 else f"{value:.0f}"


def measured(row):
    return short(row.low) if not row.is_range else f"{short(row.low)}..{short(row.high)}"


def rows(results):
    yield f"{'row':10} {'part':18} {'measured':>16} {'predicted':>10} {'error':>9}   bound      pipes: measured, predicted, error"
    for each in results:
        row = each.row
        name = f"{row.id:10} {row.platform:18} "
        if each.failed:
            yield name + f"failed: {each.failed}"
            continue
        value = (
            f"{measured(row):>12} {row.unit if row.unit == 'us' else 'cy':3} {short(each.predicted):>10} {percent(each.error):>9}"
        )
        pipes = "  ".join(f"{pipe} {short(m)} {short(p)} {percent(e)}" for pipe, (m, p, e) in each.pipes().items())
        yield f"{name}{value}   {each.prediction.bound:10} {pipes}".rstrip()


def summary(results):
    yield f"{'class':12} {'rows':>4} {'MAPE':>8} {'bias':>9}   worst"
    for each in by_class(results, CLASSES):
        worst = each.worst
        yield f"{each.name:12} {len(each.results):4} {100 * each.mape:6.1f} % {percent(each.bias):>9}   {worst.row.id} {percent(worst.error)}"
    errors = pipe_errors(results)
    if errors:
        yield ""
        yield f"{'pipe':12} {'rows':>4} {'MAPE':>8}   worst"
    for pipe in PIPES:
        if pipe in errors:
            worst = max(errors[pipe], key=lambda pair: abs(pair[0]))
            yield f"{pipe:12} {len(errors[pipe]):4} {100 * mean(abs(e) for e, _ in errors[pipe]):6.1f} %   {worst[1]} {percent(worst[0])}"
    order = families(results)
    if order:
        yield ""
        yield f"{'family':36} {'tau':>5}"
    for name, value in order.items():
        yield f"{name:36} {value:5.2f}"
