"""What a page that looks for automation finds."""

from __future__ import annotations

from typing import Any

from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions, World
from stockade.page.stealth import stealth_script
from tests.support.site import Site

QUIET = ContextOptions(stealth=True, init_scripts=(stealth_script(),))

LOOK = """() => {
  const look = (w) => {
    const described = (owner, name) => {
      const found = w.Object.getOwnPropertyDescriptor(owner, name);
      return found && { ...found, get: String(found.get), value: typeof found.value };
    };
    const thrown = (call) => { try { return call(); } catch (error) { return error.name; } };
    const { navigator } = w;
    return {
      webdriver: navigator.webdriver,
      own: w.Object.getOwnPropertyNames(navigator),
      described: Object.fromEntries(['webdriver', 'plugins', 'mimeTypes', 'languages', 'pdfViewerEnabled']
        .map((name) => [name, described(w.Navigator.prototype, name)])),
      plugins: [...navigator.plugins].map((each) => [each.name, each.filename, each.length, each[0].type]),
      keys: w.Object.getOwnPropertyNames(navigator.plugins),
      first: described(navigator.plugins, '0'),
      named: described(navigator.plugins, 'PDF Viewer'),
      kinds: [navigator.plugins instanceof w.PluginArray, navigator.plugins[0] instanceof w.Plugin,
        String(navigator.plugins), String(navigator.mimeTypes), String(navigator.plugins[0])],
      items: [navigator.plugins.item(1).name, navigator.plugins.namedItem('PDF Viewer').name,
        navigator.plugins.item(9), navigator.plugins.namedItem('x')],
      types: [...navigator.mimeTypes].map((each) => [each.type, each.enabledPlugin === navigator.plugins[0]]),
      pdf: navigator.pdfViewerEnabled,
      languages: [...navigator.languages],
      frozen: w.Object.isFrozen(navigator.languages),
      chrome: described(w, 'chrome'),
      inChrome: w.Object.keys(w.chrome),
      runtime: typeof w.chrome.runtime,
      os: w.chrome.runtime && w.chrome.runtime.PlatformOs.LINUX,
      native: [w.Function.prototype.toString.toString(), w.Function.prototype.toString.name,
        String(w.chrome.loadTimes), w.chrome.loadTimes.name,
        String(w.Object.getOwnPropertyDescriptor(w.PluginArray.prototype, 'length').get)],
      illegal: [thrown(() => w.Object.getOwnPropertyDescriptor(w.Navigator.prototype, 'plugins').get.call({})),
        thrown(() => w.Object.getOwnPropertyDescriptor(w.PluginArray.prototype, 'length').get.call({}))],
      same: navigator.plugins === navigator.plugins,
    };
  };
  const fresh = document.body.appendChild(document.createElement('iframe'));
  return [look(globalThis), look(fresh.contentWindow), globalThis.early];
}"""
PAGE = """<script>early = [navigator.webdriver, navigator.plugins.length, typeof chrome.runtime]</script>
<iframe srcdoc="<script>parent.inner = [navigator.webdriver, navigator.plugins.length,
  typeof chrome.runtime]</script>"></iframe>"""


async def seen(browser: Browser, options: ContextOptions, site: Site) -> Any:
    site.page("/looks", PAGE)
    context = await browser.new_context(options)
    page: Page = await context.new_page()
    await page.navigate(site.url("/looks"), until="load")
    found = await page.main_frame.call(LOOK, world=World.MAIN)
    inner = await page.main_frame.call("() => globalThis.inner", world=World.MAIN)
    await context.close()
    return [*found, inner]


async def test_both_binaries_look_like_one_with_a_window(
    either_browser: Browser, full_browser: Browser, site: Site
) -> None:
    top, frame, *early = await seen(either_browser, QUIET, site)
    assert early == [[False, 5, "object"]] * 2
    assert top == frame
    assert top["webdriver"] is False
    assert top["own"] == []
    for name, described in top["described"].items():
        assert described["get"] == f"function get {name}() {{ [native code] }}"
        assert (described["enumerable"], described["configurable"]) == (True, True)
    assert top["native"][:2] == ["function toString() { [native code] }", "toString"]
    assert top["languages"] == ["en-US", "en"]
    assert (top["runtime"], top["os"]) == ("object", "linux")
    assert top["illegal"] == ["TypeError", "TypeError"]
    # Full Chromium has all but one of it by itself: so what is made up is what is really there.
    assert top == (await seen(full_browser, QUIET, site))[0]


async def test_without_it_nothing_is_changed(either_browser: Browser, site: Site) -> None:
    site.page("/plain", "<p>x")
    context = await either_browser.new_context(ContextOptions())
    page = await context.new_page()
    await page.navigate(site.url("/plain"))
    found = await page.main_frame.call(
        "() => [navigator.webdriver, typeof (globalThis.chrome || {}).runtime,"
        " navigator.plugins.length, Object.getOwnPropertyNames(navigator).length]",
        world=World.MAIN,
    )
    await context.close()
    assert found[:2] == [True, "undefined"]
    assert found[2] in {0, 5}
    assert found[3] == 0
