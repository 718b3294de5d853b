#!/bin/bash
# The command line from end to end: cli_test.sh BINARY ADAPTER
source "$(dirname "$0")/checks.sh"

# ---- the numbers of the issue, text in and out ----
check "sum of a million" equal "$(seq 1 1000000 | on scan - --type u32 --inclusive | tail -1)" 1784293664
check "exclusive" equal "$(echo 3 1 7 0 4 1 6 3 | on scan - | paste -sd' ')" "0 3 4 11 11 15 16 22"
check "inclusive" equal "$(echo 3 1 7 0 4 1 6 3 | on scan - --inclusive | paste -sd' ')" "3 4 11 11 15 16 22 25"
check "initial value" equal "$(echo 3 1 7 | on scan - --init 100 | paste -sd' ')" "100 103 104"
check "negative initial value" equal "$(echo 3 1 7 | on scan - --type i32 --init -10 | paste -sd' ')" "-10 -7 -6"
check "maximum" equal "$(echo 3 1 7 0 | on scan - --op max --inclusive | paste -sd' ')" "3 3 7 7"
check "floats" equal "$(echo 0.5 0.25 | on scan - --type f32 --inclusive | paste -sd' ')" "0.5 0.75"
check "u64" equal "$(echo 18446744073709551615 2 5 | on scan - --type u64 --inclusive | paste -sd' ')" \
    "18446744073709551615 1 6"
check "vectors" equal "$(echo 1 2 3 4 5 6 | on scan - --type vec3u --inclusive | paste -sd' ')" "1,2,3 5,7,9"
check "nothing in, nothing out" equal "$(on scan - < /dev/null)" ""

# ---- --quiet, on every command ----
check "quiet explain" "$binary" explain --quiet --algorithm blelloch --n 8
check "quiet plan" "$binary" plan --quiet --count 100
check "quiet wgsl" "$binary" wgsl --quiet --count 100

# ---- files: npy made by the program itself, raw, CSV ----
seq 1 200000 | on scan - --op max --inclusive -o x.npy || failures=$((failures + 1))
check "npy in, npy out" on scan x.npy -o y.npy --verify
check "npy in, raw out" on scan x.npy -o y.bin
check "the running maximum of what ascends" on scan x.npy --op max --inclusive -o x.bin
check "raw in" on scan x.bin --type u32 --op max --inclusive -o z.npy
check "raw in: the same" same_file x.npy z.npy
python3 - <<'P' || { echo "FAIL numbers by Python"; failures=$((failures + 1)); }
import struct
data = open("y.bin", "rb").read()
total = 0
for i, value in enumerate(struct.unpack(f"<{len(data) // 4}I", data)):
    assert value == total, (i, value, total)
    total = (total + i + 1) % 2**32
assert i == 199999
P
printf 'name,"the amount",n\na,1.5,1\n"b, c",2.5,2\nd,3,3\n' > in.csv
check "CSV column by name" on scan in.csv --column "the amount" --type f32 --inclusive -o out.csv
check "CSV out" equal "$(paste -sd' ' out.csv)" "value 1.5 4 7"
check "CSV column by number" equal "$(on scan in.csv --column 2 --inclusive | paste -sd' ')" "1 3 6"
check "formats by option" equal "$(printf '\1\0\0\0\2\0\0\0' |
    on scan - --input-format raw --type u32 --inclusive --output-format csv | paste -sd' ')" "value 1 3"
check "standard input and output by name" equal "$(echo 5 6 | on scan - -o - | paste -sd' ')" "0 5"

# ---- every strategy and block scan ----
for strategy in multi_level reduce_then_scan serial automatic; do
    for block_scan in hillis_steele blelloch blelloch_padded automatic; do
        check "$strategy, $block_scan" on scan x.npy --strategy $strategy --block-scan $block_scan -o s.npy
        check "$strategy, $block_scan: the same" same_file s.npy y.npy
    done
done
check "single_block" equal "$(seq 1 100 | on scan - --strategy single_block --inclusive | tail -1)" 5050
check "no subgroups, no immediates" on scan x.npy --no-subgroups --no-immediates -o s.npy
check "no subgroups, no immediates: the same" same_file s.npy y.npy

