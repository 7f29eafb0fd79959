"""Templates without their indents, which are half of a long page and are written, sent and read for nobody."""

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENTS = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Loads from the folders of the settings. Lines stay lines, so that errors name the right one."""

    def get_contents(self, origin: Origin) -> str:
        return INDENTS.sub("", super().get_contents(origin))
