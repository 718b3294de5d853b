#!/bin/bash
# Measures CUB and `upsweep bench` in turn on this machine's GPU, and gathers the best of each.
#     run.sh [--rounds N] [--out FOLDER] [--sizes "10 20 28"] [ARGUMENTS of upsweep bench]
# --sizes: log2 of the counts. In FOLDER (./results): results.csv, results.json and results.svg, and what each round gave.
# Without nvcc only Upsweep is measured.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
rounds=2 out=results sizes=()
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=$2 && shift 2 ;;
        --out) out=$2 && shift 2 ;;
        --sizes) read -ra sizes <<<"$2" && shift 2 ;;
        *) break ;;
    esac
done
mkdir -p "$out"

# Beside this folder in the bundle, else where ./dev builds.
programs=("$here"/../upsweep_cli-*)
[ -e "${programs[0]}" ] || programs=("$here"/../../build/bin/upsweep_cli-*)
if [ ! -e "${programs[0]}" ]; then
    echo "There is no program to measure: build it with ./dev bundle, or ./dev run --version." >&2
    exit 1
fi
commit=$(cat "$here/../commit" 2>/dev/null || git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
cub=
if [ -z "$nvcc" ]; then
    echo "There is no nvcc here, so CUB is left out." >&2
elif "$nvcc" -O3 -std=c++17 -arch=native -o "$out/cub" "$here/cub.cu" >"$out/cub-build.txt" 2>&1; then
    cub=$(realpath "$out/cub")
else
    echo "CUB cannot be built, so it is left out; see $out/cub-build.txt." >&2
fi

arguments=()
for size in "${sizes[@]}"; do arguments+=(--sizes "2^$size"); done
merged=() rivals=()
for ((round = 1; round <= rounds; ++round)); do
    if [ -n "$cub" ]; then
        echo "Round $round of $rounds: CUB ..."
        if "$cub" "${sizes[@]}" >"$out/cub-$round.csv"; then
            rivals+=(--rival "$out/cub-$round.csv")
        else
            echo "CUB cannot run here, so it is left out." >&2
            cub=
        fi
    fi
    for program in "${programs[@]}"; do
        name=$out/upsweep-${program##*upsweep_cli-}-$round
        echo "Round $round of $rounds: ${program##*/} ..."
        # An adapter need not go with every WebGPU library.
        if "$program" bench --csv "$name.csv" "${arguments[@]}" "$@" >"$name.txt" 2>"$name.err"; then
            merged+=(--merge "$name.csv")
        else
            echo "It measured nothing:" >&2
            tail -n 2 "$name.err" >&2
        fi
    done
done
if [ ${#merged[@]} -eq 0 ]; then
    exit 1
fi

comments=(--comment "$(date -u +%F), commit $commit, $rounds rounds in turn, of each the fastest median")
card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)
[ -z "$card" ] || comments+=(--comment "$(sed 's/, /, driver /' <<<"$card")")
if [ ${#rivals[@]} -gt 0 ]; then
    cuda=$("$nvcc" --version | grep -oE 'release [0-9.]+' || true)
    comments+=(--comment "The rival is $(sed -n '1s/# //p' "$out"/cub-1.csv)${cuda:+ by nvcc, $cuda}")
fi
"${programs[0]}" bench "${merged[@]}" "${rivals[@]}" "${comments[@]}" \
    --csv "$out/results.csv" --json "$out/results.json" --svg "$out/results.svg"
echo "The results are in $out/results.csv, results.json and results.svg."
