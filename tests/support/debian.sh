# What the lanes have in common that run on parts of Debian, to be sourced at the project's root by a script that has set
# `lane`, its name after `make`. Packages are fetched and unpacked; none is installed on this machine, no script of theirs runs.

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
python=$PWD/.venv/bin/python
PATH=$PATH:/usr/sbin

refuse() {
  echo "make $lane: $*" >&2
  exit 2
}

# need TOOL...: end unless this machine has Debian's tools and these.
need() {
  local tool
  for tool in apt-get dpkg-deb sha256sum "$@"; do
    command -v "$tool" >/dev/null || refuse "needs a Debian or Ubuntu machine: there is no $tool here"
  done
  [[ -r $keys ]] || refuse "needs Debian's keys in $keys: sudo apt install debian-archive-keyring"
}

# step WORDS COMMAND...: run it quietly; if it fails, end with these words and its first error. In the background, for
# only there the first error of a function ends it, when somebody asks how it went.
step() {
  "${@:2}" >>"$cache/log" 2>&1 &
  wait $! || refuse "$1: $(grep -m1 -E '^(E:|ERROR|Error)' "$cache/log" || tail -1 "$cache/log")"
}

# is_ready FILE...: whether `cache` was made by these files as they are; mark_ready says that it now is.
is_ready() {
  recipe=$(cat tests/support/debian.sh "$@" | sha256sum)
  [[ $(cat "$cache/ready" 2>/dev/null) == "$recipe" ]]
}

mark_ready() {
  echo "$recipe" >"$cache/ready"
}

# fetch_debs FOLDER ARCHITECTURE RELEASES PACKAGE...: these and all they need on an empty machine, as FOLDER/*.deb.
fetch_debs() {
  local folder=$1 architecture=$2 releases=$3 apt=$1/apt
  mkdir -p "$apt"/{lists,archives}/partial
  : >"$apt/status"
  # shellcheck disable=SC2086 # one line for each release
  printf "deb [arch=$architecture signed-by=$keys] $mirror %s main\n" $releases >"$apt/sources"
  cat >"$apt/conf" <<EOC
APT::Architecture "$architecture";
APT::Architectures "$architecture";
APT::Install-Recommends "false";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Etc::sourcelist "$apt/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
EOC
  APT_CONFIG=$apt/conf apt-get update -q
  APT_CONFIG=$apt/conf apt-get install -qy --download-only "${@:4}"
  mv "$apt"/archives/*.deb "$folder"
  rm -r "$apt"
}

# unpack_debs FOLDER TREE: what the packages hold, laid out as Debian has it.
unpack_debs() {
  local tree=$2 each
  mkdir -p "$tree"/usr/{bin,sbin,lib,lib64} "$tree"/{dev,proc,sys,tmp,run,root,etc,var}
  for each in bin sbin lib lib64; do ln -sfn "usr/$each" "$tree/$each"; done
  for each in "$1"/*.deb; do
    dpkg-deb --fsys-tarfile "$each" | tar -x --keep-directory-symlink -C "$tree"
  done
}
