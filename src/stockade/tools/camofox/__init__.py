"""The tab API: the operations of camofox-browser, one tool for each, under its own names."""
