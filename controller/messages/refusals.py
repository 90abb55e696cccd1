"""What a refusal or an error says on a page, and in other languages than English: a sentence for its code.

The English line may say more, such as which dice may be thrown: it quotes what no other language is given apart.
"""

from collections.abc import Callable

from controller.game.core.players import LONGEST_NAME

Gettext = Callable[[str], str]


def explain_code(code: str, gettext: Gettext) -> str:
    """The sentence of a code; that of its family, or a general one, where it has none."""
    _ = gettext
    known = {
        "C-101": _("The box cannot read how it is built, so it moves no tile."),
        "C-102": _("The servos' calibration cannot be used, so the box moves no tile."),
        "C-103": _("Not every servo of this box was calibrated, so it moves no tile."),
        "C-201": _("That was not understood."),
        "C-202": _("This game has no such option, or not with that value."),
        "C-203": _("These tiles do not fit the throw."),
        "C-301": _("That is not possible now."),
        "C-302": _("This box cannot show this game."),
        "C-303": _("The setting cannot have this value, and stays as it was."),
        "C-304": _("There is no box here."),
        "C-305": _("Another program has this box."),
        "C-308": _("The simulated box cannot be broken like that."),
        "C-309": _("These rules of your own cannot be played."),
        "C-310": _("These players cannot sit down together: names must be short, and all different."),
        "C-317": _("Something else has happened since. Look at the table, and choose again."),
        "C-318": _("Only another player can do that."),
        "C-319": _("This seat cannot be taken."),
        "C-320": _("The box does not know this device any more. Sit down again."),
        "C-321": _("These dice are already in play. Type what is there instead."),
        "C-322": _("This was not done, since its key was used for something else. Do it again."),
        "C-330": _("That cannot be done with this backup now. Nothing was changed."),
        "C-331": _("This file is no backup, or not all of it is as it was made. Nothing was changed."),
        "C-332": _("This backup was made by a later version: update the program of the box first."),
        "C-333": _("The backup does not fit this box in everything: say that you want it all the same."),
        "C-345": _("This box cannot do that."),
        "C-371": _("This PIN cannot be set: take six digits that nobody guesses."),
        "C-372": _("That is not the PIN of this box."),
        "C-373": _("That is not today's code: it changes every morning."),
        "C-374": _("Too many wrong ones were tried. Wait a while."),
        "C-375": _("No device can be paired now."),
        "C-376": _("This device is not known here."),
        "C-380": _("There is no such thing here."),
        "C-381": _("The box is busy. Ask again in a moment."),
        "C-361": _("There is no such page."),
        "C-369": _("The program of the box has failed; its log says why."),
        "J-104": _("This cannot be saved now, and what cannot be saved does not count."),
    }
    families = {
        "J": _("Something is wrong with the saved games."),
        "V": _("Something is wrong with the camera."),
        "H": _("Something is wrong with the box."),
    }
    return known.get(code) or families.get(code[:1]) or _("That cannot be done.")


def explain_name(name: str, why: str, gettext: Gettext) -> str:
    """The sentence that names a refused name of a player, and why it is refused (`controller.errors.WrongName`)."""
    _ = gettext
    reasons = {
        "empty": _("A player has no name yet: everybody at the table needs one."),
        "long": _("{name} is too long: a name has at most {most} letters."),
        "parts": _("{name} cannot be a name: it has a comma or a colon in it."),
        "formula": _("{name} cannot be a name: it begins with = + - or @."),
        "unseen": _("{name} cannot be a name: it has something in it that is not seen, such as joined emoji have."),
        "twice": _("There is another player called {name}: players need different names."),
    }
    return reasons[why].format(name=name, most=LONGEST_NAME)
