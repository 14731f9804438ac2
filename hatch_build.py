"""Wheels and source archives carry the built page: see web/build.py.  Editable installs do not build it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Page(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """A build in isolation brings its own Node where there is none."""
        tool = _tool(Path(self.root) / "web" / "build.py")
        return [] if tool.is_fresh() or tool.find_node() else [tool.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            subprocess.run([sys.executable, str(Path(self.root) / "web" / "build.py")], check=True)


def _tool(path: Path) -> Any:
    spec = spec_from_file_location("legatus_page", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
