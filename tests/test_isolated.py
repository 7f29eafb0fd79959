"""Large files are read in a process of their own, which takes no more than it is given."""

import logging
import os
import pickle
import subprocess
import sys
from io import BytesIO

import pytest

from fleets.domain.space_dock import NotACatalogue, read_catalogue
from scoring.domain.pack_file import NotAPack, read, write
from scoring.shipped import shipped_packs
from tests.domain.test_space_dock import CATALOGUE
from tourney.runtime.installation import CODE
from tourney.runtime.isolated import (
    AT_ONCE,
    BROKEN,
    BUSY,
    OUT_OF_MEMORY,
    SMALL,
    ProcessLimits,
    _Values,
    call,
    call_if_large,
)


def refused(limits: ProcessLimits, data: bytes = CATALOGUE.encode()) -> str:
    with pytest.raises(NotACatalogue) as raised:
        call(read_catalogue, data, refusal=NotACatalogue, limits=limits)
    return str(raised.value)


def test_what_is_read_there_is_what_would_be_read_here():
    assert call(read_catalogue, CATALOGUE.encode(), refusal=NotACatalogue) == read_catalogue(CATALOGUE.encode())


def test_a_refusal_keeps_all_its_reasons():
    text = write(shipped_packs()[0]) + "\n[resource]\n[nowhere]\n"
    with pytest.raises(NotAPack) as here:
        read(text)

    with pytest.raises(NotAPack) as there:
        call(read, text, refusal=NotAPack)

    assert there.value.reasons == here.value.reasons


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (ProcessLimits(cpu=0), "Reading this file takes longer than 0 seconds. Split it or export it again."),
        (ProcessLimits(wall=0.01), "Reading this file takes longer than 0.01 seconds. Split it or export it again."),
        (ProcessLimits(result=100), "The file holds more than can be imported at once. Split it."),
    ],
    ids=["processor", "time", "result"],
)
def test_beyond_a_limit_there_is_a_sentence_and_the_next_file_is_read(limits, sentence):
    assert refused(limits) == sentence
    assert len(call(read_catalogue, CATALOGUE.encode(), refusal=NotACatalogue).entries) == 3


@pytest.mark.skipif(sys.platform == "darwin", reason="the kernel keeps no limit of memory")
def test_a_file_that_takes_too_much_memory_is_refused_where_a_small_one_is_read():
    limits = ProcessLimits(memory=64 * 1024**2)

    assert len(call(read_catalogue, CATALOGUE.encode(), refusal=NotACatalogue, limits=limits).entries) == 3
    assert refused(limits, CATALOGUE.replace("Long text.", "Long text." * 1_900_000).encode()) == (
        "Reading this file takes more than 64 MB of memory. Split it or export it again."
    )


def test_no_more_than_two_are_read_at_once():
    with AT_ONCE, AT_ONCE:
        assert refused(ProcessLimits()) == str(BUSY)
    assert len(call(read_catalogue, CATALOGUE.encode(), refusal=NotACatalogue).entries) == 3


def test_what_goes_wrong_in_it_is_a_sentence_here_and_stands_in_the_log(caplog):
    with pytest.raises(NotACatalogue, match=str(BROKEN)), caplog.at_level(logging.ERROR):
        call(read_catalogue, None, refusal=NotACatalogue)

    assert "TypeError" in caplog.text


def test_it_inherits_no_password(monkeypatch):
    for name in ("SECRET_KEY", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "/nowhere")

    found = [call(os.getenv, name, refusal=NotACatalogue) for name in ("SECRET_KEY", "LD_LIBRARY_PATH")]
    assert found == [None, "/nowhere"]


def test_nothing_but_values_of_our_rules_is_taken_back():
    for value in (subprocess.run, os.system, ProcessLimits()):
        with pytest.raises(pickle.UnpicklingError):
            _Values(BytesIO(pickle.dumps(value))).load()


def test_a_small_text_is_read_where_it_is():
    with AT_ONCE, AT_ONCE:
        assert len(call_if_large(read_catalogue, CATALOGUE.encode(), refusal=NotACatalogue).entries) == 3
        with pytest.raises(NotACatalogue, match="Try again in a minute"):
            call_if_large(read_catalogue, b" " * (SMALL + 1), refusal=NotACatalogue)


def test_where_the_kernel_keeps_no_limit_of_memory_the_process_watches_itself():
    greedy = "from threading import Thread\nfrom tourney.runtime.isolated import watch\n"
    greedy += (
        "Thread(target=watch, args=(60 * 1024**2, 0.001)).start()\nheld = []\nwhile True: held.append(b'x' * 1000)\n"
    )

    done = subprocess.run([sys.executable, "-c", greedy], cwd=CODE, timeout=60)

    assert done.returncode == OUT_OF_MEMORY
