"""What a store may send as its logo: a whole PNG, JPEG or WebP of a bounded size, and nothing with it."""

import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from tests.support import logos
from tests.support.logos import HEIGHT, WIDTH, chunk, png, png_that_says
from tourney.domain.pictures import MOST_BYTES, MOST_PIXELS, NotAPicture, PictureKind, read_picture

GOOD = {
    "png": (PictureKind.PNG, png()),
    "jpeg": (PictureKind.JPEG, logos.JPEG),
    "progressive jpeg": (PictureKind.JPEG, logos.JPEG_IN_STEPS),
    "webp": (PictureKind.WEBP, logos.WEBP),
    "lossless webp": (PictureKind.WEBP, logos.WEBP_LOSSLESS),
    "webp with alpha": (PictureKind.WEBP, logos.WEBP_WITH_ALPHA),
}
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PAGE = b"<!DOCTYPE html><script>alert(1)</script>"


@pytest.mark.parametrize(("kind", "content"), GOOD.values(), ids=list(GOOD))
def test_a_picture_is_taken_as_it_is(kind: PictureKind, content: bytes):
    picture = read_picture(content)

    assert (picture.kind, picture.width, picture.height) == (kind, WIDTH, HEIGHT)
    assert picture.content == content


@pytest.mark.parametrize("content", [content for _, content in GOOD.values()], ids=list(GOOD))
@pytest.mark.parametrize("appended", [PAGE, b"PK\x03\x04" + bytes(100), b"\0"], ids=["page", "zip", "byte"])
def test_what_comes_after_its_end_is_left_out(content: bytes, appended: bytes):
    assert read_picture(content + appended).content == content


def test_of_a_png_only_what_draws_it_is_kept():
    talking = png(more=chunk(b"tEXt", b"Comment\0" + PAGE) + chunk(b"eXIf", b"51.5 N"))

    assert read_picture(talking).content == png()


def test_of_a_jpeg_only_what_draws_it_is_kept():
    def segment(marker: int, body: bytes) -> bytes:
        return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2) + body

    talking = logos.JPEG[:2] + segment(0xE1, b"Exif\0\0 51.5 N") + segment(0xFE, PAGE) + logos.JPEG[2:]

    assert read_picture(talking).content == logos.JPEG


def test_of_a_webp_only_what_draws_it_is_kept():
    picture = read_picture(logos.WEBP_WITH_EXIF)

    assert b"EXIF" in logos.WEBP_WITH_EXIF
    assert b"EXIF" not in picture.content
    assert read_picture(picture.content) == picture


def exif(turn: int, order: str = "little") -> bytes:
    """Metadata that say nothing but another tag and how the picture is turned, in either order of bytes."""
    sign, mark = ("<", b"II") if order == "little" else (">", b"MM")
    tags = ((0x0100, 24), (0x0112, turn))
    entries = (struct.pack(f"{sign}HHIHH", tag, 3, 1, value, 0) for tag, value in tags)
    return mark + struct.pack(f"{sign}HIH", 42, 8, len(tags)) + b"".join(entries) + bytes(4)


def with_exif(kind: str, told: bytes) -> bytes:
    """A picture of that kind with these metadata, where cameras and programs put them."""
    if kind == "png":
        return png(more=chunk(b"eXIf", told))
    if kind == "jpeg":
        body = b"Exif\0\0" + told
        return logos.JPEG[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2) + body + logos.JPEG[2:]
    plain = logos.WEBP_WITH_EXIF[: logos.WEBP_WITH_EXIF.index(b"EXIF")][12:]
    body = b"WEBP" + plain + b"EXIF" + len(told).to_bytes(4, "little") + told
    return b"RIFF" + len(body).to_bytes(4, "little") + body


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("turn", [2, 3, 6, 8])
def test_a_picture_that_only_its_metadata_turn_is_refused(kind: str, order: str, turn: int):
    said = "This picture isn’t stored upright. Rotate it, save it, and choose the new file."

    assert said_of(with_exif(kind, exif(turn, order))) == said


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
@pytest.mark.parametrize("told", [exif(1), exif(0), exif(9), exif(6)[:-20], exif(6)[:9], b"", b"51.5 N"], ids=repr)
def test_one_that_is_upright_or_says_nothing_that_can_be_read_is_taken_without_its_metadata(kind: str, told: bytes):
    content = read_picture(with_exif(kind, told + bytes(len(told) % 2))).content

    assert (content, b"EXIF" in content, b"eXIf" in content) == (read_picture(content).content, False, False)
    assert b"Exif" not in content


