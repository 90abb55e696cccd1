"""The command line: one file per noun; no subcommand is loaded before it is called."""
