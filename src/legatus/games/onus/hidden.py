"""4 Hidden units: defenders inside the fortress who lie face down, and how they are revealed."""

from __future__ import annotations

from ...kernel import Play, Step
from ...parts.plane import UNIT
from .contact import opponents
from .ramparts import faces, is_within, strips, walls_by
from .state import CARD, FIELD, NOBODY, OnusState
from .table import units_on

FARTHEST = UNIT  # O4.hidden.reveal: whoever moves farther is seen
BACK = "back-"


def label(state: OnusState, i: int) -> str:
    """O4.hidden.who: what everybody may call a unit: by its own name, or by the number on the back."""
    return f"{BACK}{state.hidden[i]}" if state.hidden[i] else state.roster.units[i].id


def named(state: OnusState, name: str) -> int:
    """The unit of a name, or under a back; -1 if there is none.

    For whoever cannot see a hidden unit it has no other name than that of its back.
    """
    if name.startswith(BACK):
        return under(state, int(number)) if (number := name.removeprefix(BACK)).isdecimal() else NOBODY
    i = state.roster.index.get(name, NOBODY)
    decision = state.decision
    unseen = i >= 0 and state.hidden[i] and decision and decision.seat != state.roster.units[i].side
    return NOBODY if unseen else i


def under(state: OnusState, number: int) -> int:
    """The unit under a card back; -1 if there is none."""
    return state.hidden.index(number) if number > 0 and number in state.hidden else NOBODY


def foes_on(state: OnusState, side: int) -> list[int]:
    """The units of a side on the table, in an order that tells nothing about hidden ones."""
    return sorted(units_on(state, side), key=lambda j: (state.hidden[j], j))


def may_hide(state: OnusState, i: int) -> bool:
    """O4.hidden.who O7.deploy.defender: a defender inside who mans neither a wall nor a tower."""
    defends = state.roster.keep is not None and state.roster.units[i].side == 1
    return defends and state.where[i] == FIELD and is_within(state, i) and not _is_at_wall(state, i)


def _is_at_wall(state: OnusState, i: int) -> bool:
    """Whether it touches a standing wall from within, whoever it is: even that would tell what it is."""
    pose, wings = state.pose[i], state.wings[i]
    near = [n for n in walls_by(state, i) if not state.gone[n]]
    return any(strips(pose, CARD, wings, face.inner) for n in near for face in faces(state, n))


def hide(state: OnusState) -> None:
    """O7.deploy.defender: at deployment all who may lie face down; the backs are numbered by their places."""
    down = [i for i in range(len(state.where)) if may_hide(state, i)]
    state.hidden = [0] * len(state.where)
    for number, i in enumerate(sorted(down, key=lambda i: (state.pose[i], i)), 1):
        state.hidden[i] = number


def reveal(play: Play, i: int, clause: str) -> None:
    """O4.hidden.reveal: its card is turned up."""
    state: OnusState = play.state
    if state.hidden[i]:
        back = label(state, i)
        state.hidden[i] = 0
        play.reveal(clause, "event.revealed", back=back, unit=state.roster.units[i].id)


def keep_hidden(play: Play, i: int, spent: int) -> None:
    """O4.hidden.reveal: who goes to a wall, leaves the fortress or has moved more than 1 DU is revealed."""
    state: OnusState = play.state
    if state.hidden[i] and (spent > FARTHEST or not may_hide(state, i)):
        reveal(play, i, "O4.hidden.reveal")


class Spotted(Step):
    """O4.hidden.reveal: before units fight, those whom an enemy meets are revealed, in a breach perhaps."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for i, number in enumerate(state.hidden):
            if number and opponents(state, i):
                reveal(play, i, "O4.hidden.reveal")
