"""What browsers call themselves, and from which network they come, in words."""

import pytest

from tourney.domain.devices import device_of
from tourney.runtime.client_address import client_address, network_in_words, network_of


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox · Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36", "Chrome · Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/142 Safari/537.36 Edg/142", "Edge · Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari · iPhone"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/142 Safari/604.1", "Chrome · iPhone"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142 Mobile Safari/537.36", "Chrome · Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1", "Safari · Mac"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("<script>Windows</script>" + "x" * 100_000, "Windows"),
    ],
)  # fmt: skip
def test_a_device_is_named_in_words_of_ours(user_agent, device):
    assert device_of(user_agent) == device


@pytest.mark.parametrize(
    ("connection", "forwarded", "address", "network"),
    [
        ("192.168.1.20", None, "192.168.1.20", "192.168.1.x"),
        ("127.0.0.1", None, "127.0.0.1", "this computer"),
        ("::1", None, "::/64", "this computer"),
        ("::ffff:192.168.1.20", None, "192.168.1.20", "192.168.1.x"),
        ("2001:db8:1:2:ffff::9", None, "2001:db8:1:2::/64", "2001:db8:1:2::…"),
        ("127.0.0.1", "1.2.3.4, 203.0.113.7", "203.0.113.7", "203.0.113.x"),
        ("127.0.0.1", "1.2.3.4, <b>", "unknown", "unknown network"),
        ("127.0.0.1", "fe80::1%" + "x" * 500, "fe80::/64", "fe80::…"),
        ("", None, "unknown", "unknown network"),
    ],
)
def test_an_address_is_that_of_a_household_and_shown_without_its_end(connection, forwarded, address, network):
    assert client_address(connection, forwarded) == address
    assert str(network_in_words(network_of(address))) == network


def test_a_network_is_kept_in_no_language():
    assert [network_of(address) for address in ("127.0.0.1", "::/64", "unknown")] == ["loopback"] * 2 + ["unknown"]
