"""Further controls of Streamlit; what the server knows of them is kept in a file after every change."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import streamlit as st


def _write(known: dict[str, Any]) -> None:
    path = Path("recorded.json")
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    done = {control: value for control, value in known.items() if value is not False}
    path.write_text(json.dumps({**before, **done}, default=str), encoding="utf-8")


@st.dialog("Sure?")
def _ask() -> None:
    if st.button("Surely"):
        _write({"dialog": "yes"})
        st.rerun()


def show_controls() -> None:
    """Put all of them onto the page."""
    st.title("Controls")
    known: dict[str, Any] = {
        "textarea": st.text_area("Notes"),
        "toggle": st.toggle("Dark mode"),
        "steps": st.number_input("Amount", 0, 9, 3),
        "words": st.select_slider("Size", ["Small", "Medium", "Large"]),
        "range": st.slider("Span", 0, 100, (20, 60)),
        "date": st.date_input("Day", dt.date(2026, 3, 10)),
        "days": st.date_input("Stay", (dt.date(2026, 3, 10), dt.date(2026, 3, 12))),
        "time": st.time_input("Alarm", dt.time(8, 0)),
        "colour": st.color_picker("Paint", "#ff0000"),
        "segmented": st.segmented_control("View", ["Day", "Week"]),
        "pills": st.pills("Tags", ["Cat", "Dog"], selection_mode="multi"),
        "stars": st.feedback("stars"),
        "checkbox": st.checkbox("Agree"),
        "radio": st.radio("Pace", ["Slow", "Fast"]),
        "untag": st.multiselect("Visited", ["Lima", "Lille"], ["Lima", "Lille"]),
        "button": st.button("Save"),
        "download": st.download_button("Fetch", "text", "text.txt"),
    }
    files = st.file_uploader("Papers")
    known["file"] = files.name if files else None
    with st.popover("Options"):
        known["popover"] = st.checkbox("Loud")
    with st.form("trip"):
        town = st.text_input("Town")
        known["form"] = town if st.form_submit_button("Go") else False
    with st.expander("More"):
        known["expander"] = st.button("Inside")
    if st.button("Ask"):
        _ask()
    with st.sidebar:
        known["sidebar"] = st.button("Aside")
    known["chat"] = st.chat_input("Say something") or False
    st.write(f"{known['steps']} things, {known['words']}, {known['range']}, {known['time']}")
    _write(known)
