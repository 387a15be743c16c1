"""Agents that know Scotland Yard."""
