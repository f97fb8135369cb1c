"""What we know from it: skeleton, entities, relations and their evidence. The package is a place kept free in the line; it joins the way in through knowledge.ports.Step."""
