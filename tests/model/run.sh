#!/usr/bin/env bash
# Proves the protocols of lookback.pml, lookback_then_rest.pml and last_arrival.pml for small cases, and that the models see the mutations.
# Needs spin and gcc.
set -euo pipefail
export LC_ALL=C

models="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

defaults=(GROUPS=2 RESIDENT=9 RUNS=1 T0=4 T1=2 T2=4 FALLBACK=0 POLLS=0 IN_PLACE=0 WITHHOLD=0 LATE_DRAW=0
    M_AGG_UNORDERED=0 M_SPLIT=0 M_STATIC=0 M_RESET_EARLY=0 M_ONE_LAST=0 M_NO_FLIP=0 M_NO_EXTENT=0 M_INC_UNWAITED=0 M_ZERO_ONCE=0
    M_WITHHELD_NEVER=0 M_CAS_STORE=0 M_USE_ALWAYS=0 M_WHOLE_ALL=0 M_REREAD=0 M_ROUNDING=0 M_MIXED=0
    PATIENCE=1 STATIC=0 M_FOREVER=0 M_INC_EARLY=0 M_INC_GIVEN_UP=0 M_UNWRITTEN=0 M_UNPUBLISHED=0 M_ZERO_PUBLISHED=0 M_COUNT_GIVEN_UP=0
    M_AGG_TAKEN=0 M_REST_SOON=0 M_STORES_LATE=0 M_COUNT_KEPT=0 M_EXTENT_UNSET=0 M_NO_RESET=0
    M_SKIPPED=0 M_NO_CLEAN=0 M_OWN_CLEAN=0 M_LATE_HALF=0 M_ONE_BEFORE=0 M_UNFLAGGED=0 M_ONE_WORD=0)  # Of all models. A name alone stands for 1.
megabytes=500  # Of one search.
seconds=60
jobs=2

build() {  # scheduling, definitions, options of gcc
    local defines=() default
    read -ra defines <<< "$2"
    for default in "${defaults[@]}"; do
        [[ " $2 " == *" ${default%%=*}"[=\ ]* ]] || defines+=("$default")
    done
    spin -a "${defines[@]/#/-D}" "$models/$model.pml" > spin.log 2>&1 && [[ -f pan.c ]] || { cat spin.log >&2; return 1; }
    gcc "$3" -w -DMEMLIM=$megabytes "$([[ $1 == fair ]] && echo -DNFAIR=3 || echo -DNOFAIR)" -o pan pan.c
}

# Sets found: nothing, assertion, deadlock, livelock, or incomplete where the search has not seen all; and states.
search() {  # options of pan
    local log
    log="$(timeout "$seconds" ./pan -m100000 -w21 "$@" 2>&1)" || true
    states="$(awk '/ states, stored/ { n = $1 } END { printf "%d", n }' <<< "$log")"
    case "$log" in
        *"assertion violated"*"(deadlock)"*) found="deadlock" ;;
        *"assertion violated"*) found="assertion" ;;
        *"acceptance cycle ("*) found="livelock" ;;
        *"max search depth too small"* | *"Search not completed"*) found="incomplete" ;;
        *", errors: 0"*) found="nothing" ;;
        *) found="incomplete" ;;
    esac
}

# One line of the table, and a file named failed where that is not as expected.
work_on() {  # expected, scheduling, definitions, text
    local start=$EPOCHREALTIME end verdict="ok" optimize
    states=0 found="no model"
    [[ $1 == nothing ]] && optimize=-O1 || optimize=-O0  # The others' searches are over sooner than their compilation.
    if build "$2" "$3" $optimize; then
        if [[ $2 == fair ]]; then search -a -f; else search -a; fi
    fi
    end=$EPOCHREALTIME
    if [[ $found != "$1" ]]; then
        verdict="FAILED: expected $1"
        touch failed
    fi
    printf '%-9s %9d %5d.%d s  %-5s %s [%s] %s\n' "$found" "$states" $(((${end/./} - ${start/./}) / 1000000)) \
        $(((${end/./} - ${start/./}) / 100000 % 10)) "$2" "$4" "$3" "$verdict" > line
    rm -f pan*
    touch done
}

# Checks run a few at a time; their lines come in order.
started=0
printed=0
show() {  # until this many lines are there
    while ((printed < $1)); do
        while [[ ! -e $work/$printed/done ]]; do
            wait -n || true
        done
        cat "$work/$printed/title" "$work/$printed/line"
        printed=$((printed + 1))
    done
}
title=""
check() {  # as work_on, of $model
    mkdir "$work/$started"
    printf '%s' "$title" > "$work/$started/title"
    title=""
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
    (cd "$work/$started" && work_on "$@") &
    started=$((started + 1))
    while [[ -e $work/$printed/done ]]; do show $((printed + 1)); done
}

