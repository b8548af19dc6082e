"""Says what it wants, and then writes to stdout without end."""

import os

os.write(1, b'{"want": {}}\n')
while True:
    os.write(1, b"x" * 2**16)
