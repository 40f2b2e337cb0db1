"""A plugin for pytest, `-p tools.lean`: `make test` spares each process two seconds by it.

jsonschema, which reads every notebook, compiles the grammars of all kinds of internet
addresses when it is imported, if it finds what they are written for. No notebook asks for
them, and without it jsonschema does as it does where it isn't installed.
"""

import sys

if "jsonschema" not in sys.modules:
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  # so its import fails
