#!/usr/bin/env bash
# Builds the Debian packages, lets lintian look at them, installs them into a new Debian 12 of their own, uses the programs there,
# and removes them again: nothing may be left. Needs root and Debian's archive; says so and passes over that part without.
# Usage: packages.sh BUILD_FOLDER, that of a release build.
set -euo pipefail
build=$1
packages="$build/packages"

rm -rf "$packages"
cpack --config "$build/CPackConfig.cmake" >"$build/packages.log" || { tail -n 40 "$build/packages.log"; exit 1; }
ls -l "$packages"/*.deb
lintian --no-cfg --allow-root --fail-on error,warning "$packages"/*.deb
echo "lintian: nothing to report"

skip() { echo "skipped: $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip "the packages are installed by root only"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
root=$(mktemp -d)
trap 'umount -q "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$build/debootstrap.log" 2>&1 ||
    skip "debootstrap cannot reach an archive: $(tail -n 1 "$build/debootstrap.log")"
grep -rl Acquire /etc/apt/apt.conf.d | xargs -r cp -t "$root/etc/apt/apt.conf.d/" # how this machine reaches the archive
mount -t proc proc "$root/proc" 2>/dev/null || true # the reader's sandbox looks at its descriptors there
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@"; }

mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages/"
inside apt-get -q -y update >"$build/apt.log" 2>&1
inside sh -c 'apt-get -q -y install --no-install-recommends /packages/*.deb xvfb man-db' >>"$build/apt.log" 2>&1 ||
    { tail -n 30 "$build/apt.log"; exit 1; }

fail() { echo "packages: $*"; exit 1; }
inside sh -ec 'cd /tmp
    tendon samples mannequin -o m.tendon
    tendon bake m.tendon -o m.glb
    tendon import m.glb -o n.tendon
    tendon render m.glb -o m.png --size 128x128
    tendon-editor --version'
plugins=$(inside tendon plugins list --without-plugins)
for solver in dls ceres two-bone; do grep -qw "$solver" <<<"$plugins" || fail "solver $solver is missing, or taken for foreign"; done
inside tendon validate /tmp/m.tendon || fail "the sample has problems"
inside tendon plugins check /usr/lib/tendon/plugins/tendon-two-bone.so --case reachable >/dev/null || fail "conformance does not run"
inside man -w tendon tendon-editor >/dev/null || fail "manual pages are not found"
type=$(inside sh -c 'grep -c "80:model/x-vrm:\*.vrm" /usr/share/mime/globs2')
[ "$type" = 1 ] || fail "MIME types are not registered"

inside sh -c 'apt-get -q -y purge tendon tendon-editor tendon-sdk-dev tendon-solver-ceres' >>"$build/apt.log" 2>&1
left=$(find "$root/usr" "$root/etc" "$root/var/lib/dpkg/info" -iname '*tendon*' | sort)
[ -z "$left" ] || fail "left behind: $left"
echo "packages: built, installed, used and removed"
