"""The proof kit: laws that every game obeys, and the positions to try them on."""
