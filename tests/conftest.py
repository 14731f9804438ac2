"""Hypothesis tries the same examples every time, however slow the machine is."""

from hypothesis import settings

settings.register_profile("legatus", deadline=None, derandomize=True)
settings.load_profile("legatus")
