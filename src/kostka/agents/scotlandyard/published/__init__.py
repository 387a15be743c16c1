"""Agents as published, a file an author; ``lean`` and ``team`` are what two of them share."""
