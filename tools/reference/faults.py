"""The pages of the codes of faults and refusals: what each means, how it shows, what to do, how players are told."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import getdoc

import controller.odds.work
import controller.web.client
from controller import errors
from controller.box.faults import fault_kinds
from controller.errors import FINDINGS, JournalError, ShutboxError
from controller.game.core.message import compose
from controller.messages.refusals import explain_code
from controller.messages.words import ENGLISH
from controller.rules.errors import RulesError
from controller.web.refusals import REQUEST_CODES, status_of
from firmware.errors import BusFault, MotionFault
from hardware.errors import BoxError, BoxFault, Fault
from hardware.tiles import Position
from tools.reference.markdown import Row, code, heading, link, paragraphs, prose, table, text, toctree
from tools.reference.raised import UNKNOWN, Finding, findings
from vision.errors import CameraFault, VisionError

# Their errors are found as subclasses, once they are loaded.
LOADED = (controller.odds.work, controller.web.client)
ROOMS = ("hardware", "firmware", "vision", "controller")
_FOLDER = "faults"
_FIELDS = re.compile(r"[a-z_]+(, [a-z_]+)*: ")
_TREES: tuple[type[Exception], ...] = (BoxFault, BoxError, VisionError, RulesError, ShutboxError)
# The areas by the beginning of their codes, each with the class whose docstring says what it is about.
_AREAS: Mapping[str, type[Exception]] = {
    "H-0": BoxFault,
    "H-2": BusFault,
    "H-3": MotionFault,
    "V-1": CameraFault,
    "C-1": BoxError,
    "C-2": RulesError,
    "C-3": ShutboxError,
    "J-1": JournalError,
}


@dataclass(frozen=True, slots=True)
class Code:
    """One code: what it means, what to do (empty for a refusal, whose line says it), how it shows, how it is told.

    status: that of the answer of the API which refuses something with this code; None for a code of something else.
    """

    code: str
    meaning: str
    remedy: str
    found: Sequence[Finding]
    told: str
    status: int | None = None


def fault_pages() -> dict[str, str]:
    """Return a page for each code, and one that lists them by area."""
    codes = all_codes()
    pages = {f"{_FOLDER}/{each.code}.md": _page_of(each) for each in codes}
    return {f"{_FOLDER}/index.md": _overview(codes), **pages}


def all_codes() -> list[Code]:
    """Return every code of the program by area. Raises `ValueError` if two errors have one code, or a fault no cure."""
    named = {value: name for name, value in vars(errors).items() if isinstance(value, str)}
    found = [_code_of(error) for error in error_classes() if "code" in vars(error)]
    for each, meaning in FINDINGS.items():
        said = tell_fault(each)
        told = "" if said == tell_fault("") else said
        seen = findings().get(named[each], ())
        found.append(Code(each, meaning, _only_cure(seen), seen, told))
    for each, meaning in REQUEST_CODES.items():
        found.append(Code(each, meaning, "", (), explain_code(each, ENGLISH.gettext)))
    codes = [each.code for each in found]
    if twice := {each for each in codes if codes.count(each) > 1}:
        raise ValueError(f"two errors have one code: {', '.join(sorted(twice))}")
    return sorted(found, key=lambda each: (list(_AREAS).index(each.code[:3]), each.code))


def error_classes() -> list[type[Exception]]:
    """Return every class of errors of the product, none twice."""
    found = list(_TREES)
    for error in found:
        below = (each for each in error.__subclasses__() if each.__module__.partition(".")[0] in ROOMS)
        found += (each for each in below if each not in found)
    return found


def _code_of(error: type[Exception]) -> Code:
    own: str = vars(error)["code"]
    # A fault may be put together of its code, where its class has been asked for no part of it.
    found = (*findings().get(error.__name__, ()), *findings().get(own, ()))
    status = status_of(error) if issubclass(error, RulesError | ShutboxError) else None
    if not issubclass(error, BoxFault | BoxError):
        cure = vars(error).get("cure", "")
        return Code(own, _meaning_of(error), cure, found, explain_code(own, ENGLISH.gettext), status)
    remedy = vars(error).get("cure") or next((each.cure for each in found if each.cure), "")
    if not remedy and issubclass(error, BoxError):
        remedy = error.cure
    if not remedy:
        raise ValueError(f"{error.__name__} ({own}) says no cure of its own: somebody at the box needs one")
    return Code(own, _meaning_of(error), remedy, found, tell_fault(own), status)


def _meaning_of(error: type[Exception]) -> str:
    """Return the docstring of an error without the paragraphs that explain its fields."""
    return "\n\n".join(each for each in (getdoc(error) or "").split("\n\n") if not _FIELDS.match(each))


def _only_cure(found: Sequence[Finding]) -> str:
    """Return the cure of a finding that is cured in one way; empty if there are several, or none is known."""
    cures = {each.cure for each in found}
    return cures.pop() if len(cures) == 1 else ""


def tell_fault(own: str) -> str:
    """Return what players are told of a fault with this code, of a tile where it is one."""
    fault = Fault(own, "{part}", "", "", "")
    if fault.kind == "motion":
        fault = Fault(own, "front-7", Position.SHUT, Position.OPEN, "")
    parts = {name: str(getattr(fault, name)) for name in ("code", "part", "expected", "seen", "cure")}
    return ENGLISH.say(compose("fault", **parts))


def injected(own: str) -> Iterator[tuple[str, str]]:
    """Yield the faults of the simulated box that show as this code, as they are typed, with their descriptions."""
    for kind in fault_kinds():
        codes, parts = kind.code.split("|"), kind.part.split("|")
        one_for_each = len(codes) == len(parts)
        for shown, part in zip(codes, parts, strict=True) if one_for_each else ((each, kind.part) for each in codes):
            if shown == own:
                yield f"{kind.name}:{part}", kind.description


def _overview(codes: Sequence[Code]) -> str:
    areas = (
        paragraphs(
            heading(f"{area}xx", 2),
            prose(_meaning_of(about)),
            table(("code", "meaning", "what to do"), (_row(each) for each in codes if each.code.startswith(area))),
        )
        for area, about in _AREAS.items()
    )
    return paragraphs(
        heading("Codes of faults and refusals"), toctree((each.code for each in codes), hidden=True), *areas
    )


def _row(each: Code) -> Row:
    return link(code(each.code), f"{each.code}.md"), text(each.meaning.partition("\n\n")[0]), text(each.remedy)


def _page_of(each: Code) -> str:
    known = [(_known(one.expected), _known(one.seen), one.cure) for one in each.found]
    # What only the box can tell leaves its cell empty, and a cure without a row: it stands with the others.
    cures = dict.fromkeys((each.remedy, *(cure for expected, seen, cure in known if not expected and not seen)))
    rows = ((text(expected), text(seen), text(cure)) for expected, seen, cure in known if expected or seen)
    broken = ((code(typed), text(description)) for typed, description in injected(each.code))
    return paragraphs(
        heading(each.code),
        prose(each.meaning),
        _part("What to do", paragraphs(*map(text, cures))),
        _part("What is expected and seen", table(("expected", "seen", "what to do then"), rows)),
        _part("How players are told", text(each.told)),
        ""
        if each.status is None
        else f"Where the API refuses with this code, it answers {link(f'status {each.status}', '#api-refusals')}.",
        _part("On the simulated box", table(("`--faults`", "what it does"), broken)),
    )


def _known(words: str) -> str:
    """Return what the code says of an observation; nothing if all but a few letters is known at the box alone."""
    return "" if len(words.replace(UNKNOWN, "")) <= len(" or later") else words


def _part(title: str, body: str) -> str:
    return paragraphs(heading(title, 2), body) if body else ""
