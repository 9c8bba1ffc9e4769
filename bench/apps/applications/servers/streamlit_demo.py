"""A page with the controls of Streamlit, run anew by it after every change."""

import datetime as dt
import json
from pathlib import Path

import streamlit as st
from streamlit_controls import show_controls

if "controls" in st.query_params:
    show_controls()
    st.stop()
st.title("Trip planner")
name = st.text_input("Name")
town = st.selectbox("Town", ["Lisbon", "Lima", "Lille"])
interests = st.multiselect("Interests", ["Food", "Art", "Music"])
days = st.slider("Days", 1, 14, 3)
pace = st.radio("Pace", ["Slow", "Fast"])
guide = st.checkbox("With a guide")
people = st.number_input("People", 1, 9, 2)
start = st.date_input("Start", dt.date(2026, 3, 10))
notes = st.text_area("Notes")
first, second = st.tabs(["Plan", "Costs"])
first.write(
    f"{name or 'Nobody'} spends {days} days in {town}, {pace.lower()}, {'guided' if guide else 'alone'}, "
    f"for {', '.join(interests) or 'nothing'}, {people} people, from {start}, {notes or 'no notes'}"
)
second.write(f"It costs {days * people * 50} euros")
if st.button("Book"):
    booked = [name, town, interests, days, pace, guide, people, str(start), notes]
    Path("booked.json").write_text(json.dumps(booked), encoding="utf-8")
    st.success(f"Booked {town} for {name}")
with st.expander("Details"):
    st.write("Breakfast is included.")
st.dataframe({"Town": ["Lisbon", "Lima", "Lille"], "Price": [50, 70, 40]})
