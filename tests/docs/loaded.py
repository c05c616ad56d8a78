"""What every command of the documents needs, loaded once by the server that they are forked from."""

import pkgutil
from importlib import import_module

import levelsmith
from levelsmith import cli

for module in pkgutil.iter_modules(cli.__path__, "levelsmith.cli."):
    import_module(module.name)
levelsmith.generate("orchard", evaluations=1)  # loads what every compiled kernel needs
