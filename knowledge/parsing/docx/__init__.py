"""DOCX: the body in order, with its styles, numbering, notes and pictures."""
