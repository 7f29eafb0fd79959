"""Pictures as their formats have them, of 24 × 16 pixels: PNG made here, the others as other programs write them."""

import zlib
from base64 import b64decode

WIDTH, HEIGHT = 24, 16
JPEG = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a"
    "YVpQYEpRUk//wAALCAAQABgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQR"
    "BRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4"
    "eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEB"
    "AAA/AOSh0/2q/Dp/tV6HT/8AZq9Dp/8As1fh0/8A2avw6f8A7Nf/2Q=="
)
JPEG_IN_STEPS = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a"
    "YVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgAR"
    "CAAQABgDASIAAhEBAxEB/8QAFwAAAwEAAAAAAAAAAAAAAAAAAAQFA//EABYBAQEBAAAAAAAAAAAAAAAAAAMCBf/aAAwDAQACEAMQAAABkMPb"
    "2KJWA1P/xAAWEAADAAAAAAAAAAAAAAAAAAAAAQP/2gAIAQEAAQUCUxTFMUxTFM//xAAYEQACAwAAAAAAAAAAAAAAAAAABAIDIf/aAAgBAwEB"
    "PwGlggxh/8QAFxEAAwEAAAAAAAAAAAAAAAAAAAEDAv/aAAgBAgEBPwHVh2P/xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/Al//xAAW"
    "EAEBAQAAAAAAAAAAAAAAAAAAYRD/2gAIAQEAAT8hypJJJP/aAAwDAQACAAMAAAAQlC//xAAXEQEAAwAAAAAAAAAAAAAAAAAAITFR/9oACAED"
    "AQE/EKpaH//EABYRAQEBAAAAAAAAAAAAAAAAAAAhMf/aAAgBAgEBPxA11//EABYQAQEBAAAAAAAAAAAAAAAAAGEAIP/aAAgBAQABPxAIMgAf"
    "/9k="
)
WEBP = b64decode(
    "UklGRmQAAABXRUJQVlA4IFgAAACQAwCdASoYABAAPtFapkuoJaOhsAgBABoJbACdMoR3ACm73xYgAP7xDgO0x8H4U+3xrfVahFBBXD+b+S05"
    "2HnVa7/CBOLO8SGgOivjcpx7md6gUI5dIpAA"
)
WEBP_WITH_EXIF = b64decode(
    "UklGRogAAABXRUJQVlA4WAoAAAAIAAAAFwAADwAAVlA4IFgAAACQAwCdASoYABAAPtFapkuoJaOhsAgBABoJbACdMoR3ACm73xYgAP7xDgO0"
    "x8H4U+3xrfVahFBBXD+b+S052HnVa7/CBOLO8SGgOivjcpx7md6gUI5dIpAARVhJRgoAAABJSSoACAAAAAAA"
)
WEBP_LOSSLESS = b64decode("UklGRi4AAABXRUJQVlA4TCIAAAAvF8ADALkyRPQ/dhHR/wCRtk0d3L/jwcNRGLyYAKoeqP8E")
WEBP_WITH_ALPHA = b64decode(
    "UklGRpQAAABXRUJQVlA4WAoAAAAQAAAAFwAADwAAQUxQSBUAAAABD/Ct/4iIICQg/F/rgW5BRP8DmwEAVlA4IFgAAACQAwCdASoYABAAPtFa"
    "pkuoJaOhsAgBABoJbACdMoR3ACm73xYgAP7xDgO0x8H4U+3xrfVahFBBXD+b+S052HnVa7/CBOLO8SGgOivjcpx7md6gUI5dIpAA"
)


def png(
    width: int = WIDTH, height: int = HEIGHT, *, rgb: tuple[int, int, int] = (20, 90, 200), more: bytes = b""
) -> bytes:
    """A PNG of one color; `more` are chunks before its pixels."""
    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    pixels = zlib.compress((b"\0" + bytes(rgb) * width) * height)
    chunks = chunk(b"IHDR", head) + more + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def chunk(name: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)


def png_that_says(width: int, height: int) -> bytes:
    """A small file that says it is that large."""
    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
