"""A library that games share, never a framework: each part comes with the first game that needs it."""
