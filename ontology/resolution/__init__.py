"""Which entities may be one, and which one may be two. Values and rules here know no database but `reading.py`; people decide."""
