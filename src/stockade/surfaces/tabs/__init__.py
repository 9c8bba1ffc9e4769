"""The tab API: the routes of camofox-browser, translated into calls."""
