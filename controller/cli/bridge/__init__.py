"""The bridge: what happens at the table, told to an MQTT broker and to webhooks. docs/reference/events.md lists it."""
