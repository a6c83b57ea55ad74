"""What a person touches: the command line and the screens.

``cli`` the commands, ``app`` the Textual application, ``screens`` and ``widgets`` its parts, ``state`` what they show
(free of Textual), ``actions`` the one registry of keys, ``imaging`` how pictures reach a terminal and ``fitting`` in
how many cells, ``inert`` makes model text harmless. Nothing is imported from here by ``core`` or ``sessions``. Only
``app``, ``screens`` and ``widgets`` import Textual, so that commands start fast.
"""
