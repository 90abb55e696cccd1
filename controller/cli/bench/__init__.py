"""`shutbox bench ...`: the subcommands that start campaigns."""
