"""Pictures: one loading function for the screen and the models, and the cached service that says what is sent.

``sniffing`` tells a file's kind from its first bytes, ``loading`` makes upright RGB of any file, ``sending`` makes
the bytes that go to a model, ``incoming`` takes in what a model made, ``collage`` puts several in a row,
``caching`` bounds memory, ``service`` is what the rest of the house holds. Import from here.
"""

from core.pictures.incoming import made
from core.pictures.loading import MAX_PIXELS, load_rgb
from core.pictures.sending import AS_IT_IS, SENT_PIXELS, Form, encoded
from core.pictures.service import Drawer, NotAtHandError, Pictures
from core.pictures.sniffing import sniff

__all__ = [
    "AS_IT_IS",
    "MAX_PIXELS",
    "SENT_PIXELS",
    "Drawer",
    "Form",
    "NotAtHandError",
    "Pictures",
    "encoded",
    "load_rgb",
    "made",
    "sniff",
]
