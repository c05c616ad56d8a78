"""The compiled part of the search for a plan against guards."""
