/*
 * The tile protocol of lookback_then_rest. First dispatch, many groups: a look-back over the whole tiles, in which nothing is recomputed;
 * a group that waits in vain leaves the tile unwritten and goes on. Second dispatch, one group: the rest, whatever that is.
 *
 * A process is a workgroup, and one more is the memory. A step is one access of one atomic word. What a group stores, the memory performs at
 * any later time, in any order, except that two stores of one invocation to one word keep their order. Where a dispatch ends, all groups have
 * ended and all stores have been performed: a group may be slow, but one that stops for ever stops the dispatch too, and is not looked at here.
 *
 * What must hold there: a state is inclusive if and only if its tile has been written. Whether a group publishes its inclusive sum before it
 * writes the tile or after, or counts it in between, does not matter then: the stores are on their way meanwhile, and nobody else reads the
 * tile or the count before the dispatch ends. So that is one step.
 *
 * GROUPS, RESIDENT    how many groups there are, and how many of them the device runs at a time
 * RUNS, T0, T1, T2    how many runs of both dispatches, and how many whole tiles each has at most: any number, with or without a last tile
 *                     that is not whole
 * PATIENCE            how often a group looks in vain for a tile before it gives up; it may do so at any look before, too. More than 1 adds
 *                     nothing but states: a look in vain changes nothing, so who looks again might as well have been slow
 * WITHHOLD            tiles that their owners withhold: 0 none, 1 tile 0, 2 every second, 3 all
 * STATIC              tiles by the group's number instead of by ticket
 * M_...               mutations, 0 or 1, each of which breaks one rule
 */
#define TILES   5     /* At most. */
#define NO_TILE 99    /* Greater than all tickets. */

/*
 * The value of a sum is which tiles it sums, first..last. Sums join only where they meet, so a tile left out, counted twice or in the wrong
 * order shows. The seed counts as a partial of tile 0. Each of the two words of a state carries the whole value: halves of two different
 * values never pass for one.
 */
#define VALUE(first, last) ((first) * TILES + (last) + 1)
#define BEFORE(tile)       ((tile) == 0 -> 0 : VALUE(0, (tile) - 1))
#define FIRST(word)        (((word & 31) - 1) / TILES)
#define LAST(word)         (((word & 31) - 1) % TILES)
#define BITS(word)         (word & 63)
#define AGG                64
#define INC                128
#define FLAG(word)         (word & 192)
#define STATE_OF(tile)     (VALUE(tile, tile) | ((tile) == 0 -> INC : AGG))    /* Once summed. Nothing comes before tile 0. */
#define INCLUSIVE_OF(tile) (VALUE(from[tile], tile) | INC)

byte states[4 * TILES];          /* Two halves, in each two words per tile. */
#define WORD(tile, h) states[(half * TILES + (tile)) * 2 + (h)]
bit half;                        /* The one that this run uses. */
byte number; bit parity;         /* One word, the ticket. */
byte extent[2];                  /* How many words of each half a run has used. */
byte finished;                   /* How many whole tiles the first dispatch has written. */
byte whole; bit partial;         /* This run's tiles. */
byte from[TILES];                /* Where the inclusive sums begin: 0 but for mutations. */
bit written[TILES];              /* The tile's output is there; in place, its input is not. */
byte arrived, resident;

#define WITHHELD(tile) (WITHHOLD == 3 || WITHHOLD == 2 && (tile) % 2 == 1 || WITHHOLD == 1 && (tile) == 0)

/* ---- The memory: stores on their way, one bit a word ---- */

short agg_due, inc_due;
#define BIT(tile, h)  (1 << ((tile) * 2 + (h)))
#define BOTH(tile)    (3 << ((tile) * 2))

/* M_AGG_UNORDERED: another invocation stores the aggregate, so it may come even after the inclusive sum. */
#define AGG_WAITS(tile, h) (!M_AGG_UNORDERED && agg_due & BIT(tile, h))

/*
 * Let the words of a tile be numbered in the order in which its owner's aggregate comes there; all others take any order.
 * M_SPLIT: flag and value are in separate words, so the flag may come first.
 */
