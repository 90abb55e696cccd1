"""The command line: one file a subcommand, none loaded before it is called. Nobody imports it."""

__all__: list[str] = []