# ---- chunks ----
for kind in inclusive exclusive; do
    seq 1 3000 | on scan - --$kind > whole.txt
    for chunk in 1 8 1000 4K 11999 12000 12004; do
        seq 1 3000 | on scan - --$kind --chunk $chunk --verify > parts.txt 2> /dev/null
        check "$kind in chunks of $chunk bytes" same_file parts.txt whole.txt
    done
done
check "chunks of a file that tells its count" on scan x.npy --chunk 64K -o s.npy --quiet
check "chunks: the same" same_file s.npy y.npy
seq 1 999 | on scan - --type f32 --op plus > whole.txt
seq 1 999 | on scan - --type f32 --op plus --chunk 100 --verify > parts.txt 2> err.txt
check "chunks of floats" same_file parts.txt whole.txt
check "verified is told" contains err.txt "verified against the serial scan"

# ---- operators and types of the user's own ----
printf 'fn combine(x: T, y: T) -> T {\n    return T(x.x * y.x, x.y * y.x + y.y);\n}\n' > affine.wgsl
check "operator from a file" equal \
    "$(echo 2 1 3 5 1 7 | on scan - --type vec2u --op-file affine.wgsl --identity 'T(1u, 0u)' | paste -sd' ')" \
    "1,0 2,1 6,8"
seq 1 2000 | on scan - --type vec2u --op-file affine.wgsl --inclusive > whole.txt
seq 1 2000 | on scan - --type vec2u --op-file affine.wgsl --inclusive --chunk 100 --verify > parts.txt 2> /dev/null
check "operator without identity, in chunks" same_file parts.txt whole.txt
printf 'struct Mat { a: u32, b: u32, c: u32, d: u32 }\n' > mat.wgsl
printf 'fn combine(x: Mat, y: Mat) -> Mat {
    return Mat(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d);
}\n' > mul.wgsl
check "struct" equal "$(for _ in 1 2 3 4 5 6 7 8 9 10; do echo 1 1 1 0; done |
    on scan - --struct mat.wgsl --type Mat --op-file mul.wgsl --identity 'Mat(1u,0u,0u,1u)' --inclusive | tail -1)" \
    "89,55,55,34"
printf 'fn combine(a: T, b: T) -> T {\n    return a +\n        bb;\n}\n' > typo.wgsl
check "a typo exits with 1" ends_with_code 1 on scan x.npy --op-file typo.wgsl --inclusive
check "a typo is led to its line" contains code.err "operator 'typo.wgsl', line 3"
check "nothing on standard output" empty code.out
printf 'fn combine(a: T, b: T) -> T { return a + b; \n' > open.wgsl
check "an open brace" ends_with_code 1 on scan x.npy --op-file open.wgsl --inclusive
check "an open brace is told" contains code.err "line 1"

printf 'fn combine(a: T, b: T) -> T { return a - b; }\n' > minus.wgsl
check "what is not associative is not verified" ends_with_code 1 on scan x.npy --op-file minus.wgsl --inclusive \
    --verify -o no.npy
check "the first difference is told" contains code.err "The results are wrong: element "
check "wrong results are not kept" equal "$(ls | grep -c '^no.npy')" 0

# ---- reduce ----
check "reduce" equal "$(echo 3 1 7 0 4 1 6 3 | on reduce -)" 25
check "reduce: a million" equal "$(seq 1000000 | on reduce - --type u64)" 500000500000
check "reduce: maximum" equal "$(echo 3 1 7 0 4 | on reduce - --op max)" 7
check "reduce: initial value" equal "$(echo 3 1 7 | on reduce - --type i32 --init -100)" -89
check "reduce: the smallest and its first index" equal "$(echo 3 1 7 0 4 0 | on reduce - --op arg_min)" "0,3"
check "reduce: floats" equal "$(echo 0.5 0.25 -7 | on reduce - --type f32 --op arg_min)" "-7,2"
check "reduce: vectors" equal "$(echo 1 2 3 4 5 6 | on reduce - --type vec3u)" "5,7,9"
check "reduce: a struct whose product has an order" equal "$(for _ in 1 2 3 4 5 6 7 8 9 10; do echo 1 1 1 0; done |
    on reduce - --struct mat.wgsl --type Mat --op-file mul.wgsl --chunk 48 --verify --quiet)" "89,55,55,34"