def test_pillow_turns_what_is_refused(tmp_path):
    """What another program writes, who turns it by a note as a phone does."""
    turned, upright = tmp_path / "turned.jpg", tmp_path / "upright.jpg"
    picture = Image.new("RGB", (24, 16), "#1a5fae")
    note = Image.Exif()
    note[0x0112] = 6
    picture.save(turned, exif=note)
    ImageOps.exif_transpose(Image.open(turned)).save(upright)

    assert said_of(turned.read_bytes()).startswith("This picture isn’t stored upright.")
    assert (read_picture(upright.read_bytes()).width, read_picture(upright.read_bytes()).height) == (16, 24)


@pytest.mark.parametrize(
    "content",
    [
        SVG,
        PAGE,
        b"",
        b"GIF89a" + bytes(40),
        b"BM" + bytes(60),
        b"%PDF-1.7",
        b"\x89PNG",
        b"RIFF\0\0\0\0WAVE",
        b"\xff\xd8",
    ],
)
def test_what_is_no_picture_is_refused_whatever_it_is_called(content: bytes):
    assert said_of(content) == "This isn’t a picture. Choose a PNG, JPEG or WebP file."


@pytest.mark.parametrize("content", [content for _, content in GOOD.values()], ids=list(GOOD))
def test_a_picture_cut_off_anywhere_is_refused(content: bytes):
    for end in range(12, len(content)):
        with pytest.raises(NotAPicture):
            read_picture(content[:end])


@pytest.mark.parametrize(
    "more",
    [chunk(b"IHDR", bytes(13)), chunk(b"ABCD", b"?"), chunk(b"tEXt", b"?")[:-1] + b"!", chunk(b"<svg", b"?")],
    ids=["second head", "unknown and needed", "wrong sum", "no name"],
)
def test_a_png_with_a_part_that_cannot_be_is_refused(more: bytes):
    assert said_of(png(more=more)) == "This picture is damaged. Save it again and choose the new file."


def test_a_png_with_other_pixels_than_it_says_is_refused():
    """Among them the one that would become gigabytes."""
    head = (24).to_bytes(4) + (16).to_bytes(4) + bytes([8, 2, 0, 0, 0])
    for pixels in (b"", bytes(10), bytes(24 * 16 * 3), bytes(90_000_000)):
        bomb = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
        assert said_of(png()[:8] + bomb).startswith("This picture is damaged.")


@pytest.mark.parametrize(
    ("width", "height"), [(MOST_PIXELS + 1, 1), (1, MOST_PIXELS + 1), (0x7FFFFFFF, 0x7FFFFFFF)], ids=str
)
def test_a_picture_of_too_many_pixels_is_refused_by_its_head(width: int, height: int):
    assert said_of(png_that_says(width, height)).endswith("Make it at most 2000 × 2000.")


def test_a_picture_without_a_size_is_damaged():
    assert said_of(png_that_says(0, 10)).startswith("This picture is damaged.")


def test_the_largest_that_is_taken():
    assert read_picture(png(MOST_PIXELS, MOST_PIXELS)).width == MOST_PIXELS


def test_a_file_of_too_many_bytes_is_refused():
    assert said_of(png() + bytes(MOST_BYTES)) == "The file is too large. Choose one of at most 256 kB."


@settings(deadline=None)
@given(st.sampled_from([content for _, content in GOOD.values()]), st.data())
def test_whatever_is_sent_is_a_picture_or_is_refused(good: bytes, data: st.DataObject):
    """And what is taken is taken again as it is."""
    content = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        picture = read_picture(bytes(content))
    except NotAPicture:
        return
    assert read_picture(picture.content) == picture


def said_of(content: bytes) -> str:
    with pytest.raises(NotAPicture) as refused:
        read_picture(content)
    return str(refused.value.reason)
