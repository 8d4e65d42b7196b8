"""Parses the programs of pages, and looks up what they import. The adapters need not be importable for that."""

import ast
import importlib.util
import re
import sys
from pathlib import Path

PACKAGE = "latchkey_resource_server"


def defined(module: str) -> set[str]:
    found = importlib.util.find_spec(module)
    assert found is not None and found.origin is not None, module
    tree = ast.parse(Path(found.origin).read_text())
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    imported = [alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return own | {alias.asname or alias.name for alias in imported}


programs = [
    ast.parse(text)
    for page in sys.argv[1:]
    for text in re.findall(r"^```python\n(.*?)^```$", Path(page).read_text(), re.M | re.S)
]
names = 0
for program in programs:
    for node in ast.walk(program):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith(PACKAGE):
            unknown = {alias.name for alias in node.names} - defined(node.module)
            assert not unknown, f"{node.module} has no {unknown}"
            names += len(node.names)
print(f"{len(programs)} programs, {names} names")
