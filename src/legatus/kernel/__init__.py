"""The kernel: everything the platform knows about games, and nothing about any one game.

A game is a State, a few Steps (what happens next) and Actions (what a player may do).
Read ``model`` first, then ``engine``; ``chance`` is the only door of luck, ``match`` the journal, and
``words`` what people read.
"""

from .chance import Dice, Luck, NeedLuck, Scripted, Seeded
from .codec import parse_action, say
from .engine import apply, legal, outcomes, playout, start, why_not
from .errors import IllegalAction, TooManyOutcomes
from .files import BadFile
from .match import Entry, Match
from .model import Action, Decision, Event, Game, Outcome, Play, Refusal, Seat, State, Step, Term
from .rulebook import Clause, Rulebook
from .setup import Branch, Option, Setup
from .words import Complaint, Message, Messages, Values

__all__ = [
    "Action",
    "BadFile",
    "Branch",
    "Clause",
    "Complaint",
    "Decision",
    "Dice",
    "Entry",
    "Event",
    "Game",
    "IllegalAction",
    "Luck",
    "Match",
    "Message",
    "Messages",
    "NeedLuck",
    "Option",
    "Outcome",
    "Play",
    "Refusal",
    "Rulebook",
    "Scripted",
    "Seat",
    "Seeded",
    "Setup",
    "State",
    "Step",
    "Term",
    "TooManyOutcomes",
    "Values",
    "apply",
    "legal",
    "outcomes",
    "parse_action",
    "playout",
    "say",
    "start",
    "why_not",
]
