"""Store every event of every game durably before it takes effect, read games back, and derive the records."""
