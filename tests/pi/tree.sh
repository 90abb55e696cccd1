# To be sourced by tests/pi/run: what is fetched for make test-pi, and how it is laid out.

fetch() {
  fetch_debs "$cache/debs/host" "$(dpkg --print-architecture)" trixie qemu-user qemu-system-arm device-tree-compiler
  fetch_debs "$cache/debs/tree" arm64 trixie base-files base-passwd bash ca-certificates coreutils dash libstdc++6 grep mount passwd \
    kmod procps systemd systemd-sysv udev python3-venv busybox-static openssh-client
  # Debian 13's own kernel has no gpio-sim; its cloud kernel has none of a Pi's drivers.
  fetch_debs "$cache/debs/cloud" arm64 "trixie trixie-backports" linux-image-cloud-arm64/trixie-backports
  fetch_debs "$cache/debs/board" arm64 trixie linux-image-arm64
  "$python" -m tools.wheels requirements.txt "$cache/wheels" --python $version --machine aarch64
  "$python" -m tools.wheels systemd/requirements.txt "$cache/wheels" --python $version --machine aarch64
}

unpack() {
  local each
  unpack_debs "$cache/debs/host" "$cache/host"
  unpack_debs "$cache/debs/tree" "$tree"
  for each in cloud board; do
    mkdir "$cache/$each"
    for deb in "$cache/debs/$each"/linux-*.deb; do dpkg-deb -x "$deb" "$cache/$each"; done
  done
  # What the packages would do once they are installed.
  ln -sf dash "$tree/usr/bin/sh"
  cp "$tree/usr/share/base-passwd/passwd.master" "$tree/etc/passwd"
  cp "$tree/usr/share/base-passwd/group.master" "$tree/etc/group"
  cat "$tree"/usr/share/ca-certificates/mozilla/*.crt >"$tree/etc/ssl/certs/ca-certificates.crt"
  : >"$tree/etc/machine-id"
  mkdir -p "$tree"/{shutbox,opt/site}
  for each in "$cache"/wheels/*.whl; do "$python" -m zipfile -e "$each" "$tree/opt/site"; done
}
