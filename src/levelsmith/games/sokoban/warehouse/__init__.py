"""The maker `warehouse`: rooms as people build them, with their goals together."""
