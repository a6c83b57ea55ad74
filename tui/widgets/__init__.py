"""The parts of the screens: each draws something of the state and posts a message when the user points at it.

Widgets hold no state of their own beyond what is scrolled or typed, and never call the engine. ``lines`` is the base
of everything that draws rows itself, so that ten thousand of them cost what the visible ones cost.
"""
