from __future__ import annotations

import pytest

from stockade.errors import JailsLimit
from stockade.jails.bwrap import Measures
from stockade.jails.jailer import Jailer


async def test_there_are_no_more_than_there_may_be() -> None:
    jailer = Jailer(61001, Measures(), most=2)
    await jailer.begin()
    try:
        one, two = await jailer.new(), await jailer.new()
        assert one.id != two.id
        with pytest.raises(JailsLimit) as caught:
            await jailer.new()
        assert caught.value.details == {"limit": 2}
        await one.destroy()
        assert jailer.jails == [two]
        await jailer.new()
    finally:
        await jailer.close()
    assert jailer.jails == []
