// Where an element goes: from what it counts itself, what comes before it, and what there is in all.
#if PARTITION
#import place_partition
#else
#import place_kept
#endif