# fair: no group and no store is kept waiting for ever. any: groups and stores may be arbitrarily slow or stand still.
# No cycle under "any" means that every group needs a bounded number of steps, whatever the others do; STOPS, that none blocks either.
echo "found        states     time  sched what"
model=lookback
title=$'-- Proofs: sums, order, clean states and tickets are right, and all ends\n'
check nothing fair "GROUPS=3 T0=3" "three groups, a tile each"
check nothing fair "" "four tiles"
three="RUNS=3 T0=3 T1=2 T2=3"
check nothing fair "$three" "more tiles than groups, then one each, then more"
check nothing fair "RUNS=3 T0=1 T1=3 T2=0" "1, 3 and 0 tiles"
check nothing fair "GROUPS=3 RESIDENT=2 T0=3" "a group waits for its place"
check nothing fair "$three LATE_DRAW" "tickets drawn late"
again="FALLBACK=1"
check nothing any "GROUPS=3 T0=3 $again" "recomputation, three groups"
check nothing any "$three $again" "3, 2 and 3 tiles"
check nothing any "$three $again POLLS=1" "looks twice"
check nothing any "$three $again LATE_DRAW" "tickets drawn late"
for who in 0 1; do
    check nothing any "T0=2 $again STOPS=$who" "one group stops"
done
place="FALLBACK=1 IN_PLACE=1"
check nothing any "$place" "in place, four tiles"
check nothing any "GROUPS=3 T0=3 $place" "in place, three groups"
check nothing any "$three $place" "in place, 3, 2 and 3 tiles"
check nothing any "RUNS=3 T0=1 T1=3 T2=0 $place" "in place, 1, 3 and 0 tiles"
check nothing any "$three $place POLLS=1" "in place, looks twice"
check nothing any "$three $place LATE_DRAW" "in place, tickets drawn late"
for who in 0 1; do
    check nothing any "T0=3 $place STOPS=$who" "in place, one group stops"
done
for whose in 1 2 3; do
    check nothing any "$three $again WITHHOLD=$whose" "withheld"
    check nothing any "RUNS=2 $place WITHHOLD=$whose" "in place, withheld"
done
check nothing any "GROUPS=3 T0=3 $place WITHHOLD=3" "in place, withheld, three groups"

title=$'-- Mutations: each must be found\n'
check livelock any "T0=3 $again M_REREAD" "recomputed sums only published; an owner stops between two inclusive words"
check livelock any "T0=3 $place M_REREAD" "the same in place"
check livelock fair "T0=3 $place M_REREAD STOPS=0" "the same, everybody else scheduled fairly"
check livelock any "T0=3 $place M_WHOLE_ALL" "in place, recomputed sums used only if no word was inclusive"
check assertion any "$place M_USE_ALWAYS" "in place, recomputed sums used whatever was there"
check assertion any "$place M_CAS_STORE" "in place, recomputed sums stored whatever is there"
check assertion any "$place M_INC_UNWAITED" "in place, inclusive sums not waited for, or stored plainly"
check assertion any "$place M_AGG_UNORDERED" "in place, aggregates stored by another invocation than inclusive sums"
check livelock fair "M_AGG_UNORDERED" "the same, out of place"
check assertion any "$place M_ZERO_ONCE" "in place, tile 0 without exchanges"
check assertion any "$place WITHHOLD=1 M_WITHHELD_NEVER" "in place, withheld tiles overwritten without exchanges"
check assertion any "T0=3 $again M_ROUNDING" "recomputed sums have other bits than their owners'"
check assertion any "GROUPS=3 T0=3 $place M_ROUNDING" "the same in place, seen by a third group"
check livelock fair "RESIDENT=1 M_STATIC" "tiles by group instead of by ticket, and a group waits for its place"
check livelock fair "WITHHOLD=2" "withheld and not recomputed"
check livelock any "" "groups that stand still, and no recomputation"
check assertion fair "T0=2 M_SPLIT" "flag and value in separate words"
check assertion fair "M_MIXED" "two different flags taken"
check assertion fair "RUNS=3 M_NO_EXTENT" "as many words cleaned as this run has"
check assertion fair "RUNS=3 M_NO_FLIP" "every run uses the same half"
check assertion fair "RUNS=3 M_RESET_EARLY" "the ticket reset while others draw"
check assertion fair "$three M_ONE_LAST" "one last ticket for both cases"
check deadlock any "RESIDENT=0" "no group ever runs"

