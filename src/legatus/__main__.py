"""``python -m legatus`` is the command ``legatus``."""

from .cli import main

raise SystemExit(main())
