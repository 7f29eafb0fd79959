"""What .ci/words.py finds: sentences that no catalogue knows."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

words = runpy.run_path(str(ROOT / ".ci/words.py"))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('refuse("Lark is late.")', ["Lark is late."]),
        ('refuse(message("Lark is late."))', []),
        ('nmessage("{count} player is late", "{count} players are late", 2)', []),
        ('gettext("Lark is late.")', []),
        ('_("Lark is late.")', []),
        ('f"{name} is late, and {other} too."', ["{} is late, and {} too."]),
        ('"""Lark is late."""', []),
        ('raise ValueError("Lark is late.")', []),
        ('raise Refused("Lark is late.")', ["Lark is late."]),
        ('logger.warning("Lark is late.")', []),
        ('if name == "Lark is late.": pass', []),
        ('cursor.execute("SELECT name FROM players WHERE late")', []),
        ('rows.filter(seat__entrant="dropped_from")', []),
        ('LABEL = "Undo last step"', ["Undo last step"]),
        ('NAMES = "lark onyx quill".split()', []),
        ('MARKS = {"late today": message("Late.")}', []),
        ('class Mark(StrEnum):\n    LATE = "late today"', []),
        ('self.stdout.write("Lark is late.")', []),
        ('print(f"{name} is late.")', []),
        ('pmessage(CONTEXT, "late")', ["no literal: pmessage(CONTEXT, 'late')"]),
        ('message(LATE.id, name="Lark")', []),
    ],
)
def test_in_python_every_sentence_is_the_id_of_a_message(code, found):
    assert [text for _, text in words["in_python"](code)] == found


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Lark is late.</p>", ["Lark is late."]),
        ("<p>{% translate 'Lark is late.' %}</p>", []),
        ("<p>{% blocktranslate with a=b %}{{ a }} is late.{% endblocktranslate %}</p>", []),
        ("<p>{% trans a=b %}{{ a }} is late.{% endtrans %}</p>", []),
        ('<p title="Late">{{ name }}</p>', ["Late"]),
        ('<p title="{% translate "Late" %}" class="is late">{{ name }}</p>', []),
        ('{% include "a.html" with title="Late players" %}', ["Late players"]),
        ('{% include "a.html" with title=_("Late players") %}', []),
        ("{# Lark is late. #}<!-- late too --><style>p { margin: 0 }</style>", []),
        ("<p>{{ count }}&nbsp;late · {{ name }}</p>", ["late ·"]),
        ("<p>{{ count }}&nbsp;SP · {{ name }}</p>", []),
        ('<p>{{ gettext("Late") if "late today" in marks else gettext("Not late") }}</p>', ["late today"]),
        ("{% block page_class %}page-late page{% endblock page_class %}", []),
        ('<a class="{{ style }}" {{ "href:address aria-label:label" }}>{{ name }}</a>', []),
        ("{{ moment|written:'short day, time' }}", []),
        ("<p>{{ count }} × {{ name }} …</p>", []),
        ('{% if state == "still playing" %}<b>{{ name }}</b>{% endif %}', []),
    ],
)
def test_in_templates_every_sentence_stands_in_a_block_that_is_translated(template, found):
    assert [text for _, text in words["in_template"](template)] == found


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('say("Lark is late.");', ["Lark is late."]),
        ('say(gettext("Lark is late."));', []),
        ('say(ngettext("{count} ship is late.", "{count} ships are late.", count));', []),
        ('say(pgettext("a list", "{some} and {last}"), "Lark is late.");', ["Lark is late."]),
        ("say(`${name} is late.`);", ["{} is late."]),
        ('document.querySelector("main > p");', []),
        ("throw new Error(`no list ${name} here`);", []),
        ('const fields = "select, input:not([type=hidden])";', []),
        ("// Lark is late.\n/* Lark is late. */", []),
        ('const address = "https://example.org/is late";', []),
    ],
)
def test_in_scripts_every_sentence_is_asked_of_the_catalogue(script, found):
    assert [text for _, text in words["in_script"](script)] == found
