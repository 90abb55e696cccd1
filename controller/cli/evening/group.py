"""`shutbox evening ...`: many matches, on one or several boxes. What a subcommand needs is loaded when it is called."""

from controller.cli.lazy import Subcommand, make_group

SUBCOMMANDS = {
    "open": Subcommand(
        "evening.evening:open_new",
        "Begin an evening: who plays, which game, and in which form.",
        "evening open autumn --players Ann,Bea,Carl,Dora --form swiss --rounds 3 --game pub",
        more="The best seeded come first. House:perfect is played by the house.",
    ),
    "run": Subcommand(
        "evening.evening:run",
        "Call the matches to the boxes until the evening is over.",
        "evening run --help",
        more="It can be stopped and started again at any moment.",
    ),
    "show": Subcommand("evening.evening:show", "Show who plays next, the rounds and the table.", "evening show --help"),
    "result": Subcommand(
        "evening.evening:result",
        "Say how a match ended, or correct it.",
        "evening result --help",
        more="Say the winner's name, or tie.",
    ),
    "withdraw": Subcommand(
        "evening.evening:go_home",
        "Let a player go home; whom they had still to meet wins.",
        "evening withdraw --help",
    ),
    "export": Subcommand(
        "evening.evening:export",
        "Print the results as CSV, or every game as text.",
        "evening export --help",
    ),
    "ladder": Subcommand(
        "evening.evening:ladder", "Show everybody's rating over all evenings (Glicko-2).", "evening ladder"
    ),
}


def evening() -> None:
    pass


group = make_group(SUBCOMMANDS, evening)
