"""The licences of everything that a release holds: a list, and the texts that the packages bring."""

from collections.abc import Iterable

from tools.release.wheel import Wheel

_LINE = "=" * 80


def list_licences(wheels: Iterable[Wheel]) -> str:
    """Return the list of all packages with their licences, and each licence text once, below whom it is of."""
    known = {(each.name.lower(), each.version): each for each in wheels}
    each_once = [known[key] for key in sorted(known)]
    width = max(len(f"{each.name} {each.version}") for each in each_once)
    lines = [f"{f'{each.name} {each.version}':{width}}  {each.licence}" for each in each_once]
    owners: dict[str, list[str]] = {}
    for each in each_once:
        for name, text in each.texts.items():
            owners.setdefault(text, []).append(f"{each.name} {each.version}: {name}")
    texts = ["\n".join((_LINE, *of, _LINE, "", text.rstrip(), "")) for text, of in owners.items()]
    return "\n".join(("Packages and their licences", "", *lines, "", *texts))
