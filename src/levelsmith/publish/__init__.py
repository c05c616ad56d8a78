"""Pages that need no server: packs of levels that people play, in one file."""
