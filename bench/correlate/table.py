"""What `./dev correlate` prints."""

import math

from errors import by_class, families, mean, pipe_errors
from rows import CLASSES, PIPES


def percent(error):
    return f"{100 * error:+.1f} %"


def short(value):
    return f"{value:.4g}" if value < 10000 else f"{value:.0f}"


def measured(row):
    return short(row.low) if not row.is_range else f"{short(row.low)}..{short(row.high)}"


def sections(document):
    """Everything there is, as lists of lines."""
    yield rows(document.results)
    yield summary(document.results)
    if document.scaling:
        yield scaling(document.scaling)
    if document.effects:
        yield effects(document)
        yield left_out(document)
    if document.ablations:
        yield ablations(document)


def scaling(rows):
    yield f"{'row':10} {'fraction':>10} {'as scaled':>12} {'as run':>12} {'difference':>10}"
    for row, third, scaled, run in rows:
        yield f"{row.id:10} {str(third):>10} {short(scaled):>12} {short(run):>12} {percent(scaled / run - 1):>10}"


def effects(document):
    """By row the constants it depends on most: change of the time at +20 % and -20 %."""
    yield f"{'row':10} what +20 % and -20 % of a constant change"
    for each in document.results:
        found = document.effects.get(each.row.id, {})
        most = sorted(found.items(), key=lambda pair: -max(abs(pair[1][0]), abs(pair[1][1])))[:4]
        text = "  ".join(f"{constant.name.partition(':')[2]} {percent(up)} {percent(down)}" for constant, (up, down, _, _) in most)
        if text:
            yield f"{each.row.id:10} {text}"


def left_out(document):
    """Fitted constants: what each of their rows says when it is left out."""
    yield f"{'fitted constant':44} {'value':>9} {'best':>9} {'deviation':>9} {'rows':>4}  {'without one row':>19}  {'error':>7} {'left out':>8}"
    for name, decided in document.fitted():
        constant, out = decided.constant, decided.left_out()
        values = sorted(value for _, value, _ in out)
        best = constant.value * math.exp(decided.best())
        now = mean(abs(result.error) for result, _ in decided.rows)
        then = mean(abs(error) for _, _, error in out)
        spread = f"{constant.write(values[0])} .. {constant.write(values[-1])}" if len(values) > 1 else "one row"
        deviation = f"{100 * decided.deviation():.0f} %" if len(values) > 1 else "-"
        yield (
            f"{name:44} {constant.number:>9} {constant.write(best):>9} {deviation:>9} {len(out):4}  {spread:>19}  {100 * now:5.1f} % {100 * then:6.1f} %"
        )


def ablations(document):
    classes = [each.name for each in by_class(document.results, CLASSES) if each.name != "envelope"]
    yield f"{'switched off':28} " + " ".join(f"{name:>10}" for name in [*classes, "busy time"]) + "   rows that change most"
    for name, errors, most in document.ablation_table(classes):
        yield (
            f"{name:28} "
            + " ".join(f"{100 * error:8.1f} %" for error in errors)
            + "   "
            + ", ".join(f"{id} {percent(error)}" for id, error in most)
        )


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
