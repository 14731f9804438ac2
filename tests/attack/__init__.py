"""Attacks on real servers that take longer than a minute: ``make attack``."""
