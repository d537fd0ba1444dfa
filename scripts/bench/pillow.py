"""Makes the thumbnails of a list of images with Pillow, in two processes: pillow.py OUT < list."""

import sys
from multiprocessing import Pool

from PIL import Image

OUT = sys.argv[1]


def render(job):
    index, line = job
    kind, file = line.rstrip("\n").split(" ", 1)
    if file.endswith(".svg"):
        return  # Pillow does not support SVG
    with Image.open(file) as image:
        if kind == "j":
            image.draft("RGB", (2200, 2200))
            image.thumbnail((2200, 2200), Image.Resampling.LANCZOS)
            image.convert("RGB").save(f"{OUT}/{index}.jpg", quality=80, optimize=True)
        else:
            image.thumbnail((250, 250), Image.Resampling.LANCZOS)
            image.save(f"{OUT}/{index}.png")


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(render, enumerate(sys.stdin), chunksize=1)
