"""An element of a tab, as clients of the tab API name it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from stockade.tools.camofox.arguments import InNamedTab, OnElement


def test_the_ref_counts_and_what_is_blank_does_not() -> None:
    both = OnElement.model_validate({"tabId": "t", "ref": "e1", "selector": "#a"})
    assert (both.tab, both.ref, both.selector) == ("t", "e1", None)
    one = OnElement.model_validate({"tabId": "t", "ref": "", "selector": "#a"})
    assert (one.ref, one.selector) == (None, "#a")
    with pytest.raises(ValidationError):
        InNamedTab.model_validate({})
