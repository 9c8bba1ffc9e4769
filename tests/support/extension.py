"""A little extension, as people make them: a content script, a button, a command, a worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MANIFEST: dict[str, Any] = {
    "manifest_version": 3,
    "name": "Tint",
    "version": "1.0",
    "description": "Gives pages a tint.",
    "permissions": ["scripting", "storage", "tabs"],
    "host_permissions": ["<all_urls>"],
    "background": {"service_worker": "worker.js"},
    "action": {"default_title": "Tint"},
    "commands": {"paint": {"suggested_key": {"default": "Ctrl+Shift+Y"}, "description": "Paint"}},
    "content_scripts": [
        {"matches": ["<all_urls>"], "js": ["content.js"], "run_at": "document_start"}
    ],
}
_CONTENT = "document.documentElement.dataset.tint = 'on';\n"
_WORKER = """
const title = async (tab, text) => chrome.scripting.executeScript({
  target: { tabId: tab.id }, func: (text) => { document.title = text; }, args: [text],
});
const asked = async (url) => fetch(url).then((answer) => answer.status, () => 'refused');
chrome.action.onClicked.addListener(async (tab) => {
  const { href, searchParams } = new URL(tab.url);
  const wanted = [new URL('/near', href), searchParams.get('far')];
  const [near, far] = await Promise.all(wanted.map((each) => each && asked(each)));
  await title(tab, `pressed ${near} ${far}`);
});
chrome.commands.onCommand.addListener((command, tab) => title(tab, `command ${command}`));
"""


def write_extension(folder: Path, **changes: Any) -> Path:
    """Put it into a directory, its manifest changed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(MANIFEST | changes), encoding="utf-8")
    (folder / "content.js").write_text(_CONTENT, encoding="utf-8")
    (folder / "worker.js").write_text(_WORKER, encoding="utf-8")
    return folder
