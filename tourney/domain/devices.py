"""What a browser calls itself, in words that people know."""

MOST_READ = 500
"""Characters of the header; the rest says nothing more."""
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)


def device_of(user_agent: str) -> str:
    """Browser and system of a User-Agent header: “Firefox · Windows”, “Safari · iPhone”; empty where it is neither.

    The first of each list that it names, for all claim to be one another. Nothing of the header itself is in it.
    """
    text = user_agent[:MOST_READ]
    browser = next((name for sign, name in BROWSERS if sign in text), None)
    system = next((name for sign, name in SYSTEMS if sign in text), None)
    return " · ".join(name for name in (browser, system) if name)
