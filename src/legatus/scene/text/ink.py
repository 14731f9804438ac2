"""What all boards are written with: signs, words, lines that flow, and what is said of a piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.text import Text

from ..model import Piece

SIGNS = ("■", "▲", "●", "◆")
STYLES = ("dark_orange3", "dodger_blue1", "medium_orchid", "green3")
WATER = "blue"

WORDS = {
    "en": {
        "hand": "hand",
        "down": "{n} face down",
        "unseen": "face down",
        "key": "Figures:",
        "off": "off the field",
        "side": "flank",
        "colon": ":",
        "back": "turned",
        "forest": "forest",
        "height": "height",
        "acting": "decides now",
        "more": "more in this hex",
        "both": "in two hexes",
        "mountain": "mountain",
        "sea": "sea",
        "peaks": "impassable",
        "city": "city",
        "sacked": "sacked city",
        "roads": "roads:",
    },
    "fr": {
        "hand": "main",
        "down": "{n} cachée(s)",
        "unseen": "face cachée",
        "key": "Valeurs :",
        "off": "hors du champ",
        "side": "de flanc",
        "colon": " :",
        "back": "de dos",
        "forest": "forêt",
        "height": "hauteur",
        "acting": "à décider",
        "more": "plusieurs dans cet hex",
        "both": "sur deux hex",
        "mountain": "montagne",
        "sea": "mer",
        "peaks": "infranchissable",
        "city": "ville",
        "sacked": "ville mise à sac",
        "roads": "voies :",
    },
}

OPEN_WORDS = {
    "en": {
        "point": ".",
        "table": "table {wide}×{high} DU",
        "axes": "x eastwards, y southwards from the north-west corner",
        "degrees": "↑ 0° north, → 90° east",
        "halves": "filled: front half",
        "wounds": "losses / life",
        "corners": "corners (x; y)",
        "level": "height {n}",
        "within": "in {place}",
        "waiting": "not on the table",
        "hill": "hill",
        "lake": "lake",
        "river": "river",
        "ford": "ford",
        "wooden-bridge": "wooden bridge",
        "stone-bridge": "stone bridge",
        "village": "village",
        "watchtower": "watchtower",
        "trench": "trench",
        "barricade": "barricade",
        "caltrops": "caltrops",
        "wall": "wall",
        "tower": "tower",
        "siege-tower": "siege tower",
        "zone": "deployment zone",
        "corner": "corner",
        "gate": "gate",
        "moat": "moat",
        "burning": "burning",
        "collapsed": "collapsed",
    },
    "fr": {
        "point": ",",
        "table": "table de {wide}×{high} UD",
        "axes": "x vers l'est, y vers le sud depuis le coin nord-ouest",
        "degrees": "↑ 0° nord, → 90° est",
        "halves": "plein : moitié avant",
        "wounds": "pertes / vie",
        "corners": "coins (x ; y)",
        "level": "hauteur {n}",
        "within": "dans {place}",
        "waiting": "hors de la table",
        "hill": "colline",
        "lake": "lac",
        "river": "rivière",
        "ford": "gué",
        "wooden-bridge": "pont en bois",
        "stone-bridge": "pont en pierre",
        "village": "village",
        "watchtower": "mirador",
        "trench": "tranchée",
        "barricade": "barricade",
        "caltrops": "chausse-trapes",
        "wall": "mur",
        "tower": "tour",
        "siege-tower": "tour de siège",
        "zone": "zone de déploiement",
        "corner": "angle",
        "gate": "porte",
        "moat": "fossé",
        "burning": "en feu",
        "collapsed": "effondré",
    },
}

Line = Text


def sign(side: int) -> Text:
    """The sign of a side, in its colour."""
    return Text(SIGNS[side % len(SIGNS)], style=f"bold {STYLES[side % len(STYLES)]}")


def flow(chunks: Sequence[Text], width: int, indent: int = 2) -> list[Line]:
    """Chunks with a space between them, on as many lines as they need; later lines are indented."""
    width = max(width, indent + 2)
    lines = [Text()]
    words: list[Text] = []
    for chunk in chunks:
        words += chunk.split(" ") if chunk.cell_len > width - indent else [chunk]
    for chunk in words:
        line = lines[-1]
        if line.plain.strip() and line.cell_len + 1 + chunk.cell_len <= width:
            line.append(" ")
        elif line.plain.strip():
            line = Text(" " * indent)
            lines.append(line)
        while line.cell_len + chunk.cell_len > width:  # longer than a line: ids are folded, never cut
            head, chunk = chunk.divide([width - line.cell_len])
            line.append_text(head)
            line = Text(" " * indent)
            lines.append(line)
        line.append_text(chunk)
    return lines


def common_key(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The names of figures that most pieces share: they are said once, below the board."""
    counts = Counter(tuple(piece.values) for piece in pieces if len(piece.values) > 1)
    return counts.most_common(1)[0][0] if counts else ()


def figures(piece: Piece, key: tuple[str, ...]) -> list[str]:
    """Its figures: those of the key without their names, the others with them."""
    said = key if all(name in piece.values for name in key) else ()
    common = ["/".join(piece.values[name] for name in said)] if said else []
    return common + [f"{name} {value}".strip() for name, value in piece.values.items() if name not in said]


def condition(piece: Piece, words: dict[str, str]) -> list[Text]:
    """What has become of it: losses, tokens, how it is turned, marks."""
    chunks = []
    if piece.losses:
        chunks.append(Text(f"✗{piece.losses}", style="bold red"))
    for token, n in Counter(piece.tokens).items():
        chunks.append(Text(f"●{token}" + (f"×{n}" if n > 1 else ""), style="bold red"))
    if piece.facing != "front":
        chunks.append(Text(f"({words.get(piece.facing, piece.facing)})", style="italic"))
    return chunks + [Text(mark, style="italic dim") for mark in piece.marks]


def piece_line(piece: Piece, key: tuple[str, ...], words: dict[str, str]) -> list[Text]:
    """All of a piece that is to be seen."""
    style = STYLES[piece.side % len(STYLES)]
    chunks = [Text.assemble(sign(piece.side), " ", (piece.id, style))]
    if piece.hidden:
        chunks.append(Text(f"({words['unseen']})", style="italic"))
    return chunks + [Text(figure) for figure in figures(piece, key)] + condition(piece, words)
