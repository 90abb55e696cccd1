"""The card's files for cloud-init and for rpi-image-gen: what they name is there, and they agree with the tool."""

import re
from pathlib import Path
from typing import Any

import pytest

from tools import card

yaml = pytest.importorskip("yaml")

LAYER = card.SOURCES / "rpi-image-gen/layer/shutbox-card.yaml"
CONFIG = card.SOURCES / "rpi-image-gen/config/shutbox.yaml"
# docs/layer/index.adoc and docs/config/index.adoc of raspberrypi/rpi-image-gen.
FIELDS = r"Layer-(Name|Category|Version|Desc|Requires)|VarPrefix|Var-[a-z]+(-(Desc|Required|Valid|Set))?"


def fields(layer: Path) -> dict[str, str]:
    """The header of a layer: fields of DEB822, each line a remark; a further line of a field begins with a blank."""
    [block] = re.findall(r"^# METABEGIN\n(.*?)^# METAEND$", layer.read_text(), re.MULTILINE | re.DOTALL)
    found: dict[str, str] = {}
    for line in block.replace("#\n", "").splitlines():
        if line.startswith("#  "):
            found[list(found)[-1]] += line[2:]
        else:
            name, _, value = line.removeprefix("# X-Env-").partition(":")
            found[name] = value.strip()
    return found


def test_cloud_init_is_told_to_run_what_the_tool_copies() -> None:
    words = (card.SOURCES / "user-data").read_text()
    assert words.startswith("#cloud-config\n")
    said: dict[str, Any] = yaml.safe_load(words)
    assert (said["hostname"], said["user"]) == ("shutbox", {"name": "owner", "lock_passwd": True})
    called = ["/usr/bin/python3", "-I", f"/boot/firmware/{card.FOLDER}/first_boot.py", "set-up"]
    assert said["runcmd"] == [called]
    assert f"exec {' '.join(called)}\n" in (card.SOURCES / "vendor-data").read_text()


def test_the_words_of_the_tool_are_yaml() -> None:
    call = card.parse(
        ["boot", "file", "--name", "parlour", "--user", "ann", "--password-hash", "$6$a: #b", "--wifi", "A: b"]
    )
    user = yaml.safe_load(card.user_data(call))
    assert (user["hostname"], user["user"]["name"], user["user"]["passwd"]) == ("parlour", "ann", "$6$a: #b")
    network = yaml.safe_load(card.network_config(call, "secret"))["network"]
    assert network["version"] == 2
    assert network["ethernets"]["eth0"]["dhcp4"] is True
    assert list(network["wifis"]["wlan0"]["access-points"]) == ["A: b"]
    assert yaml.safe_load(card.meta_data("a"))["instance-id"].startswith("shutbox-card-")


def test_the_layer_has_a_header_that_rpi_image_gen_knows() -> None:
    header = fields(LAYER)
    assert [name for name in header if not re.fullmatch(FIELDS, name)] == []
    assert header["Layer-Name"] == LAYER.stem
    assert re.fullmatch(r"\d+\.\d+\.\d+", header["Layer-Version"])
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in re.split(r",\s*", header["Layer-Requires"]))


def test_the_layer_uses_what_it_declares_and_installs_what_is_there() -> None:
    header, words = fields(LAYER), LAYER.read_text()
    declared = {f"IGconf_{header['VarPrefix']}_{name[4:]}" for name in header if re.fullmatch("Var-[a-z]+", name)}
    assert set(re.findall(r"IGconf_\w+", words)) == declared
    for name in re.findall(r"\$IGconf_shutbox_card/([\w.-]+)", words):
        assert (card.SOURCES / name).is_file()
    assert all(line in words for line in card.CONFIG)
    packages = yaml.safe_load(words)["mmdebstrap"]["packages"]
    assert packages == sorted(packages)


def test_the_image_is_built_with_the_layer() -> None:
    said = yaml.safe_load(CONFIG.read_text())
    assert list(said["layer"].values()) == [LAYER.stem]
