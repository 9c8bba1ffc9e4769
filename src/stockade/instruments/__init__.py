"""Instruments: what is measured in a page, and what is made repeatable."""
