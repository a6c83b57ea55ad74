"""``python -m tui.cli``: the same as the ``phoropter`` command."""

from tui.cli import main

main()