#define ARRIVES(tile, h) \
    :: d_step { agg_due & BIT(tile, h) && (h == 0 || !(agg_due & BIT(tile, 0))) -> \
        WORD(tile, h) = STATE_OF(tile); agg_due = agg_due & ~BIT(tile, h) } \
    :: d_step { inc_due & BIT(tile, h) && !AGG_WAITS(tile, h) -> WORD(tile, h) = INCLUSIVE_OF(tile); inc_due = inc_due & ~BIT(tile, h) } \
    :: d_step { M_SPLIT && agg_due & BIT(tile, h) -> WORD(tile, h) = BITS(WORD(tile, h)) | FLAG(STATE_OF(tile)) }

proctype memory() {
end:do
    ARRIVES(0, 0) ARRIVES(0, 1) ARRIVES(1, 0) ARRIVES(1, 1) ARRIVES(2, 0) ARRIVES(2, 1) ARRIVES(3, 0) ARRIVES(3, 1)
    od
}

/* ---- The first dispatch: tickets ---- */

/* Groups are alike, so let them be numbered in the order in which they come. */
#define COMES(me) (STATIC || arrived >= me)

inline draw(ticket) {
    assert(parity == half);
    if
    :: STATIC -> ticket = (ticket == NO_TILE -> me : ticket + GROUPS)
    :: else -> ticket = number; number++
    fi;
    ticket = (ticket < whole -> ticket : NO_TILE)
}

/*
 * Zeroes this group's share of the half that the run before has used. One step, for in this run nobody else touches that half.
 * M_NO_EXTENT: as many words as this run uses, not that one.
 */
inline clean() {
    d_step {
        limit = (M_NO_EXTENT -> whole * 2 : extent[1 - half]); k = me;
        do :: k < limit -> states[(1 - half) * TILES * 2 + k] = 0; k = k + GROUPS :: else -> break od;
        k = 0; limit = 0
    }
}

/* ---- What an owner publishes, writes and counts ---- */

/* Summed, from its input, and published. M_ZERO_PUBLISHED: tile 0 is, withheld or not. */
inline publish(tile) {
    assert(!written[tile]);
    if :: !WITHHELD(tile) || M_ZERO_PUBLISHED && tile == 0 -> agg_due = agg_due | BOTH(tile) :: else fi
}

inline publish_inclusive(tile) { from[tile] = begin; inc_due = inc_due | BOTH(tile) }

/*
 * M_UNPUBLISHED: not if no group looks for it any more. M_UNWRITTEN: a group may find only now that it has been patient enough.
 * M_INC_GIVEN_UP: with what has been found until then. M_COUNT_GIVEN_UP: the tile is counted.
 */
inline finish(tile) {
    atomic {
        if
        :: leaves ->
            if :: M_INC_GIVEN_UP -> publish_inclusive(tile) :: else fi;
            finished = finished + M_COUNT_GIVEN_UP
        :: else ->
            if :: M_UNPUBLISHED && tile == whole - 1 && tile > 0 :: else -> publish_inclusive(tile) fi;
            if
            :: assert(!written[tile]); written[tile] = 1; finished++
            :: M_UNWRITTEN
            fi
        fi;
        begin = 0; leaves = 0
    }
}

/* ---- Look-back: begin .. tile - 1 are summed ---- */

inline fold(word) {
    assert(LAST(word) == begin - 1 && (FLAG(word) == AGG || FIRST(word) == 0));
    begin = FIRST(word)
}

/* M_MIXED: two different flags will do. */
inline see(h) {
    d_step {
        other = WORD(begin - 1, h);
        if
        :: FLAG(seen) == FLAG(other) || M_MIXED && other != 0 -> assert(BITS(seen) == BITS(other)); fold(seen); ready = 1
        :: else
        fi;
        other = 0
    }
}

/* M_FOREVER: a group does not give up. M_INC_EARLY: it publishes its inclusive sum first. */
inline look_back(tile) {
    d_step { begin = tile; if :: M_INC_EARLY -> publish_inclusive(tile) :: else fi }
    do
    :: !WITHHELD(tile) && begin == 0 -> break
    :: !M_FOREVER && (WITHHELD(tile) || begin > 0) -> leaves = 1; break
    :: !WITHHELD(tile) && begin > 0 && looks < PATIENCE ->
        /* Whatever goes on for ever passes here again and again: if no cycle does, there is none. */
accept_look:
        if                /* With a first word of 0, the second does not matter. */
        :: seen = WORD(begin - 1, 0); if :: seen -> see(1) :: else fi
        :: seen = WORD(begin - 1, 1); if :: seen -> see(0) :: else fi
        fi;
        d_step { looks = looks + (!ready && !M_FOREVER); seen = 0; ready = 0 }
    od;
    looks = 0
}

