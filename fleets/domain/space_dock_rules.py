"""Space Dock's names of special rules, in the words of `card_rules`."""

import re
from collections.abc import Iterator, Mapping

from fleets.domain.cards import FACTIONS

ONE = "one per ship"
JEM_HADAR = "class with Jem'Hadar"
SCIENCE_VESSEL = "class Romulan Science Vessel"

PARTLY: Mapping[str, tuple[str, ...]] = {
    "Hull4NoRearPlus5NonFed": ("only on hull from 4", "costs 5 more unless on faction FED"),
    "PlusFiveNotKlingonAndMustHaveComeAbout": ("costs 5 more unless on faction KLI",),
    "RemanBodyguardsLess2": ("title Reman Bodyguards costs 2 less",),
    "RomulanHijackers": (
        *("only under faction ROM", "ROM upgrade without penalty"),
        *("non-BOR tech costs 1 less", "non-BOR weapon costs 1 less"),
    ),
    "lore_71522": ("adds crew 1", "talent without penalty"),
}
"""Of these more is known than can be said: arcs, dials, restrictions that are lifted."""

BY_NAME: Mapping[str, tuple[str, ...]] = {
    "Add2HiddenCrew5": ("adds crew 2",),
    "AddHiddenWeapon": ("adds weapon 1",),
    "AddOneBorgSlot": ("adds borg 1",),
    "AddOneTechMinus1": ("adds tech 1",),
    "AddOneWeaponAllKazonMinusOne": ("adds weapon 1", "KAZ upgrade costs 1 less"),
    "AddTwoCrewSlotsDominionCostBonus": ("adds crew 2", "DOM crew costs 1 less"),
    "AddTwoWeaponSlots": ("adds weapon 2",),
    "AddTwoWeaponSlotsAndNoMoreThanOnePerShip": ("adds weapon 2", ONE),
    "Add_Crew_1": ("adds crew 1",),
    "AddsHiddenTechSlot": ("adds tech 1",),
    "AddsOneWeaponOneTech": ("adds weapon 1, tech 1",),
    "AllUpgradesMinusOneOnIndepedentShip": ("upgrade costs 1 less on faction IND",),
    "BSVT": ("only on hull up to 7", "ship costs 10 less", "ship costs 5 less on class Borg Sphere"),
    "BaselineTalentCostToThree": ("talent costs 3",),
    "CaptainAndTalentsIgnoreFactionPenalty": ("no penalty", "talent without penalty"),
    "CaptainIgnoresPenalty": ("no penalty",),
    "CostPWV": ("costs attack",),
    "CostPlusFiveExceptBajoranInterceptor": ("costs 5 more unless on class with Bajoran Interceptor",),
    "CrewUpgradesCostOneLess": ("crew costs 1 less",),
    "FedCrewUpgradesCostOneLess": ("FED crew costs 1 less",),
    "Hull4": ("only on hull from 4",),
    "KTemoc": ("talents only faction KLI", "KLI upgrade costs 1 less", "non-KLI upgrade with double penalty"),
    "KlingonUpgradesCostOneLess": ("KLI upgrade costs 1 less",),
    "KuvahMagh2Less": ("talents only title Kuvah'Magh", "title Kuvah'Magh costs 2 less"),
    "NoMoreThanOnePerShipBajoranInterceptor": ("only on class with Bajoran Interceptor", ONE),
    "NoMoreThanOnePerShipBajoranScout": ("only on class Bajoran Scout Ship", ONE),
    "NoPenaltyOnFederationOrBajoranShip": ("no penalty on faction FED or faction BAJ",),
    "NoPenaltyOnFederationShip": ("no penalty on faction FED",),
    "NoPenaltyOnKlingonShip": ("no penalty on faction KLI",),
    "NoPenaltyOnTalent": ("talent without penalty",),
    "OneDominionUpgradeCostsMinusTwo": ("one DOM upgrade costs 2 less",),
    "OnlyBajoran": ("only on faction BAJ",),
    "OnlyBajoranFederation": ("only on faction BAJ or faction FED",),
    "OnlyBattleshipOrCruiser": ("only on class Jem'Hadar Battle Cruiser or class Jem'Hadar Battleship",),
    "OnlyBorgQueen": ("only under title Borg Queen",),
    "OnlyDderidexAndNoMoreThanOnePerShip": ("only on class D'deridex Class", ONE),
    "OnlyDominionHV4": ("only on faction DOM and hull from 4",),
    "OnlyFedShipHV4CostPWV": ("only on faction FED and hull from 4", "costs attack"),
    "OnlyFedShipHV4CostPWVP1": ("only on faction FED and hull from 4", "costs attack plus 1"),
    "OnlyForKlingonCaptain": ("only under faction KLI",),
    "OnlyForRaptorClassShips": ("only on class with Raptor",),
    "OnlyForRomulanScienceVessel": (f"only on {SCIENCE_VESSEL}",),
    "OnlyGrandNagusTalent": ("adds talent 1", "talents only title Grand Nagus"),
    "OnlyHull3OrLess": ("only on hull up to 3",),
    "OPSHull3": (ONE, "only on hull up to 3"),
    "OnlyIntrepidAndNoMoreThanOnePerShip": ("only on class Intrepid Class", ONE),
    "OnlyJemHadarShips": (f"only on {JEM_HADAR}",),
    "OnlyKlingon": ("only on faction KLI",),
    "OnlyKlingonBirdOfPrey": ("only on class B'Rel Class or class K'Vort Class",),
    "OnlyKlingonORRomulanCaptainShip": (
        "only on faction KLI or faction ROM",
        "only under faction KLI or faction ROM",
    ),
    "OnlyKlingonTalent": ("talents only faction KLI",),
    "OnlyLBCaptain": ("only under title Lursa or title B'Etor",),
    "OnlyNonBorgShipAndNonBorgCaptain": ("only on not faction BOR", "only under not faction BOR", "adds borg 1"),
    "OnlyRemanWarbird": ("only on class Reman Warbird",),
    "OnlySecretResearchTalent": ("adds talent 1", "talents only title Secret Research"),
    "OnlyTalShiarTalent": ("adds talent 1", "talents only title Tal Shiar"),
    "OnlyTholianCaptain": ("only under title Loskene or title with Tholian",),
    "OnlyTholianShip": ("only on class Tholian Vessel",),
    "OnlyVoyager": ("only on title U.S.S. Voyager",),
    "OnlyXindi": ("only on faction XIN",),
    "OnlyXindiANDCostPWV": ("only on faction XIN", "costs attack"),
    "PenaltyOnShipOtherThanDefiant": ("costs 5 more unless on class Defiant Class",),
    "PenaltyOnShipOtherThanKeldonClass": ("costs 5 more unless on class with Keldon",),
    "PhaserStrike": ("only on hull up to 3", "costs 5 more unless on class with Bajoran Interceptor"),
    "PlusFiveIfNotGalaxyIntrepidSovereign": (
        "costs 5 more unless on class Galaxy Class or class Intrepid Class or class Sovereign Class",
    ),
    "PlusFiveIfNotMirrorUniverse": ("costs 5 more unless on faction MIR",),
    "PlusFiveIfNotRaven": ("costs 5 more unless on title U.S.S. Raven",),
    "PlusFiveIfNotRegentsFlagship": ("costs 5 more unless on title Regent's Flagship",),
    "PlusFiveIfNotRemanWarbird": ("costs 5 more unless on class Reman Warbird",),
    "PlusFiveIfSkillOverFive": ("costs 5 more unless under skill up to 5",),
    "PlusFiveOnNonSpecies8472": ("costs 5 more unless on faction SPE",),
    "PlusFivePointsNonHirogen": ("costs 5 more unless on class with Hirogen",),
    "PlusFivePointsNonJemHadarShips": (f"costs 5 more unless on {JEM_HADAR}",),
    "Plus4NotPrometheus": ("costs 4 more unless on class Prometheus Class",),
    "PlusFourIfNotGornRaider": ("costs 4 more unless on class with Gorn",),
    "PlusFourIfNotPredatorClass": ("costs 4 more unless on class Predator Class",),
    "Ship2LessAndUpgrades1Less": ("ship costs 2 less", "upgrade costs 1 less"),
    "TechUpgradesCostOneLess": ("tech costs 1 less",),
    "TwoBajoranTalents": ("adds talent 2", "talents only faction BAJ"),
    "UpgradesIgnoreFactionPenalty": ("upgrade without penalty",),
    "VulcanAndFedTechUpgradesMinus2": ("VUL tech costs 2 less", "FED tech costs 2 less"),
    "WeaponUpgradesCostOneLess": ("weapon costs 1 less",),
    "add_one_tech_no_faction_penalty_on_vulcan": ("adds tech 1", "no penalty on faction VUL"),
    "addonetalentslot": ("adds talent 1",),
    "addonetechslot": ("adds tech 1",),
    "addoneweaponslot": ("adds weapon 1",),
    "addoneweaponslotfortorpedoes": ("adds weapon 1",),
    "addoneweaponslot1xindi2less": ("adds weapon 1", "one XIN weapon costs 2 less"),
    "combat_vessel_variant_71508": ("only on class Suurok Class",),
    "costincreasedifnotbreen": ("costs 5 more unless on class with Breen",),
    "costincreasedifnotromulansciencevessel": (f"costs 5 more unless on {SCIENCE_VESSEL}",),
    "hugh_71522": ("crew costs 1 less", "BOR upgrade without penalty"),
    "limited_max_weapon_3": (ONE, "only on attack up to 3"),
    "limited_max_weapon_3AndPlus5NonFed": (ONE, "only on attack up to 3", "costs 5 more unless on faction FED"),
    "no_faction_penalty_on_vulcan": ("no penalty on faction VUL",),
    "not_with_hugh": ("not with title Hugh",),
    "not_with_jean_luc_picard": ("not with title Jean-Luc Picard",),
    "only_suurok_class_limited_weapon_hull_plus_1": ("only on class Suurok Class", ONE, "adds weapon 1"),
    "only_vulcan_ship": ("only on faction VUL",),
    "ony_federation_ship_limited3": ("only on faction FED",),
    "ony_mu_ship_limited": ("only on faction MIR", ONE),
    "sakonna_gavroche": ("adds weapon 1", "weapon up to 5 SP costs 2 less"),
}
LONGEST = 120
NUMBERS = {"Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6}
FACTION_OF = {re.sub(r"\W", "", name): code for code, name in FACTIONS.items()} | {"Fed": "FED", "Tholian": ""}


def rules_of_special(name: str) -> tuple[str, ...] | None:
    """The rules that a special stands for, none for an empty name; None for one that is not understood."""
    if not name:
        return ()
    if len(name) > LONGEST:
        return None
    if name in BY_NAME or name in PARTLY:
        return BY_NAME.get(name) or PARTLY[name]
    for read in (_one_per_ship, _only, _more):
        if found := tuple(read(name)):
            understood = tuple(rule for rule in found if rule)
            return understood if len(understood) == len(found) else None
    return None


def _one_per_ship(name: str) -> Iterator[str | None]:
    """ "NoMoreThanOnePerShip" alone, before or behind another rule, or for the ships of a faction; "OPS" in front."""
    for pattern in (r"OPS(.+)", r"(.+?)(?:And)?NoMoreThanOnePerShip", r"NoMoreThanOnePerShipAnd(.+)"):
        if match := re.fullmatch(pattern, name):
            rest = rules_of_special(match[1])
            yield from (ONE, *rest) if rest else (None,)
            return
    if match := re.fullmatch(r"NoMoreThanOnePerShip(\w*)", name):
        code = FACTION_OF.get(match[1]) if match[1] else ""
        yield ONE if not match[1] else f"only on faction {code}" if code else None
        if code:
            yield ONE


def _only(name: str) -> Iterator[str | None]:
    """ "OnlyShipClass_Some_Class", "OnlyKlingonShip", "OnlyVulcanCaptainVulcanShip" and the like."""
    if match := re.fullmatch(r"OnlyShipClass_CONTAINS_(.+)", name):
        yield f"only on class with {match[1].replace('_', ' ')}"
    elif match := re.fullmatch(r"OnlyShip(Class)?_(.+)", name):
        yield f"only on {'class' if match[1] else 'title'} {match[2].replace('_', ' ')}"
    elif match := re.fullmatch(r"Only(\w+?)Captain(\1)?Ship", name):
        code = FACTION_OF.get(match[1])
        yield from (f"only on faction {code}", f"only under faction {code}") if code else (None,)
    elif match := re.fullmatch(r"Only(\w+?)(Captain|Ship)", name):
        code = FACTION_OF.get(match[1])
        yield f"only {'on' if match[2] == 'Ship' else 'under'} faction {code}" if code else None


def _more(name: str) -> Iterator[str | None]:
    """ "Plus5NotKlingon", "PlusFiveIfNotBorgShip", "Plus4NotShipClass_Some_Class" and the like."""
    if match := re.fullmatch(r"Plus(\d)NotShipClass_(.+)", name):
        yield f"costs {match[1]} more unless on class {match[2].replace('_', ' ')}"
    elif match := re.fullmatch(r"Plus(\d|Two|Three|Four|Five|Six)(?:If|For)?(?:Not|Non)(\w+?)(?:Ship)?", name):
        code, points = FACTION_OF.get(match[2]), NUMBERS.get(match[1], match[1])
        yield f"costs {points} more unless on faction {code}" if code else None
