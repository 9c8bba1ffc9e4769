from __future__ import annotations

from pathlib import Path

from stockade.cli.loopback import exceptions, listening
from tests.support.site import Site

_HEAD = "  sl  local_address rem_address   st tx_queue rx_queue\n"
_ROWS = {
    "0100007F:0BB8 00000000:0000 0A": True,
    "0200007F:0BB9 00000000:0000 0A": True,
    "00000000:0BBA 00000000:0000 0A": True,
    "0100007F:0BBB 0100007F:9999 01": False,
    "0500000A:0BBC 00000000:0000 0A": False,
}
_ROWS_6 = {
    "00000000000000000000000001000000:0FA0 0:0 0A": True,
    "00000000000000000000000000000000:0FA1 0:0 0A": True,
    "0000000000000000FFFF00000100007F:0FA2 0:0 0A": True,
    "000080FE00000000FF00000001000000:0FA3 0:0 0A": False,
}


def test_what_listens_where_loopback_leads_is_found(tmp_path: Path, site: Site) -> None:
    tables = []
    for number, rows in enumerate((_ROWS, _ROWS_6)):
        tables.append(tmp_path / str(number))
        tables[-1].write_text(_HEAD + "".join(f"   0: {row} 0:0\n" for row in rows))
    assert listening([*tables, tmp_path / "none"]) == [3000, 3001, 3002, 4000, 4001, 4002]
    assert site.port in listening()


def test_each_port_is_opened_in_every_spelling() -> None:
    assert exceptions([3000]) == ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"]
