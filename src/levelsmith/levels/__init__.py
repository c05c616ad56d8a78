"""A level as text, JSON, VGLC, Tiled, LDtk, batch or picture; nothing here knows any one game."""
