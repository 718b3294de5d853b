/*
 * The protocol of a reduction by last_arrival: one dispatch, in which each group publishes the total of its range and then arrives, and the last to
 * arrive combines all totals in their order. It waits for nobody who has not arrived, and computes again what does not come.
 *
 * A process is a workgroup, and one more is the memory, as in lookback_then_rest.pml: a step is one access of one atomic word; what a group
 * stores, the memory performs at any later time, in any order. Where a dispatch ends, all groups have ended and all stores have been performed.
 *
 * RESIDENT            how many groups the device runs at a time
 * RUNS, T0, T1, T2    how many runs, and how many groups each has at most: any number from 1 on (chunks share the states)
 * PATIENCE            how often the last group looks at a state in vain before it computes the total again
 * WITHHOLD            groups whose totals are withheld: 0 none, 1 group 0, 2 every second, 3 all
 * M_...               mutations, 0 or 1, each of which breaks one rule
 */
#define MOST 4

/* A total belongs to a run and a group; each of the two words of a state carries the whole of it, with its flag: not 0. */
#define TOTAL(group) (run_number * MOST + (group) + 1)

byte states[4 * MOST];           /* Two halves, in each two words for a group. */
#define WORD(h, group, w) states[((h) * MOST + (group)) * 2 + (w)]
byte number; bit parity;         /* One word: how many have arrived, and the half of this run. */
bit half;
byte groups, run_number, resident, results;

#define WITHHELD(group) (WITHHOLD == 3 || WITHHOLD == 2 && (group) % 2 == 1 || WITHHOLD == 1 && (group) == 0)

/* ---- The memory: totals on their way, one bit a word, and the half that they go to ---- */

short due, due_other;
#define BIT(group, w) (1 << ((group) * 2 + (w)))

#define ARRIVES(group, w) \
    :: d_step { due & BIT(group, w) -> WORD(half, group, w) = TOTAL(group); due = due & ~BIT(group, w) } \
    :: d_step { due_other & BIT(group, w) -> WORD(1 - half, group, w) = TOTAL(group); due_other = due_other & ~BIT(group, w) }

proctype memory() {
end:do
    ARRIVES(0, 0) ARRIVES(0, 1) ARRIVES(1, 0) ARRIVES(1, 1) ARRIVES(2, 0) ARRIVES(2, 1) ARRIVES(3, 0) ARRIVES(3, 1)
    od
}

/* ---- A group ---- */

/*
 * Its part of the half that the run before has used becomes 0: its own words, and others' of groups that are not there now. One step, for nobody
 * else touches that half. M_NO_CLEAN: not at all. M_OWN_CLEAN: only its own words.
 */
inline clean() {
    d_step {
        k = (M_NO_CLEAN -> MOST : me);
        do
        :: k < MOST ->
            WORD(1 - half, k, 0) = 0; WORD(1 - half, k, 1) = 0;
            k = (M_OWN_CLEAN -> MOST : k + groups)
        :: else -> break
        od;
        k = 0
    }
}

/* `own`: the half as the group has read it. M_LATE_HALF: only after it has arrived. */
inline publish() {
    if
    :: WITHHELD(me)
    :: !WITHHELD(me) && own == half -> due = due | BIT(me, 0) | BIT(me, 1)
    :: !WITHHELD(me) && own != half -> due_other = due_other | BIT(me, 0) | BIT(me, 1)
    fi
}

/*
 * The word is made ready for the next run by whoever is the last. M_NO_FLIP: it keeps the half. M_NO_RESET: and the number.
 * M_ONE_BEFORE: the last but one takes itself for the last.
 */
inline arrive() {
    d_step {
        last = (number == groups - 1 - (M_ONE_BEFORE && groups > 1));
        number++;
        if
        :: last ->
            if :: !M_NO_RESET -> number = 0 :: else fi;
            if :: !M_NO_FLIP -> parity = 1 - parity :: else fi
        :: else
        fi
    }
}

/*
 * M_UNFLAGGED: a state is taken whatever is there. M_ONE_WORD: as soon as its first word is there. M_FOREVER: nothing is computed again.
 */
inline combine() {
    do
    :: k == groups -> break
    :: k < groups && looks < PATIENCE ->
        /* Whatever goes on for ever passes here again and again: if no cycle does, there is none. */
accept_look:
        first = WORD(half, k, 0);
        second = WORD(half, k, 1);
        if
        :: first && second || M_UNFLAGGED || M_ONE_WORD && first ->
            assert(first == TOTAL(k) && second == TOTAL(k)); k++; looks = 0
        :: else -> looks = looks + !M_FOREVER
        fi;
        first = 0; second = 0
    :: k < groups && looks == PATIENCE -> k++; looks = 0    /* Computed again. */
    od;
    k = 0; results++
}

proctype group(byte me) {
    byte k, looks, first, second; bit own, last;
    atomic { resident < RESIDENT -> resident++; own = parity; clean() }
    if :: !M_LATE_HALF -> publish() :: else fi;
    arrive();
    if :: M_LATE_HALF -> atomic { own = parity; publish() } :: else fi;
    if :: last -> combine() :: else fi;
    resident--
}

/* ---- Run after run ---- */

#define ENDED     (_nr_pr == 2)
#define PERFORMED (!due && !due_other)

init {
    byte k; bool deadlock = true;
    run memory();
    do
    :: run_number < RUNS ->
        atomic {
            groups = (run_number == 0 -> T0 : (run_number == 1 -> T1 : T2));
            do :: groups > 1 -> groups-- :: break od;
            half = parity; results = 0;
            assert(number == 0);
            do :: k < 2 * MOST -> assert(states[half * MOST * 2 + k] == 0); k++ :: else -> k = 0; break od;
            do :: k < groups -> run group(k); k++ :: else -> k = 0; break od
        }
        if
        :: ENDED && PERFORMED
        :: timeout -> assert(!deadlock) /* Nobody can go on. */
        fi;
        d_step { assert(results == 1); run_number++ }
    :: else -> break
    od
}
