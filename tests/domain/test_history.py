"""What many changes of rows come to, kept whole or by their columns."""

from tourney.domain.history import Change, columns_of, fits, net, rows_after, turned_back

WHOLE = {"id": 1, "state": "draft", "seed": 7}
ADDED = Change("round", None, WHOLE)
PUBLISHED = Change("round", {"state": "draft"}, {"state": "published"})
CLOSED = Change("round", {"state": "published", "ends_at": 5}, {"state": "closed", "ends_at": None})
DELETED = Change("round", WHOLE | {"state": "closed", "ends_at": None}, None)


def test_columns_that_changed_are_put_on_the_row_they_changed():
    assert rows_after([ADDED, PUBLISHED]) == {"round": WHOLE | {"state": "published"}}
    assert rows_after([ADDED, PUBLISHED, CLOSED]) == {"round": WHOLE | {"state": "closed", "ends_at": None}}


def test_changes_of_other_columns_come_to_one_of_all_of_them():
    assert net([PUBLISHED, CLOSED]) == {
        "round": Change("round", {"state": "draft", "ends_at": 5}, {"state": "closed", "ends_at": None})
    }


def test_what_goes_there_and_back_is_no_change():
    (back,) = turned_back({"round": PUBLISHED}).values()

    assert net([PUBLISHED, back]) == {}
    assert net([ADDED, PUBLISHED, CLOSED, DELETED]) == {}


def test_a_row_that_changed_and_was_deleted_was_as_it_was_before_both():
    assert net([PUBLISHED, CLOSED, DELETED]) == {
        "round": Change("round", WHOLE | {"state": "draft", "ends_at": 5}, None)
    }


def test_a_row_that_was_deleted_and_comes_back_is_what_it_came_back_as():
    again = Change("round", None, WHOLE | {"seed": 8})

    assert net([PUBLISHED, DELETED, again]) == {
        "round": Change("round", WHOLE | {"state": "draft", "ends_at": None}, WHOLE | {"seed": 8})
    }


def test_whole_rows_and_columns_come_to_the_same():
    whole = Change("round", WHOLE, WHOLE | {"state": "published"})

    assert rows_after([ADDED, whole]) == rows_after([ADDED, PUBLISHED])
    assert columns_of(whole.before, whole.after) == columns_of(PUBLISHED.before, PUBLISHED.after)
    assert net([whole, CLOSED])["round"].after == WHOLE | {"state": "closed", "ends_at": None}


def test_a_change_fits_a_row_whose_columns_are_as_they_were():
    assert fits(PUBLISHED, WHOLE | {"seed": 9})
    assert not fits(PUBLISHED, WHOLE | {"state": "closed"})
    assert not fits(PUBLISHED, None)
