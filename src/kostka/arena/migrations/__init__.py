"""How the schema of the store has changed, one file a change."""
