"""`python -m levelsmith` is the command `levelsmith`."""

from levelsmith.cli import main

if __name__ == "__main__":  # worker processes import this file again
    main()
