"""Legatus: referee, opponent and battle lab for ancient-warfare tabletop games."""

__version__ = "0.2.0"
