"""``@rule("V5.2b")`` claims a clause for a test; the conformance suite asks one for every clause."""

import pytest


def rule(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.rule(*ids)
