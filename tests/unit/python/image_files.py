# SPDX-License-Identifier: GPL-3.0-or-later
# Writes images of every kind that Pillow writes into a folder, and beside each, as .ppm or .pgm, the pixels that Pillow
# reads from it, upright. For formats_image_kinds_test.
import os
import sys

import numpy
from PIL import Image, ImageOps

folder = sys.argv[1]
random = numpy.random.default_rng(1)


def picture(width, height):
    small = random.integers(0, 256, (height // 8 + 3, width // 8 + 3, 3), dtype=numpy.uint8)
    smooth = numpy.asarray(Image.fromarray(small).resize((width, height), Image.BICUBIC)).astype(int)
    y, x = numpy.mgrid[0:height, 0:width]
    edges = ((x // 13 + y // 11) % 2 * 50)[..., None]
    return Image.fromarray((smooth + edges + random.integers(-5, 6, smooth.shape)).clip(0, 255).astype(numpy.uint8))


def save(name, image, mode=None, **options):
    path = os.path.join(folder, name)
    image.save(path, **options)
    read = Image.open(path)
    read.load()
    if read.format != "TIFF":  # which Pillow turns when it loads
        read = ImageOps.exif_transpose(read)
    read = read.convert(mode or ("L" if image.mode in ("L", "1") else "RGB"))
    read.save(path + (".pgm" if read.mode == "L" else ".ppm"))


def turned(orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif


colour = picture(97, 61)
grey = colour.convert("L")
alpha = colour.convert("RGBA")
alpha.putalpha(grey)
indexed = colour.convert("P")
for subsampling in (0, 1, 2):
    save(f"subsampling{subsampling}.jpg", colour, quality=92, subsampling=subsampling)
save("progressive.jpg", colour, quality=92, progressive=True)
save("grey.jpg", grey)
save("cmyk.jpg", colour.convert("CMYK"), quality=95)
save("colour.png", colour)
save("lossy.webp", colour, quality=92)
save("lossless.webp", colour, lossless=True)
save("grey.webp", grey.convert("RGB"), lossless=True)
save("moves.webp", colour, save_all=True, append_images=[colour.rotate(180)], lossless=True)
for packing in (None, "tiff_lzw", "tiff_deflate", "packbits"):
    save(f"{packing or 'plain'}.tif", colour, compression=packing)
save("jpeg.tif", colour, compression="jpeg", quality=95)
save("grey.tif", grey, compression="tiff_lzw")
save("black.tif", grey.convert("1"), compression="group4")
save("alpha.tif", alpha)
save("indexed.tif", indexed)
save("cmyk.tif", colour.convert("CMYK"))
save("colour.bmp", colour)
save("grey.bmp", grey)
save("black.bmp", grey.convert("1"))
save("indexed.bmp", indexed)
save("alpha.bmp", alpha)
save("indexed.gif", indexed)
save("interlaced.gif", indexed, interlace=1)
save("grey.gif", grey)
save("moves.gif", indexed, save_all=True, append_images=[indexed.rotate(180)])
for orientation in range(1, 9):
    save(f"turned{orientation}.jpg", colour, exif=turned(orientation), quality=92, subsampling=orientation % 3)
    save(f"turned{orientation}.webp", colour, exif=turned(orientation), lossless=True)
    save(f"turned{orientation}.png", colour, exif=turned(orientation))
    save(f"turned{orientation}.tif", colour, tiffinfo={274: orientation})
save("photo.jpg", picture(640, 480), quality=92)
# Pillow's own crops, by its box: name, left, top, width, height, side.
with open(os.path.join(folder, "crops.txt"), "w") as crops:
    for left, top, width, height, side in (
            (0, 0, 97, 61, 24), (11, 7, 40, 50, 24), (30, 2, 60, 58, 48), (5, 5, 20, 20, 32)):
        name = f"crop{left}.ppm"
        box = (left, top, left + width, top + height)
        colour.resize((side, side), Image.BILINEAR, box=box).save(os.path.join(folder, name))
        crops.write(f"{name} {left} {top} {width} {height} {side}\n")
