"""Agents that others have published."""
