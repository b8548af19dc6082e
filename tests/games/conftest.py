"""The tests of the rules see the outside game as an import; tests/conftest.py installs it as a package."""

import sys
from pathlib import Path

OUTSIDE = Path(__file__).parent / "outside" / "src"

if str(OUTSIDE) not in sys.path:
    sys.path.insert(0, str(OUTSIDE))
