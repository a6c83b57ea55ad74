"""Pictures looked at outside of the terminal: in the desktop's viewer, or in a browser at the user's own end of ssh.

``places`` knows where we are and what can be done there, ``desktop`` starts a viewer, ``serving`` offers the chosen
pictures at a loopback address behind a token. Nothing here knows Textual.
"""
