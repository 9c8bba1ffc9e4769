"""Everything an operator can set."""

from __future__ import annotations

from stockade.settings import Settings, describe, variable_of, written


def test_every_setting_is_described_in_a_sentence() -> None:
    rows = describe()
    assert [row.name for row in rows] == list(Settings.model_fields)
    assert all(row.description.endswith(".") and row.description[0].isupper() for row in rows)


def test_values_are_told_as_they_would_be_written() -> None:
    assert [written(each) for each in (True, ("a", "b"), (1, 2), None, 5)] == [
        "true",
        "a,b",
        "1,2",
        "",
        "5",
    ]
    assert variable_of("call_deadline") == "STOCKADE_CALL_DEADLINE"
