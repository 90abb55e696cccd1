"""A bill of materials: every package in an update file with its hash, in the form of CycloneDX 1.6 (ECMA-424)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.utils import canonicalize_name

from controller.service.update_file import Manifest
from tools.release.wheel import NO_NAME, Wheel

_VERSION = SchemaVersion.V1_6


def make_bill(manifest: Manifest, wheels: Sequence[Wheel], made: datetime) -> str:
    """Return the bill of an update file as JSON, the same for the same file. Raises `ValueError` if it is not valid.

    made: when the release was, with its zone.
    """
    parts = {each.name: _component(each, manifest.wheels[each.file]) for each in wheels}
    program = parts.pop(manifest.name)
    program.type = ComponentType.APPLICATION
    bill = Bom(components=parts.values(), serial_number=uuid5(NAMESPACE_URL, manifest.model_dump_json()))
    bill.metadata.component, bill.metadata.timestamp = program, made
    bill.register_dependency(program, parts.values())
    written: str = make_outputter(bill, OutputFormat.JSON, _VERSION).output_as_string(indent=1)
    if wrong := JsonStrictValidator(_VERSION).validate_str(written):
        raise ValueError(f"the bill of {manifest.name} is not valid: {wrong}")
    return written + "\n"


def _component(wheel: Wheel, sha256: str) -> Component:
    name = canonicalize_name(wheel.name)
    return Component(
        name=wheel.name,
        version=wheel.version,
        type=ComponentType.LIBRARY,
        bom_ref=f"{name}@{wheel.version}",
        purl=PackageURL("pypi", None, name, wheel.version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256)],
        licenses=[LicenseFactory().make_from_string(wheel.licence)] if wheel.licence not in NO_NAME else (),
    )
