"""What the screens show and what their keys do, free of Textual and tested without a terminal.

``stepping`` is the first screen's state and commands, on ``walking``, its half that asks nobody, and ``upkeep``,
which takes over what is new. ``family`` is the
trajectories of one item as a tree, ``look`` what lies under the cursor, ``marks`` a step's scores as letters,
``reading`` what was read beside what was right, ``choices`` the options of a choice question, ``heading`` the top
line, ``accuracy`` the strip. ``roster`` is all items as they are walked and listed: ``standing`` how one came out,
``filtering`` which are wanted. ``ready`` opens a run, ``backstage`` reads behind the screen what it can do without at
first, ``live`` what others store meanwhile, ``gate`` says what may not be done. Widgets read from here and never
change it but through a command.
"""
