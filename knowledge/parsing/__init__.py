"""`parse`: a file becomes canonical Markdown text with blocks. `read.py` is the way in; one file (or folder) per format, its version in `PARSERS`."""
