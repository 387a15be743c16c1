"""Agents as published, a file an author."""
