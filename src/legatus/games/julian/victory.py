"""17 Victory: the score, its bands, and sudden victory."""

from __future__ import annotations

from ...kernel import Play, Step
from .state import BARBARIAN, ROMAN, JulianState, on_map, score

ENDINGS = (  # JH.victory: by band, from the best for Rome
    (ROMAN, "end.roman_decisive"),
    (ROMAN, "end.roman_marginal"),
    (None, "end.draw"),
    (BARBARIAN, "end.barbarian_marginal"),
    (BARBARIAN, "end.barbarian_decisive"),
)


class EndTurn(Step):
    """JQ.III.E JH.victory: sudden victory, and after the last turn the score."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        values = state.roster.values
        play.tell("JQ.III.E", "event.turn_ends", turn=state.turn, score=score(state))
        held = [state.holder[city] for city in values.sudden_cities]
        if held and all(holder == BARBARIAN for holder in held):
            play.win(BARBARIAN, "JH.victory", "end.barbarian_sudden")
        elif state.turn >= values.sudden_turn and is_gaul_free(state):
            play.win(ROMAN, "JH.victory", "end.roman_sudden")
        elif state.turn >= values.turns:
            winner, key = ENDINGS[band(state)]
            play.win(winner, "JH.victory", key)


def is_gaul_free(state: JulianState) -> bool:
    """JH.victory: every city is Roman, and no barbarian unit stands in Gaul."""
    barbarians = on_map(state, BARBARIAN)
    all_roman = all(holder == ROMAN for holder in state.holder)
    return all_roman and not any(state.roster.gaul[state.cell[i]] for i in barbarians)


def band(state: JulianState) -> int:
    """JH.victory: in which of the five bands the score lies."""
    return sum(score(state) < limit for limit in state.roster.values.bands)
