"""The guide's pictures (docs/guide/images): how they are made small, and when one differs from what is there."""

from io import BytesIO
from pathlib import Path

from django.conf import settings
from PIL import Image, ImageChops, ImageDraw

FOLDER: Path = settings.BASE_DIR / "docs" / "guide" / "images"
MOST_BYTES = 80_000
MOST_OF_A_FILM, LONGEST_FILM = 400_000, 12_000
"""Bytes and milliseconds."""
BLOCK = 8
"""Pixels of the side of a block: what differs within one in its mean is seen, how its edges are drawn is not."""
NOISE = 12
"""How much the mean of a block may differ (of 255): the edges of letters make 9, another digit makes more than 20."""
GROUND, EDGE = "#eff3f6", "#aab6c2"
type Frames = list[tuple[Image.Image, int]]
"""The pictures of a film, each with the milliseconds for which it is shown."""


def webp_of(picture: Image.Image) -> bytes:
    """The picture as WebP, as good as it can be in 80 kB."""
    for quality in range(66, 40, -6):
        with BytesIO() as written:
            picture.save(written, "WEBP", quality=quality, method=6)
            if len(data := written.getvalue()) <= MOST_BYTES:
                return data
    raise ValueError(f"{picture.size} takes more than {MOST_BYTES} bytes: show less.")


def film_of(frames: Frames) -> bytes:
    """The film as an animated WebP that starts again at its end."""
    (first, _), *others = frames
    for quality in range(66, 40, -6):
        with BytesIO() as written:
            first.save(
                written,
                "WEBP",
                save_all=True,
                append_images=[picture for picture, _ in others],
                duration=[shown for _, shown in frames],
                loop=0,
                quality=quality,
                method=6,
            )
            if len(data := written.getvalue()) <= MOST_OF_A_FILM:
                return data
    raise ValueError(f"The film takes more than {MOST_OF_A_FILM} bytes: show less.")


def beside(desk: Image.Image, phone: Image.Image, wall: Image.Image) -> Image.Image:
    """All three as they are seen on the night: the desk above the wall, the phone beside them."""
    picture = Image.new("RGB", (960, 823), GROUND)
    for one, (left, top, width) in ((desk, (0, 0, 600)), (wall, (0, 485, 600)), (phone, (630, 11, 330))):
        fitted = one.resize((width, round(one.height * width / one.width)), Image.Resampling.LANCZOS)
        ImageDraw.Draw(fitted).rectangle((0, 0, fitted.width - 1, fitted.height - 1), outline=EDGE)
        picture.paste(fitted, (left, top))
    return picture


def frames_of(data: bytes) -> Frames:
    """What a file shows: one picture, or those of a film."""
    with Image.open(BytesIO(data)) as opened:
        found: Frames = []
        for place in range(getattr(opened, "n_frames", 1)):
            opened.seek(place)
            found.append((opened.convert("RGB"), int(opened.info.get("duration", 0))))
    return found


def differ(one: bytes, other: bytes) -> bool:
    """Whether a reader would see another picture, not only other edges of letters."""
    before, now = frames_of(one), frames_of(other)
    if [(picture.size, shown) for picture, shown in before] != [(picture.size, shown) for picture, shown in now]:
        return True
    return any(_differ(first, second) for (first, _), (second, _) in zip(before, now, strict=True))


def _differ(one: Image.Image, other: Image.Image) -> bool:
    first, second = one.reduce(BLOCK), other.reduce(BLOCK)
    most = ImageChops.difference(first, second).convert("RGB")
    red, green, blue = most.split()
    strongest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return strongest.getextrema()[1] > NOISE


def write_changed(made: dict[str, bytes], folder: Path = FOLDER) -> list[str]:
    """Write what is new or differs from what is there by more than noise; the names of those files."""
    changed = changed_among(made, folder)
    for name in changed:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(made[name])
    return changed


def changed_among(made: dict[str, bytes], folder: Path = FOLDER) -> list[str]:
    """The names of what is new, or differs from what is there."""
    return sorted(
        name
        for name, data in made.items()
        if not (folder / name).is_file() or differ((folder / name).read_bytes(), data)
    )
