"""Who gets the Commendation Award Token, and what becomes of it (rules 6.1 to 6.4)."""

import pytest

from scoring.domain.commendation import (
    LedgerKind,
    LedgerLine,
    LineDoesNotFit,
    Placed,
    Token,
    foremost,
    token_after,
    why,
)

VOR, KESTREL, HARRIER, GUEST = 1, 2, 3, 9
NAMES = {VOR: "Vor", KESTREL: "Kestrel", HARRIER: "the Harrier"}
RANKS = (Placed(VOR, 1, "Admiral"), Placed(KESTREL, 2, "Vice Admiral"), Placed(HARRIER, 3))
TIED = (Placed(VOR, 1), Placed(KESTREL, 1), Placed(HARRIER, 3))


@pytest.mark.parametrize(
    ("order", "present", "declined", "expected", "sentence"),
    [
        pytest.param(RANKS, {1, 2, 9}, (), (VOR,), "Vor is Admiral of month 5 (rule 6.1).", id="6.1"),
        pytest.param(
            RANKS,
            {2, 3, 9},
            (),
            (KESTREL,),
            "Vor, Admiral of month 5, isn’t here; Kestrel, Vice Admiral, is the highest who is (rule 6.2).",
            id="6.2 the next highest present",
        ),
        pytest.param(
            RANKS,
            {3, 9},
            (),
            (HARRIER,),
            "Vor, Admiral of month 5, isn’t here; the Harrier, rank 3, is the highest who is (rule 6.2).",
            id="6.2 a rank without a title",
        ),
        pytest.param(
            RANKS,
            {1, 2},
            {1},
            (KESTREL,),
            "Vor, Admiral of month 5, declined it; Kestrel, Vice Admiral, is the highest who takes it (rule 6.2).",
            id="6.2 somebody who declines is passed over",
        ),
        pytest.param(
            RANKS,
            {9},
            (),
            (),
            "No one who played month 5 is here, so there is no token (rule 6.2).",
            id="6.2 nobody present",
        ),
        pytest.param(
            RANKS, {3}, {3}, (), "No one who played month 5 takes the token (rule 6.2).", id="6.2 all decline"
        ),
        pytest.param(
            TIED,
            {1, 2, 3},
            (),
            (VOR, KESTREL),
            "Vor and Kestrel share rank 1 of month 5. Have them roll off before you give the token (rule 4.4).",
            id="5.2 tied Admirals who are both here",
        ),
        pytest.param(TIED, {2, 3}, (), (KESTREL,), "Kestrel is first of month 5 (rule 6.1).", id="5.2 one of the tied"),
    ],
)
def test_the_token_goes_to_the_highest_of_last_month_who_is_present(order, present, declined, expected, sentence):
    assert foremost(order, present, declined) == expected
    assert str(why(order, present, NAMES, "month 5", declined)) == sentence


GRANTED = LedgerLine(LedgerKind.GRANTED, VOR)
SPENT = LedgerLine(LedgerKind.SPENT, VOR, 2)
LOST = LedgerLine(LedgerKind.LOST, VOR)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param((), Token(), id="6.1 not given yet"),
        pytest.param((GRANTED,), Token("held", VOR, due=VOR), id="6.1 granted"),
        pytest.param((GRANTED, SPENT), Token("spent", VOR, 2, due=VOR), id="6.3 spent"),
        pytest.param(
            (GRANTED, SPENT, LedgerLine(LedgerKind.UNSPENT, VOR, 2)), Token("held", VOR, due=VOR), id="6.3 by mistake"
        ),
        pytest.param((GRANTED, LOST), Token("lost", VOR, due=VOR), id="6.3 unused at the end"),
        pytest.param(
            (GRANTED, LOST, LedgerLine(LedgerKind.RETURNED, VOR)), Token("held", VOR, due=VOR), id="6.3 opened again"
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.PASSED_ON, KESTREL)),
            Token("held", KESTREL, due=KESTREL),
            id="6.2 passed on",
        ),
        pytest.param((GRANTED, LedgerLine(LedgerKind.WITHDRAWN, VOR)), Token(), id="taken back"),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.DECLINED, VOR), LedgerLine(LedgerKind.GRANTED, KESTREL)),
            Token("held", KESTREL, due=KESTREL, declined=frozenset({VOR})),
            id="6.2 declined",
        ),
        pytest.param(
            (LedgerLine(LedgerKind.DECLINED, VOR), GRANTED),
            Token("held", VOR, due=VOR),
            id="6.2 declined, and takes it after all",
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.CORRECTED, KESTREL)),
            Token("held", VOR, due=KESTREL),
            id="6.4 corrected while unspent",
        ),
        pytest.param(
            (GRANTED, SPENT, LedgerLine(LedgerKind.CORRECTED, KESTREL)),
            Token("spent", VOR, 2, due=KESTREL),
            id="6.4 what was spent stays spent",
        ),
    ],
)
def test_the_ledger_says_where_the_one_token_is(lines, expected):
    assert token_after(lines) == expected


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param((SPENT,), "No one has the token now.", id="6.3 nothing to spend"),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.GRANTED, KESTREL)), "The token is already given.", id="6.1 one token"
        ),
        pytest.param(
            (GRANTED, SPENT, LedgerLine(LedgerKind.SPENT, VOR, 3)),
            "The token is spent, and stays spent (rule 6.3).",
            id="6.3 spent once",
        ),
        pytest.param(
            (GRANTED, SPENT, LedgerLine(LedgerKind.PASSED_ON, KESTREL)),
            "The token is spent, and stays spent (rule 6.3).",
            id="6.3 not passed on when spent",
        ),
        pytest.param((GRANTED, SPENT, LOST), "The token is spent, and stays spent (rule 6.3).", id="6.3 not lost too"),
        pytest.param(
            (GRANTED, LOST, SPENT), "The token was lost when the event finished (rule 6.3).", id="6.3 lost is gone"
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.SPENT, KESTREL, 1)),
            "Another player has the token.",
            id="6.3 the owner's own",
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.DECLINED, KESTREL)), "Another player has the token.", id="6.2 not yours"
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.SPENT, VOR)), "Say in which round the token is spent.", id="6.3 in a round"
        ),
        pytest.param(
            (GRANTED, SPENT, LedgerLine(LedgerKind.UNSPENT, VOR, 1)),
            "The token was spent in round 2.",
            id="6.3 another round",
        ),
        pytest.param(
            (GRANTED, LedgerLine(LedgerKind.PASSED_ON, VOR)),
            "This player already has the token.",
            id="6.2 to somebody else",
        ),
        pytest.param(
            (LedgerLine(LedgerKind.GRANTED, None),), "Say which player the token belongs to.", id="6.1 to somebody"
        ),
    ],
)
def test_a_line_that_does_not_fit_says_why(lines, message):
    with pytest.raises(LineDoesNotFit) as error:
        token_after(lines)

    assert str(error.value) == message
