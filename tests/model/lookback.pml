/*
 * The tile protocol of the single-pass scan: a pipelined look-back with recomputation.
 * Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016;
 * Smith, Levien and Owens, "Decoupled fallback", SPAA 2025, doi 10.1145/3694906.3743326.
 *
 * A process is a workgroup, and one more is the memory. A step is one access of one atomic word. What a group stores plainly, the memory
 * performs at any later time, in any order, except that two stores of one invocation to one word keep their order. Exchanges and
 * compare-exchanges are performed before the group goes on, for it needs what they give back. run.sh lists what is checked.
 *
 * GROUPS, RESIDENT    how many groups there are, and how many of them the device runs at a time
 * RUNS, T0, T1, T2    how many dispatches, and how many tiles each has
 * FALLBACK, POLLS     a tile that is not ready after 1 + POLLS looks is recomputed
 * IN_PLACE            the output overwrites the input
 * WITHHOLD            tiles that their owners withhold: 0 none, 1 tile 0, 2 every second, 3 all
 * LATE_DRAW           the next ticket is drawn at the end of a turn instead of the beginning
 * STOPS               the group that stops for ever, before any step; groups are numbered in the order in which they come
 * M_...               mutations, 0 or 1, each of which breaks one rule
 */
#define TILES   5     /* At most. */
#define NO_TILE 99    /* Greater than all tickets. */

/*
 * The value of a sum is which tiles it sums, first..last. Sums join only where they meet, so a tile left out, counted twice or in the wrong
 * order shows. The seed counts as a part of tile 0. Each of the two words of a state carries the whole value: halves of two different
 * values never pass for one.
 */
#define VALUE(first, last) ((first) * TILES + (last) + 1)
#define FIRST(word)        (((word & 31) - 1) / TILES)
#define LAST(word)         (((word & 31) - 1) % TILES)
#define BITS(word)         (word & 63)
#define ROUNDED            32    /* Added to a value: as good, but with other bits, as from another order of float additions. */
#define GARBAGE            62    /* The sum of a tile that was being overwritten. */
#define AGG                64
#define INC                128
#define FLAG(word)         (word & 192)
#define STATE_OF(tile)     (VALUE(tile, tile) | ((tile) == 0 -> INC : AGG))    /* Once summed. Nothing comes before tile 0. */
#define INCLUSIVE_OF(tile) (VALUE(0, tile) | INC)

byte states[4 * TILES];          /* Two halves, in each two words per tile. */
#define WORD(tile, h) states[(half * TILES + (tile)) * 2 + (h)]
bit half;                        /* The one that this run uses. */
byte number; bit parity;         /* One word, the ticket: accessed in one step. */
byte extent[2];                  /* How many words of each half a run has used. */
byte tiles;                      /* Of this run. */
bit written[TILES];              /* The tile's output is there; in place, its input is not. */
byte arrived, resident;
byte stopped = NO_TILE;          /* The group that has stopped. */

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
    ARRIVES(0, 0) ARRIVES(0, 1) ARRIVES(1, 0) ARRIVES(1, 1) ARRIVES(2, 0) ARRIVES(2, 1) ARRIVES(3, 0) ARRIVES(3, 1) ARRIVES(4, 0) ARRIVES(4, 1)
#ifdef STOPS
    :: stopped == NO_TILE -> stopped = STOPS
#endif
    od
}

/* ---- Tickets ---- */

/*
 * M_STATIC: the tile's number from the group's. M_RESET_EARLY: the ticket is reset while others draw. M_ONE_LAST: as if groups drew again
 * even where each tile has a group of its own. M_NO_FLIP: the other half's bit is not set.
 * Groups are alike, so let them be numbered in the order in which they come. One that stops before it comes is left out.
 */
#define COMES(me)   (M_STATIC || arrived >= me || stopped < me && arrived + 1 >= me)
#define DRAWS_AGAIN (M_STATIC || tiles > GROUPS)
#define LAST_TICKET (M_RESET_EARLY -> tiles : (DRAWS_AGAIN || M_ONE_LAST -> tiles : 0) + GROUPS - 1)

