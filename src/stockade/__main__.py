"""`python -m stockade` is the command line."""

from stockade.cli import main

if __name__ == "__main__":
    main()
