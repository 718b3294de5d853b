# What the tests of the command line share; source it with BINARY and ADAPTER as the arguments.
set -u -o pipefail
binary=$(realpath "$1")
adapter=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache # No profile of this machine's is used, and none is left behind.
failures=0
checks=0

on() { local command=$1; shift; "$binary" "$command" --adapter "$adapter" "$@"; }

# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    if ! "$@" > check.out 2> check.err; then
        echo "FAIL $what"
        sed 's/^/     /' check.out check.err | head -20
        failures=$((failures + 1))
    fi
}
equal() { [ "$1" == "$2" ] || { echo "it is '$1' and not '$2'"; return 1; }; }
same_file() { cmp "$1" "$2"; }
# ends_with_code CODE COMMAND...: what the command printed stays in code.out and code.err.
ends_with_code() {
    local want=$1 got=0
    shift
    "$@" > code.out 2> code.err < /dev/null || got=$?
    [ "$got" == "$want" ] || { echo "exit code $got and not $want"; cat code.err; return 1; }
}
contains() { grep -qF -- "$2" "$1" || { echo "no '$2' in:"; cat "$1"; return 1; }; }
empty() { [ ! -s "$1" ] || { echo "$1 is not empty:"; cat "$1"; return 1; }; }
