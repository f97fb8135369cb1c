"""Drafts of classes and attributes from what documents hold: table headers, keys of lines, frequent names. Pure; a person accepts each."""
