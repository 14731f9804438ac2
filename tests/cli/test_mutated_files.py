"""A few changed files of every kind; ``make attack`` tries thousands."""

import pytest

from tests.mutations import KINDS, attempt


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_taken_or_refused_with_a_sentence(kind: str) -> None:
    for seed in range(12):
        told = attempt(kind, seed)
        assert "Traceback" not in told
        assert told.startswith(("0: ", "1: ", "2: ")), f"{kind} {seed}: {told}"
