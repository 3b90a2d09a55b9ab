# Shared by ./app/run, ./tests/run and .ci/run: installs missing packages and runs long commands quietly.
# Source it from bash with `root` set to the repository's folder.

set -euo pipefail
export LC_ALL=C.UTF-8
export DEBIAN_FRONTEND=noninteractive

logs="$root/build/logs"
cores=$(nproc)

# fail TEXT: prints one line and exits.
fail()
{
    printf 'tendon: %s\n' "$*" >&2
    exit 1
}

# step TITLE COMMAND...: runs a command with its output in a log, and shows its progress (on a terminal in one line, otherwise
# a line now and then) and its time. If the command fails, prints the end of the log and exits.
step()
{
    local title=$1
    shift
    mkdir -p "$logs"
    local log
    log="$logs/$(printf '%s' "$title" | tr -cs 'A-Za-z0-9' '-').log"
    local start=$SECONDS shown=$SECONDS every=20 mark=''
    [ -t 1 ] && every=1
    [ -t 1 ] || printf '%s ...\n' "$title"
    "$@" >"$log" 2>&1 </dev/null &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
        [ $((SECONDS - shown)) -ge "$every" ] || continue
        shown=$SECONDS
        # Ninja and ctest print their progress: [12/345], 12/345 Test.
        mark=$(tail -c 2000 "$log" | tr '\r' '\n' | grep -oE '^ *\[?[0-9]+/[0-9]+' | tail -n 1 | tr -d ' []') || mark=''
        if [ -t 1 ]; then
            printf '\r\033[K%s ... %s %d s' "$title" "$mark" $((SECONDS - start))
        else
            printf '%s ... %s %d s\n' "$title" "$mark" $((SECONDS - start))
        fi
    done
    local code=0
    wait "$pid" || code=$?
    [ -t 1 ] && printf '\r\033[K'
    if [ "$code" != 0 ]; then
        printf '%s: failed after %d s; the end of %s:\n' "$title" $((SECONDS - start)) "$log"
        tail -n 60 "$log"
        exit 1
    fi
    printf '%s: %d s\n' "$title" $((SECONDS - start))
}

# The groups of app/packages.txt to install, besides `test`. TENDON_CERES=OFF leaves out the Ceres plugin.
groups='build ceres'
[ "${TENDON_CERES:-AUTO}" != OFF ] || groups=build

# packages GROUP...: prints the packages of these groups in app/packages.txt.
packages()
{
    local group
    for group in "$@"; do
        awk -v group="$group" '$1 == group { print $2 }' "$root/app/packages.txt"
    done
}

missing_packages()
{
    local name
    for name in $(packages "$@"); do
        dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^.i' || printf '%s\n' "$name"
    done
}

apt_get()
{
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo -n env DEBIAN_FRONTEND=noninteractive)
    fi
    "${as_root[@]}" apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# install_packages GROUP...: installs the missing packages; does nothing if none is missing.
install_packages()
{
    command -v dpkg-query >/dev/null || fail 'this script installs Debian packages; on other systems install the libraries of app/packages.txt and build with CMake'
    local missing
    missing=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "${missing// /}" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "sudo is not installed; run as root: apt-get install $missing"
        # Asks for the password now, before the work continues in the background.
        if [ -t 0 ]; then sudo -v; else sudo -n true 2>/dev/null; fi || fail "sudo is not permitted; run as root: apt-get install $missing"
    fi
    echo "Missing packages: $missing"
    step 'Updating the package lists' apt_get update
    # shellcheck disable=SC2086
    step 'Installing packages' apt_get install --no-install-recommends $missing
}

# configure PRESET [OPTION...]
configure()
{
    local preset=$1
    shift
    step "Configuring ($preset)" cmake -S "$root" --preset "$preset" ${TENDON_CERES:+-DTENDON_CERES="$TENDON_CERES"} "$@"
}

# build PRESET [TARGET...]
build()
{
    local preset=$1
    shift
    local targets=()
    [ $# = 0 ] || targets=(--target "$@")
    step "Building ($preset)" cmake --build "$root/build/$preset" --parallel "$cores" "${targets[@]}"
}
