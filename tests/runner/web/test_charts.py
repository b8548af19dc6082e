"""The marks of the charts are where the values are, and none covers another."""

import dataclasses
import itertools

from croupier_runner.summary import Interval, Sequential, Summary
from croupier_runner.web import charts


def _text(estimate: Interval) -> str:
    return str(estimate.value)


def test_estimates_lie_between_their_ends_on_one_axis() -> None:
    plot = charts.intervals([("a", Interval(10, 0, 20)), ("b", Interval(20, 10, 30))], _text)
    assert plot is not None
    one, other = plot.whiskers
    assert plot.left <= one.low < one.at < one.high < other.high <= plot.right
    assert one.at == other.low
    assert one.high == other.at
    assert [tick.label for tick in plot.ticks] == ["0", "10", "20", "30"]


def test_an_interval_without_end_reaches_the_edge() -> None:
    endless = Interval(1500, float("-inf"), float("inf"))
    plot = charts.intervals([("alone", endless), ("nobody", Interval(float("nan"), 0, 0))], _text)
    assert plot is not None
    (whisker,) = plot.whiskers
    assert (whisker.low, whisker.high) == (round(plot.left, 1), round(plot.right, 1))


def test_nothing_to_draw_draws_nothing(summary: Summary) -> None:
    event = summary.events[0]
    assert charts.intervals([], _text) is None
    assert charts.history(dataclasses.replace(event, history=())) is None
    assert charts.history(dataclasses.replace(event, history=event.history[:1])) is None
    assert charts.gauge(Sequential(0, 0, 0, "running", 0, "")) is None


def test_lines_that_end_together_have_labels_apart(summary: Summary) -> None:
    event = summary.events[0]
    rows = tuple(dataclasses.replace(event.rows[0], bot=f"bot {number}") for number in range(30))
    chart = charts.history(dataclasses.replace(event, rows=rows, history=((1500.0,) * 30, (1600.0,) * 30)))
    assert chart is not None
    labelled = [line for line in chart.lines if line.style is not None]
    assert len(labelled) == charts.STYLES
    heights = sorted(line.label_y for line in labelled)
    assert all(below - above >= 15 for above, below in itertools.pairwise(heights))
    assert chart.top <= heights[0]
    assert heights[-1] <= chart.bottom


def test_a_stacked_bar_is_filled_in_proportion() -> None:
    assert charts.stacked((3, 0, 1), width=100) == (charts.Segment(0, 75, 1, 3), charts.Segment(75, 25, 3, 1))
    assert charts.stacked((0, 0)) == ()


def test_the_fullest_column_of_all_bots_reaches_the_top(summary: Summary) -> None:
    rows = summary.events[0].rows
    fullest = charts.fullest(rows)
    columns = [bar for row in rows for bar in charts.histogram(row, fullest)]
    assert min(bar.y for bar in columns) == 0
    assert {bar.decisions for bar in charts.histogram(rows[0], fullest)} == set(rows[0].think_histogram) - {0}
    assert charts.fullest([dataclasses.replace(rows[0], think_histogram=(0,) * 13)]) == 1
