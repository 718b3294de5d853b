#!/bin/bash
# Tuning from end to end: tune_test.sh BINARY ADAPTER. No time is asserted: the report of 'tune' tells of times.
source "$(dirname "$0")/checks.sh"

seq 1 200 > x.txt
own=$(on scan x.txt --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["provider"])')
check "tune --dry-run" bash -c "'$binary' tune --adapter '$adapter' --primitive reduce --seconds 0.1 --dry-run > tune.txt"
check "tune --dry-run: told" contains tune.txt "reduce of u32, plus"
check "tune --dry-run keeps nothing" bash -c '[ ! -e cache/upsweep ]'
check "devices: no profile" bash -c "'$binary' devices --adapter '$adapter' --provider '$own' | grep -q 'profile     none'"
on plan --count 2^12 --caps device > untuned.txt
check "tune" bash -c "'$binary' tune --adapter '$adapter' --seconds 1 --json > tune.json"
check "tune: the report" python3 -c '
import json
report = json.load(open("tune.json"))
assert report["profile"].startswith("'"$work"'/cache/upsweep/"), report["profile"]
assert 0 < report["of_best"] <= 1 and not report["problems"], report
assert len(report["cases"]) == 6
for case in report["cases"]:
    assert case["rows"] and case["choices"], case
    assert case["choices"][0]["first_log2"] == 0 and case["choices"][-1]["last_log2"] == 63, case
    for row in case["rows"]:
        assert 0 < row["best_seconds"] <= row["seconds"] and row["tried"] >= 2, row
'
check "tune: a file in the cache" equal "$(ls cache/upsweep | wc -l)" 1
cp cache/upsweep/*.json profile.json
check "devices: the profile" bash -c "'$binary' devices --adapter '$adapter' --provider '$own' | grep -q 'profile .*$work/cache'"
check "plan with the profile" bash -c "'$binary' plan --adapter '$adapter' --caps device --count 2^12 | grep -q ', tuned$'"
on plan --count 2^12 --caps device --no-profile > without.txt
check "plan --no-profile" same_file without.txt untuned.txt
check "plan without a device knows no profile" bash -c "! '$binary' plan --count 2^12 | grep -q tuned"
check "scan with the profile" equal "$(seq 1 5000 | on scan - --inclusive --verify -q | tail -1)" 12502500
check "compact with the profile" equal "$(seq 1 5000 | on compact - --where 'x % 500u == 7u' --verify -q | paste -sd' ')" \
    "7 507 1007 1507 2007 2507 3007 3507 4007 4507"
check "tune of one primitive keeps the others" bash -c "'$binary' tune --adapter '$adapter' --primitive reduce --seconds 0.1 \
    > tune.txt && grep -c '\"scan\"' cache/upsweep/*.json | grep -qx $(grep -c '"scan"' profile.json)"
rm -r cache
check "plan --profile" bash -c "'$binary' plan --adapter '$adapter' --caps device --profile profile.json --count 2^12 | grep -q ', tuned$'"
check "--profile and --no-profile" ends_with_code 2 on scan x.txt --profile profile.json --no-profile
check "--profile without the device's caps" ends_with_code 2 on plan --count 8 --profile profile.json
check "--profile: no such file" ends_with_code 1 on scan x.txt --profile none.json
sed 's/"driver": "/&other /' profile.json > foreign.json
check "a profile of another driver" ends_with_code 1 on scan x.txt --profile foreign.json
check "a profile of another driver is told" contains code.err "was measured on"
mkdir -p broken
check "tune -o" bash -c "'$binary' tune --adapter '$adapter' --primitive reduce --seconds 0.1 -o broken/profile.json > tune.txt"
check "tune -o: the file" python3 -m json.tool broken/profile.json
"$binary" tune --adapter "$adapter" --primitive reduce --seconds 0.1 -q > tune.txt
for file in cache/upsweep/*.json; do echo '{' > "$file"; done
check "a broken profile stops nothing" bash -c "echo 1 2 | '$binary' scan - --adapter '$adapter' 2> broken.err | grep -q 1"
check "a broken profile is told" contains broken.err "it is not JSON"
check "tune: no such primitive" ends_with_code 2 on tune --primitive sort
check "tune: no time" ends_with_code 2 on tune --seconds 0
rm -r cache

echo "$((checks - failures)) of $checks checks passed on $adapter by ${own:-?}"
[ "$failures" == 0 ]