inline draw(ticket) {
    atomic {
        assert(parity == half);
        if
        :: M_STATIC -> ticket = (ticket == NO_TILE -> me : ticket + GROUPS)
        :: else -> ticket = number; number++; last = (ticket == LAST_TICKET)
        fi;
        ticket = (ticket < tiles -> ticket : NO_TILE)
    }
    if :: last -> extent[half] = tiles * 2; last = 0; d_step { number = 0; parity = (M_NO_FLIP -> half : 1 - half) } :: else fi
}

/* After the first draw: DRAWS_AGAIN, or each group has one tile at most. */
inline draw_next() {
    if :: tile < tiles && DRAWS_AGAIN -> next = tile; draw(next) :: else -> next = NO_TILE fi
}

/*
 * Zeroes this group's share of the half that the run before has used. One step, for in this run nobody else touches that half.
 * M_NO_EXTENT: as many words as this run uses, not that one.
 */
inline clean() {
    d_step {
        limit = (M_NO_EXTENT -> tiles * 2 : extent[1 - half]); k = me;
        do :: k < limit -> states[(1 - half) * TILES * 2 + k] = 0; k = k + GROUPS :: else -> break od;
        k = 0; limit = 0
    }
}

/* ---- What an owner publishes and writes ---- */

/* The tile is summed, from its input, and published by plain stores. */
inline publish(tile) {
    d_step {
        assert(!IN_PLACE || !written[tile]);
        if :: !WITHHELD(tile) -> agg_due = agg_due | BOTH(tile) :: else fi
    }
}

/* By the invocation that has stored the aggregate there: that has been performed before, seen by the others or not. */
inline exchange(tile, h) {
    d_step { WORD(tile, h) = INCLUSIVE_OF(tile); if :: AGG_WAITS(tile, h) -> agg_due = agg_due & ~BIT(tile, h) :: else fi }
}

/*
 * M_INC_UNWAITED: in place too by plain stores, or by exchanges that are not waited for, which is the same. M_ZERO_ONCE: in place, tile 0
 * only as it has been published, by plain stores. M_WITHHELD_NEVER: in place, withheld tiles are never published.
 */
#define EXCHANGED(tile) (IN_PLACE && !M_INC_UNWAITED && !(M_ZERO_ONCE && tile == 0) && !(M_WITHHELD_NEVER && WITHHELD(tile)))
#define STORED(tile)    ((!IN_PLACE || M_INC_UNWAITED) && tile > 0 && !WITHHELD(tile))

inline finish(tile) {
    if
    :: EXCHANGED(tile) -> exchange(tile, 0); exchange(tile, 1)
    :: EXCHANGED(tile) -> exchange(tile, 1); exchange(tile, 0)
    :: else
    fi;
    d_step {
        assert(!written[tile]); written[tile] = 1;
        if :: STORED(tile) -> inc_due = inc_due | BOTH(tile) :: else fi
    }
}

/* ---- Look-back: begin .. tile - 1 are summed ---- */

inline fold(word) {
    assert(BITS(word) != GARBAGE && LAST(word) == begin - 1 && (FLAG(word) == AGG || FIRST(word) == 0));
    begin = FIRST(word)
}

/*
 * A word of another group's tile, by compare-exchange. In place the owner overwrites the tile only after its inclusive words have been
 * exchanged, so any word that is not inclusive here shows that the tile was read in time. M_CAS_STORE: it is stored whatever is there.
 */
inline write_if_missing(tile, h) {
    d_step {
        whole = whole + (FLAG(WORD(tile, h)) != INC);
        if :: WORD(tile, h) == 0 || M_CAS_STORE -> assert(BITS(sum) != GARBAGE); WORD(tile, h) = sum :: else fi
    }
}

