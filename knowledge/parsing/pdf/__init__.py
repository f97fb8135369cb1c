"""PDF: glyphs become lines, lines become columns, columns become blocks; a page at a time."""
