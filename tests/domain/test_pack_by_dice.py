"""Every month pack reads back as it was written, whatever chance puts into it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.building import (
    CHANGE_KINDS,
    FACTION_NAMES,
    FACTIONS_OF,
    FLEET_FORMATS,
    HOW_MANY,
    LIMIT_KINDS,
    CardLimit,
    CostChange,
    FleetFormat,
)
from scoring.domain.pack import (
    AWARDS,
    CONCESSIONS,
    PAIRING_STYLES,
    PER,
    RESOURCE_CHOICES,
    RESOURCE_RULES,
    ROLL_OFFS_BETWEEN_ROUNDS,
    TABLE_ROLL_OFFS,
    TO,
    Bonus,
    MonthPack,
    ResourceRule,
    Tally,
    as_data,
    parse,
)
from scoring.domain.pack_file import read, write

words = st.text("abc XYZ'-é", min_size=1, max_size=20).map(str.strip).filter(bool)


keys = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)


lists = st.lists(words, unique=True, max_size=3).map(tuple)


@st.composite
def tallies(draw):
    known = draw(st.lists(keys, unique=True, max_size=4))
    found = []
    for key in known:
        total = draw(st.none() | st.integers(1, 1998))
        found.append(
            Tally(
                key=key,
                name=draw(words),
                max_each=draw(st.none() | st.integers(1, min(total or 999, 999))),
                max_total=total,
                excludes=tuple(other for other in known if other != key and draw(st.booleans())),
                reminder=draw(st.just("") | words),
            )
        )
    return tuple(found)


@st.composite
def bonuses(draw, counted):
    found = []
    for tally in counted:
        to = draw(st.sampled_from(TO))
        found.append(
            Bonus(
                tally=tally.key,
                name=draw(words),
                points=draw(st.integers(-1000, 1000).filter(bool)),
                per=draw(st.sampled_from(PER)),
                to=to,
                decides_winner=to != "winner" and draw(st.booleans()),
            )
        )
    return tuple(found)


@st.composite
def fleet_formats(draw):
    away_team = draw(st.integers(0, 20))
    return FleetFormat(
        draw(st.sampled_from(FLEET_FORMATS)),
        draw(st.integers(0, 1)),
        draw(st.none() | st.integers(0, 20)),
        draw(st.lists(st.sampled_from(FACTION_NAMES), unique=True, max_size=3).map(tuple)),
        draw(st.sampled_from(FACTIONS_OF)),
        draw(lists),
        away_team,
        draw(st.none() | st.integers(0, 1000)) if away_team else None,
    )


factions = st.sampled_from(("", *FACTION_NAMES))


card_limits = st.builds(
    CardLimit,
    st.sampled_from(HOW_MANY),
    st.just("") | words,
    st.sampled_from(LIMIT_KINDS),
    factions,
    st.none() | st.integers(0, 999),
).filter(lambda limit: limit.title or limit.faction or limit.kind != "card")


@st.composite
def cost_changes(draw, sides):
    kind, faction = draw(st.sampled_from(CHANGE_KINDS)), draw(factions)
    other = bool(faction) and draw(st.booleans())
    points = draw(st.integers(-50, 50))
    return CostChange(
        kind,
        faction,
        other,
        with_card=kind == "ship" and bool(faction) and not other and draw(st.booleans()),
        points=points,
        no_penalty=not points or draw(st.booleans()),
        side=draw(st.sampled_from(("", *sides))),
    )


@st.composite
def packs(draw):
    allegiance = draw(st.booleans())
    counted = draw(tallies())
    rule = draw(st.sampled_from(RESOURCE_RULES))
    number = st.none() | st.integers(1, 1000)
    named = st.just("") if rule == "none" else st.just("") | words
    only = () if rule == "none" else draw(lists)
    fleet = draw(fleet_formats())
    return MonthPack(
        slug=draw(st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True)),
        version=draw(st.integers(1, 9999)),
        storyline=draw(words),
        month=draw(st.none() | st.integers(0, 99)),
        name=draw(st.just("") | words),
        released=draw(st.sampled_from(["", "2014-03", "2017-12"])),
        rounds=draw(st.integers(1, 12)),
        minutes=draw(st.integers(1, 600)),
        sp_limit=draw(number),
        fleet_point_base=draw(number),
        win=draw(st.integers(0, 100)),
        bye=draw(st.integers(0, 100)),
        loss=draw(st.integers(0, 100)),
        no_show=draw(st.integers(0, 100)),
        bye_fleet_points=draw(number),
        bye_counts_as_win=draw(st.booleans()),
        concession=draw(st.sampled_from(CONCESSIONS)),
        allegiance=allegiance,
        factions=draw(lists) if allegiance else (),
        token=draw(st.booleans()),
        resource=ResourceRule(rule, draw(st.sampled_from(RESOURCE_CHOICES)), draw(named), draw(named), only),
        fleet=fleet,
        card_limits=draw(st.lists(card_limits, unique=True, max_size=3).map(tuple)),
        cost_changes=draw(st.lists(cost_changes(fleet.sides), unique=True, max_size=3).map(tuple)),
        tallies=counted,
        bonuses=draw(bonuses(counted)),
        bonuses_known=draw(st.booleans()),
        win_conditions=draw(lists),
        ends_when=draw(st.just("") | words),
        table_roll_off=draw(st.sampled_from(TABLE_ROLL_OFFS)),
        titles=draw(lists),
        awards=AWARDS if allegiance and draw(st.booleans()) else (),
        pairing_style=draw(st.sampled_from(PAIRING_STYLES)),
        roll_offs_between_rounds=draw(st.sampled_from(ROLL_OFFS_BETWEEN_ROUNDS)),
        keep_factions_apart=draw(st.booleans()),
        prize_ship=draw(st.just("") | words),
        notes=draw(st.just("") | words),
    )


@given(packs())
def test_every_pack_reads_back_as_it_was_written(pack):
    assert parse(json.loads(json.dumps(as_data(pack)))) == pack
    assert read(write(pack)) == pack
