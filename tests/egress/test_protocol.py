"""What the server and the egress process tell each other."""

from __future__ import annotations

import pytest

from stockade.egress import protocol
from stockade.egress.protocol import FromProcess, Rules, ToProcess, Upstream

TO_PROCESS: tuple[ToProcess, ...] = (
    protocol.Start("127.0.0.1:53", ("127.0.0.1:9377",)),
    protocol.Open(
        "ses_1",
        Rules(
            allowed=(("example.com", "*.example.org:8443"), ("example.com",)),
            blocked=("bad.example",),
            ports=(8443,),
            exceptions=("localhost:3000", "10.0.0.7:*"),
            upstream=Upstream("socks5", "proxy.example", 1080, "me", "pass"),
        ),
    ),
    protocol.Admit("ses_1", ("https://other.example",)),
    protocol.Close("ses_1"),
    protocol.Count("ses_1"),
)
FROM_PROCESS: tuple[FromProcess, ...] = (
    protocol.Ready("open", "ses_1"),
    protocol.Verdict(
        session="ses_1",
        denied=True,
        off_list=False,
        rule="address",
        reason="it is private",
        remedy="--allow 10.1.1.1:80",
        origin="http://10.1.1.1",
        host="10.1.1.1",
        port=80,
    ),
    protocol.Failed("ses_1", "refused", "nobody listens there", "http://a.test", "a.test", 80),
    protocol.Counters("ses_1", requests=3, denied=1, sent=10, received=20),
)


@pytest.mark.parametrize("message", TO_PROCESS)
def test_what_the_server_says_arrives(message: ToProcess) -> None:
    assert protocol.decode_to_process(protocol.encode(message)) == message


@pytest.mark.parametrize("message", FROM_PROCESS)
def test_what_the_process_says_arrives(message: FromProcess) -> None:
    assert protocol.decode_from_process(protocol.encode(message)) == message
