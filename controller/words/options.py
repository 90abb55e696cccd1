"""The options of the games in words: what each is about, and what its values mean."""

from controller.rules import Value
from controller.words.translator import Translator


def option_label(words: Translator, name: str) -> str:
    """The label of an option, as it stands before its value; its key for one that has none."""
    _ = words.gettext
    labels = {
        "tiles": _("Tiles in the row"),
        "columns": _("Tiles in a row"),
        "rows": _("Rows, one behind the other"),
        "dice": _("Dice"),
        "domino_set": _("Dominoes"),
        "domino_match": _("A throw turns"),
        "reveal": _("A tile that comes to light counts"),
        "score": _("What is left counts"),
        "one_die": _("One die may be thrown"),
        "one_die_limit": _("Little is left: this much or less"),
        "one_die_total": _("For one die we look at"),
        "one_die_forced": _("Where one die is allowed"),
        "many_dice": _("Of more than two dice one may throw"),
        "max_tiles": _("Tiles that one throw may shut"),
        "carry_board": _("The next player begins with"),
        "on_seven": _("A 7 with two dice"),
        "lost": _("A first throw that does not fit loses"),
        "race": _("We throw"),
        "alternate": _("Boards"),
        "shut": _("When the box is shut"),
        "ties": _("When the lowest are equal"),
        "first": _("Who begins"),
        "first_dice": _("Dice thrown for who begins"),
        "stake": _("Stake of each player, in coins"),
        "double_stake": _("For a shut box the others pay"),
        "odd_coin": _("A coin that does not divide goes to"),
        "match": _("How long we play"),
        "match_limit": _("The match ends at"),
        "rounds": _("Rounds"),
        "match_end": _("The total is looked at"),
        "match_shut": _("A shut box in a match"),
        "match_tie": _("When a match ends equal"),
        "all_drop": _("When all drop out together"),
        "undo": _("A choice may be taken back"),
        "undo_limit": _("How often each may take one back"),
        "hints": _("Odds and best moves"),
    }
    return labels.get(name, name)


def option_value(words: Translator, name: str, value: Value) -> str:
    """A value of an option, as it stands after its label; numbers as they are."""
    _ = words.gettext
    meanings: dict[tuple[str, Value], str] = {
        ("domino_set", 15): _("15, no doubles"),
        ("domino_set", 21): _("21, with doubles"),
        ("domino_set", 28): _("28, with doubles and blanks"),
        ("domino_match", "pair"): _("the domino with its two numbers"),
        ("domino_match", "one_total"): _("one domino with its total"),
        ("domino_match", "any_total"): _("any dominoes with its total"),
        ("reveal", "next_throw"): _("from the next throw"),
        ("reveal", "same_throw"): _("at once"),
        ("score", "showing"): _("every number that shows"),
        ("score", "standing"): _("every number that stands, hidden ones too"),
        ("score", "double_front"): _("every number that stands, in front twice"),
        ("score", "count"): _("one for each tile that shows"),
        ("score", "digits"): _("as one number, read from the left"),
        ("one_die", "never"): _("never"),
        ("one_die", "only1"): _("when only the 1 is up"),
        ("one_die", "high_covered"): _("when 7 and higher are shut"),
        ("one_die", "at_most"): _("when little is left"),
        ("one_die_total", "standing"): _("every tile that stands"),
        ("one_die_total", "showing"): _("tiles that show"),
        ("one_die_forced", False): _("one may throw it"),
        ("one_die_forced", True): _("one has to throw it"),
        ("many_dice", "one_or_all"): _("one or all"),
        ("many_dice", "any"): _("any number"),
        ("max_tiles", 0): _("any number"),
        ("carry_board", False): _("all tiles up"),
        ("carry_board", True): _("the tiles as they are"),
        ("on_seven", "turn"): _("ends the turn"),
        ("on_seven", "round"): _("ends the round for all"),
        ("on_seven", "played"): _("is played, and ends the turn"),
        ("lost", "round"): _("the round"),
        ("lost", "turn"): _("the turn"),
        ("lost", "game"): _("the game"),
        ("race", "rotation"): _("one throw each in turn"),
        ("race", "turn"): _("whole turns"),
        ("alternate", False): _("a fresh one for each player"),
        ("alternate", True): _("one for all, one throw each"),
        ("shut", "immediate"): _("the round is over"),
        ("shut", "play_on"): _("the others still play"),
        ("ties", "split"): _("they share the win"),
        ("ties", "play_off"): _("they play it off"),
        ("ties", "carry_over"): _("the pool stays for the next round"),
        ("ties", "earlier_wins"): _("who was first wins"),
        ("first", "lowest"): _("who throws the lowest"),
        ("first", "highest"): _("who throws the highest"),
        ("first", "chosen"): _("the first in the list"),
        ("first", "rotate"): _("each in turn"),
        ("first", "winner"): _("the last winner"),
        ("stake", 0): _("none"),
        ("double_stake", "none"): _("nothing more"),
        ("double_stake", "extra"): _("one stake more"),
        ("double_stake", "on_top"): _("two stakes more"),
        ("odd_coin", "earliest_seat"): _("the first of them in the list"),
        ("odd_coin", "latest_seat"): _("the last of them in the list"),
        ("match", "single"): _("one round"),
        ("match", "tournament"): _("until somebody reaches a total"),
        ("match", "drop-out"): _("until one is left"),
        ("match", "points"): _("a number of rounds"),
        ("match_limit", 0): _("the usual total"),
        ("match_end", "after_round"): _("after each round"),
        ("match_end", "at_once"): _("after each turn"),
        ("match_shut", "zero"): _("adds nothing"),
        ("match_shut", "wins_match"): _("wins the match"),
        ("match_tie", "extra_round"): _("one more round is played"),
        ("match_tie", "share"): _("they share the win"),
        ("all_drop", "lowest"): _("the lowest total wins"),
        ("all_drop", "replay"): _("the round is played again"),
        ("undo", "chooser"): _("by whoever made it"),
        ("undo", "anybody"): _("by anybody"),
        ("undo", "nobody"): _("by nobody"),
        ("undo_limit", 0): _("as often as they like"),
        ("hints", "single"): _("on request, but not in a match"),
        ("hints", "always"): _("on request"),
        ("hints", "never"): _("nobody may ask"),
    }
    return meanings.get((name, value), str(value))


def strength_name(words: Translator, strength: str) -> str:
    """How well the house plays, in a word; its key for one that has none."""
    _ = words.gettext
    names = {
        "careless": _("careless"),
        "casual": _("casual"),
        "steady": _("steady"),
        "skilled": _("skilled"),
        "perfect": _("perfect"),
    }
    return names.get(strength, strength)