/* M_USE_ALWAYS: in place too. M_WHOLE_ALL: only if no word was inclusive. M_REREAD: recomputed sums are only published. */
#define WHOLE (!M_REREAD && (!IN_PLACE || M_USE_ALWAYS || whole > M_WHOLE_ALL))

/*
 * The tile is read in one step: the last read of an element against the first write of one.
 * M_ROUNDING: groups differ in the bits of a sum.
 */
inline recompute(tile) {
    d_step {
        sum = (IN_PLACE && written[tile] -> GARBAGE | FLAG(STATE_OF(tile)) : STATE_OF(tile));
        sum = sum | (M_ROUNDING -> ROUNDED : 0);
        recomputed = tile; reload = 1
    }
    if :: write_if_missing(tile, 0); write_if_missing(tile, 1) :: write_if_missing(tile, 1); write_if_missing(tile, 0) fi;
    d_step {
        if :: WHOLE -> fold(sum) :: else /* The next look finds it. */ fi;
        sum = 0; whole = 0
    }
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

/* In place, a withheld tile is not looked at before it has been recomputed here. */
#define HIDDEN(tile) (IN_PLACE && WITHHELD(tile) && tile != recomputed)

inline look_back(tile) {
    begin = tile;
    do
    :: begin == 0 -> break
    :: else ->
        /* Whatever goes on for ever passes here again and again: if no cycle does, there is none. */
accept_look:
        if                /* With a first word of 0, the second does not matter. */
        :: HIDDEN(begin - 1)
        :: !HIDDEN(begin - 1) -> seen = WORD(begin - 1, 0); if :: seen -> see(1) :: else fi
        :: !HIDDEN(begin - 1) -> seen = WORD(begin - 1, 1); if :: seen -> see(0) :: else fi
        fi;
        seen = 0;
        if
        :: ready -> ready = 0; polls = 0
        :: !ready && FALLBACK && polls == POLLS -> polls = 0; recompute(begin - 1)
        :: else -> polls = polls + FALLBACK
        fi
    od;
    recomputed = NO_TILE
}

/* ---- A group has two tiles: one held until what comes before it is known, one on its way ---- */

proctype group(byte me) {
    byte tile = NO_TILE, held = NO_TILE, next = NO_TILE, recomputed = NO_TILE, begin, seen, other, sum, polls, whole, limit, k;
    bit ready, reload, last;
    {
        atomic { resident < RESIDENT && COMES(me) -> resident++; arrived++; draw(tile); clean() }
        do
        :: tile == NO_TILE && held == NO_TILE -> break
        :: else ->
            if :: !LATE_DRAW -> draw_next() :: else fi;
            if :: tile < tiles -> publish(tile) :: else fi;
            if :: held < tiles -> look_back(held); finish(held) :: else fi;
            /* A recomputed tile has taken the place of the one that was on its way: that is loaded, summed and published again. */
            if :: reload && tile < tiles -> publish(tile) :: else fi;
            if :: LATE_DRAW -> draw_next() :: else fi;
            d_step { held = tile; tile = next; reload = 0 }
        od;
        resident--
    }
#ifdef STOPS
    unless { stopped == me }
#endif
}

/* ---- Run after run, with a barrier between ---- */

init {
    byte run_number, k; bool deadlock = true;
    run memory();
    do
    :: run_number < RUNS ->
        d_step {
            tiles = (run_number == 0 -> T0 : (run_number == 1 -> T1 : T2));
            half = parity; arrived = 0;
            assert(number == 0);
            do :: k < 2 * TILES -> assert(states[half * TILES * 2 + k] == 0); written[k / 2] = 0; k++ :: else -> k = 0; break od
        }
        atomic {
            do :: k < GROUPS -> run group(k); k++ :: else -> k = 0; break od;
        }
        if :: _nr_pr == 2 && !agg_due && !inc_due :: timeout -> assert(!deadlock) /* Nobody can go on. */ fi;
        d_step {
            do :: k < tiles -> assert(written[k] || stopped != NO_TILE); k++ :: else -> k = 0; break od;
            run_number++
        }
    :: else -> break
    od
}
