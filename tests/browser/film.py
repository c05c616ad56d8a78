"""Films of tests: what a page showed, as an animated picture in the folder that LEVELSMITH_FILM names."""

import io
import os
from pathlib import Path

from PIL import Image

EACH, LAST = 400, 2_000  # milliseconds


class Film:
    """Keeps pictures of a page; does nothing where no folder is named."""

    def __init__(self, page, name):
        folder = os.environ.get("LEVELSMITH_FILM")
        self.page, self.file = page, folder and Path(folder, f"{name}.webp")
        self.pictures = []

    def take(self):
        """Takes a picture of what is to be seen now."""
        if self.file:
            self.pictures.append(Image.open(io.BytesIO(self.page.screenshot(type="jpeg", quality=80))))

    def keep(self):
        """Writes the film."""
        if self.file and self.pictures:
            self.take()
            first, *others = self.pictures
            self.file.parent.mkdir(parents=True, exist_ok=True)
            shown = [EACH] * len(others) + [LAST]
            first.save(self.file, save_all=True, append_images=others, duration=shown, loop=0, quality=60)
