"""Entry point of ``python -m derivations``."""

import sys

from derivations.faces.command_line import main

if __name__ == "__main__":
    sys.exit(main())
