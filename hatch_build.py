"""Wheels and source archives carry the built page: see web/build.py.  Editable installs do not build it.

With LEGATUS_NATIVE=1 in the environment a wheel carries compiled rules: native/build.py, `make wheel`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Parts(BuildHookInterface[Any]):
    put_away = ExitStack()

    def dependencies(self) -> list[str]:
        """A build in isolation brings its own Node where there is none."""
        tool = _tool(Path(self.root) / "web" / "build.py")
        return [] if tool.is_fresh() or tool.find_node() else [tool.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            subprocess.run([sys.executable, str(Path(self.root) / "web" / "build.py")], check=True)
            if self.target_name == "wheel" and os.environ.get("LEGATUS_NATIVE"):
                self._compile(build_data)

    def _compile(self, build_data: dict[str, Any]) -> None:
        """Compile the rules into a folder that lives until the wheel is written."""
        native = _tool(Path(self.root) / "native" / "build.py")
        folder = Path(self.put_away.enter_context(TemporaryDirectory()))
        native.build(folder)
        build_data |= {"pure_python": False, "infer_tag": True}
        found = {str(path): str(path.relative_to(folder)) for path in native.extensions(folder)}
        build_data["force_include"].update(found)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.put_away.close()


def _tool(path: Path) -> Any:
    spec = spec_from_file_location(f"legatus_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
