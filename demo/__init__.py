"""The demo: a small bilingual corpus of a company that does not exist, questions for the first page, and a golden set. `make_files` makes its binary files."""
