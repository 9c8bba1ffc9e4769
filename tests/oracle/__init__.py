"""The differential test's other side: what Playwright says about the same documents.

`documents.json` names real documents of Debian packages, `pages/` holds documents of our own
and pages of real applications that `capture.py` took, and
`interactive.json` says which roles are compared. `python -m tests.oracle` asks Playwright and
writes its answers under `goldens/`; tests read those and need no Playwright.
"""
