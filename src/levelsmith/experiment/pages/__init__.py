"""The pages of a report: one file for each paper, and general ones for any experiment."""
