"""The page as an agent sees it: the script inside each document, and its Python face."""
