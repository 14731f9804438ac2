"""Plots as SVG: made of shapes and classes only, so that they need no library and follow light and dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from .stats import Estimate

Say = Callable[[float], str]
"""How a number is written."""

WIDTH, LABEL, ROW, EDGE = 720, 230, 26, 24
CELL, STRONGEST = 46, 0.6  # of a heat map: its cells, and how strong a colour gets
LONGEST = 30  # characters of a label


def forest(
    rows: Sequence[tuple[str, Estimate]], low: float, high: float, middle: float, title: str, say: Say
) -> str:
    """Estimates with their intervals below each other, and a line where it is even."""
    x = _scale(low, high)
    parts = [_line(x(middle), 0, x(middle), ROW * len(rows), "even")]
    for n, (label, found) in enumerate(rows):
        y = ROW * n + ROW / 2
        left, right = x(max(low, found.low)), x(min(high, found.high))
        parts += [
            _label(label, y),
            _line(left, y, right, y, "range"),
            f'<circle class="dot" cx="{x(min(high, max(low, found.value))):.1f}" cy="{y:.1f}" r="5"/>',
        ]
    return _svg(parts, ROW * len(rows), title, _axis(low, high, x, ROW * len(rows), say))


def boxes(rows: Sequence[tuple[str, Sequence[int]]], title: str, say: Say) -> str:
    """Least, quartiles and most, as boxes with whiskers."""
    high = float(max((five[4] for _, five in rows), default=1)) or 1.0
    x = _scale(0, high)
    parts: list[str] = []
    for n, (label, (least, lower, middle, upper, most)) in enumerate(rows):
        y = ROW * n + ROW / 2
        parts += [
            _label(label, y),
            _line(x(least), y, x(most), y, "range"),
            _rect("box", x(lower), y - 7, max(1.0, x(upper) - x(lower)), 14),
            _line(x(middle), y - 7, x(middle), y + 7, "median"),
        ]
    return _svg(parts, ROW * len(rows), title, _axis(0, high, x, ROW * len(rows), say))


def bars(rows: Sequence[tuple[str, float]], title: str, say: Say) -> str:
    """Parts of a whole, one bar each."""
    x = _scale(0, max((value for _, value in rows), default=1.0) or 1.0)
    parts: list[str] = []
    for n, (label, value) in enumerate(rows):
        y = ROW * n + ROW / 2
        parts += [
            _label(label, y),
            _rect("bar", LABEL, y - 8, x(value) - LABEL, 16),
        ]
    return _svg(parts, ROW * len(rows), title, _axis(0, max(v for _, v in rows), x, ROW * len(rows), say))


def heat(
    rows: Sequence[str], columns: Sequence[str], values: dict[tuple[int, int], float], title: str
) -> str:
    """Shares as colours, the further from one half the stronger; and as numbers, for who sees no colours."""
    width, top = max(WIDTH, LABEL + CELL * len(columns) + 100), 160
    parts: list[str] = []
    for n, name in enumerate(columns):
        place = f"translate({LABEL + CELL * n + CELL / 2 + 4:.0f} {top - 8}) rotate(-55)"
        parts.append(f'<text transform="{place}">{escape(_short(name, 22))}</text>')
    for r, name in enumerate(rows):
        parts.append(_label(name, top + CELL * r + CELL / 2))
        for c in range(len(columns)):
            if (r, c) in values:
                parts += _cell(values[r, c], LABEL + CELL * c, top + CELL * r)
    return _svg(parts, top + CELL * len(rows), title, [], width)


def _cell(value: float, x: float, y: float) -> list[str]:
    side = "first" if value >= 0.5 else "second"
    strength = STRONGEST * abs(value - 0.5) * 2
    return [
        _rect(f"cell {side}", x, y, CELL - 2, CELL - 2, f' fill-opacity="{strength:.2f}"'),
        f'<text class="value" x="{x + CELL / 2 - 1:.0f}" y="{y + CELL / 2 + 4:.0f}">{100 * value:.0f}</text>',
    ]


# --- parts ---------------------------------------------------------------------------------------


def _scale(low: float, high: float) -> Callable[[float], float]:
    room = WIDTH - LABEL - EDGE
    return lambda value: LABEL + room * (value - low) / ((high - low) or 1.0)


def _axis(low: float, high: float, x: Callable[[float], float], y: float, say: Say) -> list[str]:
    marks = [low + (high - low) * n / 4 for n in range(5)]
    return [_line(LABEL, y, WIDTH - EDGE, y, "axis")] + [
        f'<text class="mark" x="{x(mark):.1f}" y="{y + 16:.1f}">{escape(say(mark))}</text>' for mark in marks
    ]


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _rect(kind: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{kind}" {place}{more}/>'


def _label(text: str, y: float) -> str:
    return f'<text class="label" x="{LABEL - 10}" y="{y + 4:.1f}">{escape(_short(text, LONGEST))}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _svg(parts: Sequence[str], height: float, title: str, below: Sequence[str], width: int = WIDTH) -> str:
    """Told in words by its title; the figures stand in the table beside it."""
    whole = height + (24 if below else 4)
    return (
        f'<svg viewBox="0 0 {width} {whole:.0f}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}{''.join(below)}</svg>"
    )
