"""A level that a person has is changed: improved, repaired, or its free cells filled."""