# A group that stops for good is not among these: the first dispatch would not end.
model=lookback_then_rest
title=$'-- Proofs of the look-back with a rest: the same, and each tile is written once\n'
check nothing any "" "up to four whole tiles"
check nothing any "GROUPS=3 T0=3" "three groups"
check nothing any "$three" "up to 3, 2 and 3 whole tiles"
check nothing any "T0=3 PATIENCE=2" "looks twice"
check nothing any "RUNS=2 PATIENCE=0" "gives up at once"
check nothing any "GROUPS=3 RESIDENT=2 T0=3" "a group waits for its place"
check nothing any "GROUPS=3 RESIDENT=2 T0=3 STATIC" "the same, tiles by group instead of by ticket"
check nothing any "RESIDENT=1 STATIC" "the same, one group at a time"
check nothing fair "GROUPS=3 RESIDENT=2 T0=3 M_FOREVER" "nobody gives up"
for whose in 1 2 3; do
    check nothing any "RUNS=2 T1=4 WITHHOLD=$whose" "withheld"
done

title=$'-- Mutations: each must be found\n'
check livelock any "T0=2 M_FOREVER" "groups that stand still, and nobody gives up"
check livelock fair "T0=2 RESIDENT=1 STATIC M_FOREVER" "tiles by group, a group waits for its place, and nobody gives up"
check assertion any "T0=2 M_INC_EARLY" "the inclusive sum published before the walk is complete"
check assertion any "T0=2 M_INC_GIVEN_UP" "the inclusive sum published all the same by who gives up"
check assertion any "T0=2 M_UNWRITTEN" "a group gives up between its inclusive sum and its results"
check assertion any "T0=2 M_UNPUBLISHED" "results without an inclusive sum, where no group looks for it"
check assertion any "T0=2 WITHHOLD=1 M_ZERO_PUBLISHED" "tile 0 published, which is inclusive at once, and not written"
check assertion any "T0=2 M_COUNT_GIVEN_UP" "a tile counted by who gives up"
check assertion any "T0=2 M_AGG_UNORDERED" "aggregates stored by another invocation than inclusive sums"
check assertion any "T0=2 M_SPLIT" "flag and value in separate words"
check assertion any "T0=3 M_MIXED" "two different flags taken"
check assertion any "T0=2 M_AGG_TAKEN" "the rest takes tiles with an aggregate for finished"
check assertion any "T0=2 M_REST_SOON" "the rest runs while groups do"
check assertion any "T0=2 M_STORES_LATE" "the rest runs before all stores have been performed"
check assertion any "RUNS=2 T0=2 M_COUNT_KEPT" "the count not set to 0"
check assertion any "RUNS=2 T0=2 M_NO_RESET" "the ticket not reset"
check assertion any "RUNS=2 T0=2 M_NO_FLIP" "every run uses the same half"
two="RUNS=3 T0=2 T1=2 T2=2"
check assertion any "$two M_EXTENT_UNSET" "the extent not set"
check assertion any "$two M_NO_EXTENT" "as many words cleaned as this run has"
check assertion any "$two M_SKIPPED" "no first dispatch where no tile is whole"
check deadlock any "RESIDENT=0" "no group ever runs"

model=last_arrival
title=$'-- Proofs of the reduction by the last to arrive: the totals are right, states are clean, and all ends\n'
sizes="RUNS=3 T0=3 T1=2 T2=3"
check nothing any "$sizes" "up to 3, 2 and 3 groups"
check nothing any "RUNS=2 T0=4 T1=2" "up to four groups"
check nothing any "$sizes PATIENCE=2" "looks twice"
check nothing any "$sizes PATIENCE=0" "computes everything again"
check nothing any "$sizes RESIDENT=1" "one group at a time"
for whose in 1 2 3; do
    check nothing any "$sizes WITHHOLD=$whose" "withheld"
done
check nothing fair "$sizes M_FOREVER" "nothing is computed again"

title=$'-- Mutations: each must be found\n'
check livelock any "T0=2 M_FOREVER" "stores that stand still, and nothing is computed again"
check livelock fair "T0=2 WITHHOLD=1 M_FOREVER" "withheld, and nothing is computed again"
check assertion any "T0=2 M_UNFLAGGED" "a total taken without its flag"
check assertion any "T0=2 M_ONE_WORD" "the flag of one word taken for both"
check assertion any "RUNS=3 T0=2 T1=2 T2=2 M_NO_CLEAN" "the other half not cleaned"
check assertion any "RUNS=3 T0=3 T1=1 T2=3 M_OWN_CLEAN" "only as many states cleaned as this run has"
check assertion any "RUNS=2 T0=2 T1=2 M_NO_FLIP" "every run uses the same half"
check assertion any "RUNS=2 T0=2 T1=2 M_NO_RESET" "the arrivals not set to 0"
check assertion any "RUNS=2 T0=2 T1=2 M_ONE_BEFORE" "the last but one taken for the last"
check assertion any "RUNS=2 T0=2 T1=2 M_LATE_HALF" "the half read after arriving"
check deadlock any "RESIDENT=0" "no group ever runs"

wait
show "$started"
if compgen -G "$work/*/failed" > /dev/null; then
    echo "$(compgen -G "$work/*/failed" | wc -l) checks failed" >&2
    exit 1
fi
echo "all as expected"