for strategy in automatic single_block two_pass last_arrival; do
    check "reduce: $strategy" equal "$(on reduce x.npy --strategy $strategy)" $((200000 * 200001 / 2 % 4294967296))
done
for chunk in 1 8 1000 11999 12000 12004; do
    seq 1 3000 | on reduce - --chunk $chunk --verify > parts.txt 2> err.txt
    check "reduce in chunks of $chunk bytes" equal "$(cat parts.txt)" 4501500
    check "reduce in chunks of $chunk bytes: verified" contains err.txt "verified against the serial reduction"
    check "reduce: arg_max in chunks of $chunk bytes" equal \
        "$( (seq 1 1500; seq 1500 -1 1) | on reduce - --op argmax --chunk $chunk --verify --quiet)" "1500,1499"
done
check "reduce: an operator without identity, in chunks" equal \
    "$(seq 1 2000 | on reduce - --type vec2u --op-file affine.wgsl --chunk 100 --verify --quiet)" \
    "$(seq 1 2000 | on scan - --type vec2u --op-file affine.wgsl --inclusive | tail -1)"
check "reduce: nothing gives the identity" equal "$(on reduce - --op min < /dev/null)" 4294967295
check "reduce: nothing gives the initial value" equal "$(on reduce - --init 7 --verify --quiet < /dev/null)" 7
check "reduce: an identity that only the device knows" equal \
    "$(on reduce - --type vec2u --op-file affine.wgsl --identity 'T(1u, 0u)' --verify --quiet < /dev/null)" "1,0"
