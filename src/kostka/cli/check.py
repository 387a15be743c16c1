"""The proof kit."""
