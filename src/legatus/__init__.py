"""Legatus: referee, opponent and battle lab for ancient-warfare tabletop games."""

__version__ = "0.1.0"