/*
 * ---- A group has two tiles: one held until what comes before it is known, one on its way ----
 * One subgroup publishes the next tile while another one looks back for the held one: that is the same as publishing first, since the memory may
 * perform those stores at any time. For each tile it is one subgroup that does both, so that its stores to a word keep their order.
 */

proctype group(byte me) {
    byte tile = NO_TILE, held = NO_TILE, next = NO_TILE, begin, seen, other, looks, limit, k;
    bit ready, leaves;
    atomic { resident < RESIDENT && COMES(me) -> resident++; arrived++; draw(tile); clean() }
    do
    :: tile == NO_TILE && held == NO_TILE -> break
    :: else ->
        atomic {
            next = tile;
            if :: tile < whole -> draw(next); publish(tile) :: else fi
        }
        if :: held < whole -> look_back(held); finish(held) :: else fi;
        d_step { held = tile; tile = next; next = NO_TILE }
    od;
    resident--
}

/* ---- The second dispatch: one group, which does in one step what it does alone ---- */

/* M_AGG_TAKEN: a tile passes for finished if any sum of it has been published. */
#define PASSES(tile) \
    (FLAG(WORD(tile, 0)) == FLAG(WORD(tile, 1)) && (FLAG(WORD(tile, 0)) == INC || M_AGG_TAKEN && FLAG(WORD(tile, 0)) == AGG))

/*
 * Then everything is made ready for the next run.
 * M_COUNT_KEPT, M_EXTENT_UNSET, M_NO_RESET, M_NO_FLIP: the count is not set to 0, the extent not at all, nor the ticket, and the half stays.
 */
inline rest() {
    d_step {
        k = (finished == whole && whole > 0 -> whole - 1 : 0); sum = 0;
        do
        :: k == whole + partial -> break
        :: else ->
            if
            :: k < whole && PASSES(k) -> assert(written[k] && WORD(k, 0) == WORD(k, 1)); sum = BITS(WORD(k, 0))
            :: else -> assert(!written[k] && sum == BEFORE(k)); written[k] = 1; sum = VALUE(0, k)
            fi;
            k++
        od;
        assert(sum == BEFORE(whole + partial));    /* The sum of everything. */
        if :: !M_EXTENT_UNSET -> extent[half] = whole * 2 :: else fi;
        if :: !M_COUNT_KEPT -> finished = 0 :: else fi;
        if :: !M_NO_RESET -> number = 0 :: else fi;
        parity = (M_NO_FLIP -> half : 1 - half);
        k = 0; sum = 0
    }
}

/* ---- Run after run ---- */

#define ENDED     (_nr_pr == 2)
#define PERFORMED (!agg_due && !inc_due)

/*
 * M_SKIPPED: no first dispatch where no tile is whole. M_REST_SOON: the rest does not wait for the groups. M_STORES_LATE: nor for the stores.
 */
init {
    byte run_number, k, sum; bool deadlock = true;
    run memory();
    do
    :: run_number < RUNS ->
        atomic {
            whole = (run_number == 0 -> T0 : (run_number == 1 -> T1 : T2));
            do :: whole > 0 -> whole-- :: break od;
            half = parity; arrived = 0;
            assert(number == 0 && finished == 0);
            do :: k < 2 * TILES -> assert(states[half * TILES * 2 + k] == 0); k++ :: else -> k = 0; break od;
            do :: k < TILES -> written[k] = 0; from[k] = 0; k++ :: else -> k = 0; break od;
            do :: k < GROUPS && !(M_SKIPPED && whole == 0) -> run group(k); k++ :: else -> k = 0; break od
        }
        if
        :: atomic { (ENDED || M_REST_SOON) && (PERFORMED || M_STORES_LATE) ->
            if :: partial = 0 :: partial = 1 fi;    /* Only now, for it does not matter before. */
            rest()
        }
        :: timeout -> assert(!deadlock) /* Nobody can go on. */
        fi;
        ENDED && PERFORMED;
        d_step {
            do :: k < whole + partial -> assert(written[k]); k++ :: else -> k = 0; break od;
            partial = 0; run_number++
        }
    :: else -> break
    od
}
