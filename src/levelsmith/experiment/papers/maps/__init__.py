"""Bhaumik, Khalifa, Green and Togelius on binary maps (FDG 2020 and arXiv 2019)."""
