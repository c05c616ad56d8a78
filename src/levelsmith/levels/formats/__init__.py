"""The file formats: text, JSON, editors, pictures, arrays; nothing here knows any one game."""
