#!/bin/bash
# bench/rivals/run.sh from end to end, with a compiler that makes a rival of known times: rivals_test.sh FOLDER_OF_PROGRAMS ADAPTER
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
programs=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAIL $*"
    tail -n 5 results/*.err results/*.txt results.log 2>/dev/null || true
    exit 1
}

# As in the bundle: the programs beside the folder with the script.
cp -r "$here/../../bench/rivals" .
ln -s "$programs"/upsweep_cli-wgpu-native .
mkdir tools
cat >tools/nvcc <<'NVCC'
#!/bin/bash
[ "$1" != --version ] || { echo "Cuda compilation tools, release 1.2, V1.2.3" && exit; }
while [ "$1" != -o ]; do shift; done
cat >"$2" <<'CUB'
#!/bin/bash
[ "$*" = "10 12" ] || exit 1
printf '%s\n' '# CUB 3.0.1' 'benchmark,log2_count,us,GB/s' 'memcpy,10,3,1' \
    'scan/u32_plus_exclusive,10,40000000,1' 'scan/u32_plus_exclusive,12,80000000,1'
CUB
chmod +x "$2"
NVCC
chmod +x tools/nvcc

PATH=$work/tools:$PATH rivals/run.sh --rounds 2 --sizes "10 12" --adapter "$2" --primitive scan --type u32 --strategy automatic,reduce_then_scan \
    >results.log 2>&1 || fail "run.sh: $(cat results.log)"
for round in 1 2; do
    [ -s results/cub-$round.csv ] && [ -s results/upsweep-wgpu-native-$round.csv ] || fail "round $round left nothing"
done
grep -q '^# .*2 rounds in turn' results/results.csv || fail "no comment about the rounds"
grep -q '^# The rival is CUB 3.0.1 by nvcc, release 1.2' results/results.csv || fail "no comment about the rival"
rows=$(grep -c '^scan/' results/results.csv)
[ "$rows" = 8 ] || fail "$rows rows and not 2 benchmarks x 2 strategies x 2 sizes"
# The fastest of the rounds, and the ratio that follows from it.
python3 - <<'PYTHON' || fail "the numbers"
import csv, json, xml.dom.minidom
def rows(name):
    return list(csv.DictReader(line for line in open("results/" + name) if not line.startswith("#")))
rounds = [rows("upsweep-wgpu-native-%d.csv" % r) for r in (1, 2)]
gathered = rows("results.csv")
for row in gathered:
    same = [float(r["us"]) for one in rounds for r in one
            if (r["benchmark"], r["log2_count"]) == (row["benchmark"], row["log2_count"])]
    assert len(same) == 2 and float(row["us"]) == min(same), row
    if row["benchmark"].startswith("scan/u32_plus_exclusive/"):
        rival = {"10": 4e7, "12": 8e7}[row["log2_count"]]
        assert float(row["cub_us"]) == rival, row
        assert abs(float(row["ratio_to_cub"]) * float(row["us"]) / rival - 1) < 1e-3, row
    else:
        assert row["cub_us"] == row["ratio_to_cub"] == "", row
assert len(json.load(open("results/results.json"))["results"]) == len(gathered)
texts = [t.firstChild.data for t in xml.dom.minidom.parse("results/results.svg").getElementsByTagName("text")]
for text in ("automatic", "reduce_then_scan", "copy kernel", "CUB 3.0.1", "scan/u32_plus_exclusive", "GB/s"):
    assert text in texts, text
PYTHON
echo "the rounds, the rival and the picture are as they should be"