check "reduce: nothing without an identity" ends_with_code 1 on reduce - --type vec2u --op-file affine.wgsl
check "reduce: nothing without an identity is told" contains code.err "no elements"
check "reduce: the smallest of nothing" ends_with_code 1 on reduce - --op arg_min
check "reduce --json" bash -c "'$binary' reduce x.npy --op arg_max --json --verify --adapter '$adapter' | python3 -c '
import json, sys
run = json.load(sys.stdin)
assert run[\"count\"] == 200000 and run[\"value\"] == 200000 and run[\"index\"] == 199999, run
assert run[\"operator\"] == \"arg_max\" and run[\"verified\"] is True and run[\"chunks\"] == 1, run
'"
check "reduce --time" bash -c "'$binary' reduce x.npy --time --adapter '$adapter' 2>&1 > out.txt | grep -q 'GPU time'"
check "reduce: what is not associative is not verified" ends_with_code 1 on reduce x.npy --op-file minus.wgsl --verify
check "reduce: the difference is told" contains code.err "The result is wrong: it is "
check "reduce: no wrong result" empty code.out
check "reduce: a typo exits with 1" ends_with_code 1 on reduce x.npy --op-file typo.wgsl
check "reduce: a typo is led to its line" contains code.err "operator 'typo.wgsl', line 3"
check "reduce: no such operator" ends_with_code 2 on reduce x.npy --op sum
check "reduce: no such strategy" ends_with_code 2 on reduce x.npy --strategy multi_level
check "reduce: no kinds" ends_with_code 2 on reduce x.npy --inclusive
check "reduce: an index has no initial value" ends_with_code 2 on reduce x.npy --op arg_min --init 1
check "reduce: the smallest vector" ends_with_code 1 on reduce in.csv --op arg_min --type vec2f --column 1
check "reduce: no such file" ends_with_code 1 on reduce none.npy

# ---- compact and partition ----
check "compact" equal "$(echo 3 1 7 0 4 1 6 3 | on compact - --where 'x > 2u' | paste -sd' ')" "3 7 4 6 3"
check "compact: indices" equal "$(echo 3 1 7 0 4 1 6 3 | on compact - --where 'x > 2u' --indices | paste -sd' ')" \
    "0 2 4 6 7"
check "compact: by the index" equal "$(echo 3 1 7 0 | on compact - --where 'i % 2u == 1u' | paste -sd' ')" "1 0"
check "compact: floats" equal "$(echo 0.25 0.75 -1 2 | on compact - --type f32 --where 'x > 0.5' | paste -sd' ')" "0.75 2"
check "compact: u64 as words" equal "$(echo 1 4294967297 2 | on compact - --type u64 --where 'x.y != 0u')" 4294967297
check "compact: structs" equal "$(echo 1 2 3 4 5 6 7 8 | on compact - --struct mat.wgsl --type Mat --where 'x.c > 3u')" \
    "5,6,7,8"
check "compact: nothing is kept" equal "$(on compact x.npy --where 'false')" ""
check "compact: nothing in, nothing out" equal "$(on compact - --where 'true' < /dev/null)" ""
on compact x.npy --where 'true' -o all.npy
check "compact: everything is kept" same_file all.npy x.npy
check "partition" equal "$(echo 3 1 7 0 4 1 6 3 | on partition - --where 'x > 2u' -q | paste -sd' ')" "3 7 4 6 3 1 0 1"
check "partition: nothing in, nothing out" equal "$(on partition - --where 'true' -q < /dev/null)" ""
check "partition: vectors" equal "$(echo 1 2 3 4 5 6 | on partition - --type vec2u --where 'x.x > 2u' -q | paste -sd' ')" \
    "3,4 5,6 1,2"
seq 1 3000 > numbers.txt
awk '$1 % 3 == 0 && NR > 8' numbers.txt > compact.txt
awk '$1 % 3 == 0 && NR > 8 { print NR - 1 }' numbers.txt > indices.txt
(cat compact.txt && awk '!($1 % 3 == 0 && NR > 8)' numbers.txt) > partition.txt
for chunk in 100 4K 11999 12000 12004; do
    for what in compact partition "compact --indices"; do
        # shellcheck disable=SC2086
        on $what numbers.txt --where 'x % 3u == 0u && i > 7u' --chunk $chunk --verify > parts.txt 2> err.txt
        check "$what in chunks of $chunk bytes" same_file parts.txt "${what/compact --/}.txt"
        check "$what in chunks of $chunk bytes: verified" contains err.txt "verified against the serial selection"
    done
done
check "compact: an element at a time" equal "$(seq 9 | on compact - --where 'i > 5u' --chunk 1 | paste -sd' ')" "7 8 9"
check "partition: an element at a time" equal "$(seq 9 | on partition - --where 'i > 5u' --chunk 1 -q | paste -sd' ')" \
    "7 8 9 1 2 3 4 5 6"
on partition x.npy --where 'x % 2u == 0u' --chunk 64K -o parts.npy 2> err.txt
check "partition: the first part is told" contains err.txt "The first part has 100000 of 200000 elements."
python3 - <<'P' || { echo "FAIL partition by Python"; failures=$((failures + 1)); }
import struct
data = open("parts.npy", "rb").read()[-800000:]
values = range(1, 200001)
assert list(struct.unpack("<200000I", data)) == [x for x in values if x % 2 == 0] + [x for x in values if x % 2]
P
for command in compact partition; do
    check "$command --json" bash -c "'$binary' $command x.npy --where 'x <= 77u' --json --verify --adapter '$adapter' |
        python3 -c '
import json, sys
run = json.load(sys.stdin)
assert run[\"count\"] == 200000 and run[\"kept\"] == 77 and run[\"where\"] == \"x <= 77u\", run
assert run[\"verified\"] is True, run
'"
    check "$command --time" bash -c \
        "'$binary' $command x.npy --where 'x > 9u' --time --adapter '$adapter' 2>&1 > out.txt | grep -q 'GPU time'"
    check "$command: a wrong expression exits with 1" ends_with_code 1 on $command x.npy --where 'x > y'
    check "$command: a wrong expression is led to its line" contains code.err "--where, line 1"
    check "$command: a wrong expression is shown by the compiler" contains code.err "return x > y;"
    check "$command: no results of a wrong expression" empty code.out
    check "$command: a wrong second line" ends_with_code 1 on $command x.npy --where "x > 1u &&
        x < y"
    check "$command: a wrong second line is told" contains code.err "--where, line 2"
    check "$command: no truth value" ends_with_code 1 on $command x.npy --where 'x + 1u'
    check "$command: no truth value is told" contains code.err "--where, line 1"
    check "$command: an open bracket" ends_with_code 2 on $command x.npy --where 'x > (1u'
    check "$command: more than an expression" ends_with_code 2 on $command x.npy --where 'true; } fn more() {'
    check "$command without --where" ends_with_code 2 on $command x.npy
    check "$command has no operator" ends_with_code 2 on $command x.npy --where 'true' --op max
    check "$command: no such file" ends_with_code 1 on $command none.npy --where 'true'
    check "$command: results and JSON on one stream" ends_with_code 2 on $command x.npy --where 'true' --json -o -
done
check "partition has no indices" ends_with_code 2 on partition x.npy --where 'true' --indices

# ---- JSON, time, quiet ----
check "--json parses" bash -c "'$binary' scan --adapter '$adapter' x.npy --json --verify --time | python3 -c '
import json, sys
run = json.load(sys.stdin)
assert run[\"count\"] == 200000 and run[\"verified\"] is True, run
assert run[\"total\"] == 200000 * 200001 // 2 % 2**32 and run[\"first\"] == 0, run
assert run[\"last\"] == 199999 * 200000 // 2 % 2**32, run
'"
rm s.npy
on scan x.npy --json -o s.npy > run.json
check "--json with -o: JSON" python3 -m json.tool run.json
check "--json with -o: the results" same_file s.npy y.npy
echo 1 2 3 | on scan - --time > out.txt 2> err.txt
check "--time is told on standard error" contains err.txt "GPU time"
echo 1 2 3 | on scan - --time --verify --quiet > out.txt 2> err.txt
check "--quiet" empty err.txt

# ---- what must fail ----
check "no command" ends_with_code 2 "$binary"
check "no such command" ends_with_code 2 "$binary" scna
check "no such option" ends_with_code 2 on scan x.npy --fast
check "no file" ends_with_code 2 on scan
check "no such operator" ends_with_code 2 on scan x.npy --op sum
check "the operators are named" contains code.err "last_non_zero"
check "no such type" ends_with_code 2 on scan x.npy --type f64
check "no such strategy" ends_with_code 2 on scan x.npy --strategy fast
check "no such provider" ends_with_code 2 "$binary" scan x.npy --provider metal
check "results and JSON on one stream" ends_with_code 2 on scan x.npy --json -o -
check "both kinds" ends_with_code 2 on scan x.npy --inclusive --exclusive
check "a bad initial value" ends_with_code 2 on scan x.npy --init x
check "a bad chunk" ends_with_code 2 on scan x.npy --chunk 1MB
check "no such file" ends_with_code 1 on scan none.npy
check "the message begins with the program's name" contains code.err "upsweep: "
check "no such adapter" ends_with_code 1 "$binary" scan x.npy --adapter 'no such adapter'
check "an operator that does not go with the type" ends_with_code 1 on scan in.csv --type f32 --op bit_and --column 2
check "a bad number" ends_with_code 1 bash -c "echo 1 2 x | '$binary' scan - --adapter '$adapter'"
check "no such folder" ends_with_code 1 on scan x.npy -o none/out.npy
echo before > kept.npy
check "a failure" ends_with_code 1 on scan x.npy --op-file typo.wgsl --inclusive -o kept.npy
check "a failure leaves the old file" equal "$(cat kept.npy)" before
check "a failure leaves no temporary file" equal "$(ls | grep -c tmp)" 0
check "a closed pipe is exit 1 without noise" bash -c \
    "'$binary' scan x.npy --adapter '$adapter' 2> pipe.err | head -1 > pipe.out
     codes=(\${PIPESTATUS[@]}); [ \${codes[0]} == 1 ] && [ ! -s pipe.err ] && [ \"\$(cat pipe.out)\" == 0 ]"
check "a closed standard output is exit 1" ends_with_code 1 bash -c "'$binary' explain >&-"
check "a full disk is exit 1" ends_with_code 1 bash -c "'$binary' scan x.npy --adapter '$adapter' > /dev/full"

# ---- an interrupted run leaves nothing behind ----
head -c 100000000 /dev/zero > large.bin
"$binary" scan large.bin --adapter "$adapter" --type u32 --chunk 4K -o cut.npy 2> cut.err &
scanner=$!
for _ in $(seq 100); do ls cut.npy.*.tmp > /dev/null 2>&1 && break; sleep 0.1; done
check "results wait beside their place" bash -c "ls cut.npy.*.tmp"
kill -TERM $scanner
wait $scanner 2> /dev/null
check "interrupted by a signal" equal $? 143
check "interrupted without a word" empty cut.err
check "interrupted without a file" equal "$(ls | grep -c '^cut.npy')" 0
mkfifo slow
sleep 30 > slow &
writer=$!
"$binary" scan - --adapter "$adapter" < slow > cut.out 2> cut.err &
scanner=$!
sleep 1
kill -TERM $scanner
wait $scanner 2> /dev/null
check "interrupted while it waits for input" equal $? 143
kill $writer
wait $writer 2> /dev/null
rm large.bin

# ---- without a device ----
export VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent
check "explain" bash -c "'$binary' explain --algorithm hillis_steele --values 3,1,7,0,4,1,6,3 > explain.txt"
check "explain: the result's row" contains explain.txt " 3  4 11 11 15 16 22 25"
check "explain --svg" "$binary" explain --algorithm blelloch --n 8 --svg b.svg
check "explain --svg: a picture" contains b.svg "<svg"
check "explain --json" bash -c "'$binary' explain --json | python3 -m json.tool"
check "explain: no such algorithm" ends_with_code 2 "$binary" explain --algorithm quick
check "explain: no such n" ends_with_code 2 "$binary" explain --n -3
check "plan" bash -c "'$binary' plan --count 2^24 --type f32 > plan.txt"
check "plan: three dispatches" contains plan.txt "3 dispatches"
check "plan --json" bash -c "'$binary' plan --count 1e6 --json --init 5 | python3 -c '
import json, sys
plan = json.load(sys.stdin)
assert plan[\"count\"] == 1000000 and plan[\"initial\"] == \"05000000\"
for step in plan[\"steps\"]:
    assert step[\"entry_point\"] in step[\"wgsl\"] and len(step[\"grid\"]) == 3
    for binding in step[\"bindings\"]:
        assert binding[\"offset\"] + binding[\"size\"] <= plan[\"buffers\"][binding[\"slot\"]]
'"
check "plan without a count" ends_with_code 2 "$binary" plan
check "plan with a bad count" ends_with_code 2 "$binary" plan --count 2^64
check "plan beyond the device" ends_with_code 1 "$binary" plan --count 2^40
check "wgsl" bash -c "'$binary' wgsl --count 1_000_000 > kernels.txt && grep -c '^// upsweep ' kernels.txt | grep -qx 3"
check "wgsl -o" bash -c "'$binary' wgsl --count 1_000_000 -o kernels && ls kernels/*.wgsl | wc -l | grep -qx 3"
check "plan --primitive reduce" bash -c "'$binary' plan --primitive reduce --count 2^20 --op arg_max > plan.txt"
check "plan --primitive reduce: a reduction" contains plan.txt "reduce two_pass"
check "plan --primitive reduce: in one dispatch" bash -c "'$binary' plan --primitive reduce --count 2^20 | grep -q 'reduce last_arrival'"
check "plan --primitive compact" bash -c "'$binary' plan --primitive compact --count 2^20 --where 'x > 2u' > plan.txt"
check "plan --primitive compact: a compaction" contains plan.txt "compact reduce_then_scan"
check "plan --primitive partition --json" bash -c "'$binary' plan --primitive partition --count 100 --where 'x > 2u' \
    --json | python3 -c '
import json, sys
plan = json.load(sys.stdin)
assert plan[\"algorithm\"] == \"partition\" and plan[\"buffers\"][\"total\"] >= 4, plan
'"
check "wgsl --primitive compact" bash -c "'$binary' wgsl --primitive compact --count 100 --where 'x > 2u' --indices |
    grep -q 'fn compact_tiles('"
check "plan: no such primitive" ends_with_code 2 "$binary" plan --primitive sort --count 8
check "plan: an option of another primitive" ends_with_code 2 "$binary" plan --primitive reduce --count 8 --where 'true'
check "plan: an option of another primitive is told" contains code.err "--where belongs to compact or partition"
check "plan: a compaction in place" ends_with_code 2 "$binary" plan --primitive compact --count 8 --where true --in-place
echo '{"subgroups": true, "subgroup_min_size": 32, "subgroup_max_size": 32, "immediates": true}' > caps.json
check "plan --caps FILE" bash -c "'$binary' plan --count 100 --caps caps.json > caps.txt"
check "plan --caps FILE: used" contains caps.txt "subgroup"
check "no device is a failure" ends_with_code 1 "$binary" scan x.npy --adapter none
check "--version" bash -c "'$binary' --version | grep -q '^upsweep [0-9]'"
for command in scan reduce compact partition devices explain plan wgsl selftest bench tune; do
    check "$command --help has examples" bash -c "'$binary' $command --help | grep -q 'Examples:'"
done
unset VK_ICD_FILENAMES VK_DRIVER_FILES

# ---- bench: that it runs, not what it says ----
check "bench" on bench --quiet --sizes 2^10 --type u32 --csv bench.csv --json bench.json --svg bench.svg
check "bench: every primitive" bash -c "sed 1,2d bench.csv | cut -d/ -f1 | uniq | paste -sd' ' | grep -x 'scan reduce compact partition allocate'"
check "bench: every line has a time" bash -c "! sed 1,2d bench.csv | cut -d, -f4 | grep -vE '^[0-9.]+$'"
check "bench: the picture is one" rsvg-convert bench.svg -o bench.png
on bench --quiet --sizes 2^10,2^16 --primitive scan --type u32 --strategy single_block,automatic > told.txt
check "bench: why something is not possible" contains told.txt "-  The strategy single_block takes at most one tile"
check "bench: in random order" on bench --quiet --sizes 1000 --primitive reduce --type u32 --repetitions 2 --csv -
check "bench: once each" equal "$(grep -c ^reduce check.out)" 6
check "bench: a rival of its own" on bench --quiet --merge bench.csv --rival bench.csv
check "bench: no such strategy" ends_with_code 2 on bench --strategy two_pass --primitive scan
check "bench: no such geometry" ends_with_code 2 on bench --geometry 512
check "bench: no such size" ends_with_code 2 on bench --sizes 2^20..2^10
check "bench: nothing that could be measured" ends_with_code 1 on bench --quiet --sizes 2^20 --primitive scan --type u32 --strategy single_block
check "bench: another file" ends_with_code 1 on bench --merge numbers.csv

# ---- devices, demo ----
check "devices --json" bash -c "'$binary' devices --json --adapter '$adapter' | python3 -c '
import json, sys
assert len(json.load(sys.stdin)[\"providers\"]) == 2'"
own=$("$binary" scan x.npy --adapter "$adapter" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["provider"])')
"$binary" devices --json --adapter "$adapter" --provider "$own" > device.json 2> /dev/null
check "plan for a device that was printed" bash -c "'$binary' plan --count 100 --caps device.json"
on plan --count 2^20 --caps device > a.txt
"$binary" plan --count 2^20 --caps device.json > b.txt
check "plan for the device itself is the same" same_file a.txt b.txt
seq 1 1000 > numbers.txt
check "demo" bash -c "'$binary' demo numbers.txt --adapter '$adapter' > demo.txt && wc -l < demo.txt | grep -qx 3"
check "demo: the total" contains demo.txt "total 500500; verified"

echo "$((checks - failures)) of $checks checks passed on $adapter by ${own:-?}"
[ "$failures" == 0 ]
