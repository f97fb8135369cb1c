"""Pages for what is known: the entity page, the list of entities, the explorer."""
