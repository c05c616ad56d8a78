"""From a request to levels: what was asked for, checked; the runs that make it; what is kept of them."""
