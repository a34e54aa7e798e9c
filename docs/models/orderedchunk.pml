/* self-managed collections -- orderedchunk.pml
 *
 * The chunks of an ordered map (after Oak): three keys, present at first, in chunks [0, 2) and [2, 3). Each chunk has a latch, a mark "frozen", bounds that
 * never change, and a word for each key: the number of a value's slice, 0 if the key is absent. The index is exchanged as a whole, so finding
 * the chunk of a key is one step.
 *
 *   setter     finds the chunk, takes its latch, looks at "frozen" (then anew), exchanges the word, leaves the latch, deletes the slice that was there
 *   remover    the same with word 0
 *   getter     finds the chunk, reads the word, reads the slice; a slice that is deleted has lost its word: anew
 *   rebalancer takes the latch, copies word by word, shows the new chunks, freezes the old one, leaves the latch; frees it when nobody is inside who may have
 *              found it. Splits [0, 2), then merges the halves again
 *   ascending  (-DASC) reads the chunk that holds its place, word by word; its place is then the chunk's upper bound
 *   descending (-DDESC) reads the chunk with the greatest lower bound below its place; its place is then the chunk's lower bound
 *
 * Safety
 *   C1  nothing is lost: at the end the words in the index are those that were put last
 *   C2  a get returns what the key had at one moment between its call and its return (all words that it had meanwhile are in a mask)
 *   C3  a scan returns every key that is present from its beginning to its end, none that is absent all the time, and none twice
 *   C4  nobody reads a chunk that was freed
 *
 * Seeded mutants, each must be caught:
 *   M_COPYFIRST   copies before it takes the latch: loses a put         M_FREEZELATE  freezes after it has left the latch: loses a put
 *   M_IGNORE      a setter does not look at "frozen": its put is lost   M_FREE        frees the old chunk at once
 *   M_DEAD        a getter takes a deleted slice for an absent key
 *   M_ANEW        (ASC) begins with the first key of the next chunk, not at its own place: a key twice after a merge
 *   M_KEPT        (DESC) decides on entering a chunk which one comes before it: skips the upper half after a split
 */
#define NK 3
#define NC 5
#define W(c, k) word[(c) * NK + (k)]

byte word[NC * NK]; byte home[NK];     /* the index: the chunk of each key */
byte low[NC], high[NC];
bool latch[NC], frozen[NC], freed[NC];
bool alive[8];                       /* slices: 1..3 from the beginning, 4 and 5 of the setters */
byte inside;                         /* threads in critical sections */
byte now[NK];                        /* ghost: the last word of each key */
byte mask;                           /* ghost: words that key 1 had while the getter was at work */
bool present[NK], absent[NK]; byte found[NK];   /* ghosts of the scan */
bool ready;
byte ended;
#define NPROC 4                      /* setter, remover, rebalancer, and a getter or a scan */

inline note(k, w) {                  /* in the same atomic step as the change of the word */
  now[k] = w;
  if :: k == 1 -> mask = mask | (1 << w) :: else fi;
  if :: w == 0 -> present[k] = false :: else -> absent[k] = false fi
}

inline change(k, w) {
  ready;
  do
  :: atomic { inside++; c = home[k] };
     atomic { !latch[c] -> latch[c] = true; assert(!freed[c]) };
     atomic {
       if
#ifndef M_IGNORE
       :: frozen[c] -> latch[c] = false; inside--
#endif
       :: else -> old = W(c, k); W(c, k) = w; note(k, w); break
       fi
     }
  od;
  atomic { latch[c] = false; inside-- };
  if :: old != 0 -> atomic { assert(alive[old]); alive[old] = false } :: else fi
}

active proctype Setter() {           /* a new value for key 1 */
  byte c, old;
  change(1, 4); ended++
}

active proctype Remover() {          /* key 1 goes; or key 0, which comes back */
  byte c, old;
#ifdef REMOVE0
  change(0, 0);
  change(0, 5);
#else
  change(1, 0);
#endif
  ended++
}

active proctype Rebalancer() {
  bool both;
  ready;
#ifndef M_COPYFIRST
  atomic { !latch[0] -> latch[0] = true };
#endif
  atomic { W(2, 0) = W(0, 0); W(3, 1) = W(0, 1) };
#ifdef M_COPYFIRST
  atomic { !latch[0] -> latch[0] = true };
#endif
  atomic { low[2] = 0; high[2] = 1; low[3] = 1; high[3] = 2; home[0] = 2; home[1] = 3 };
#ifdef M_FREEZELATE
  latch[0] = false;
  frozen[0] = true;
#else
  atomic { frozen[0] = true; latch[0] = false };
#endif
#ifdef M_FREE
  freed[0] = true;
#else
  atomic { inside == 0 -> freed[0] = true };
#endif
  /* the halves become one again; who does not get the second latch goes without */
  atomic { !latch[2] -> latch[2] = true };
  atomic { if :: !latch[3] -> latch[3] = true; both = true :: else fi };
  if :: both ->
        atomic { W(4, 0) = W(2, 0); W(4, 1) = W(3, 1) };
        atomic { low[4] = 0; high[4] = 2; home[0] = 4; home[1] = 4 };
        atomic { frozen[2] = true; frozen[3] = true; latch[3] = false; latch[2] = false };
        atomic { inside == 0 -> freed[2] = true; freed[3] = true }
     :: else -> latch[2] = false
  fi;
  ended++
}

inline get(k) {                      /* leaves the slice that it read in w, 0 if there is none */
  do
  :: atomic { inside++; c = home[k] };
     atomic { assert(!freed[c]); w = W(c, k); inside-- };
     if :: w == 0 -> break
        :: else ->
           if :: alive[w] -> break
#ifdef M_DEAD
              :: else -> w = 0; break
#else
              :: else -> skip
#endif
           fi
     fi
  od
}

#ifdef ASC
active proctype Ascending() {
  byte place = 0, c, k, w, at;
  atomic { ready; do :: k < NK -> present[k] = (now[k] != 0); absent[k] = (now[k] == 0); k++ :: else -> break od };
  do
  :: place < NK ->
     atomic { inside++; at = home[place] };
     assert(!freed[at]);
     k = place;
#ifdef M_ANEW
     k = low[at];
#endif
     do
     :: k < high[at] ->
        atomic { assert(!freed[at]); w = W(at, k) };
        if :: w != 0 ->
              if :: !alive[w] -> get(k) :: else fi;
              if :: w != 0 -> found[k]++; assert(found[k] == 1) :: else fi
           :: else fi;
        k++
     :: else -> break
     od;
     place = high[at];
     inside--
  :: else -> break
  od;
  atomic { k = 0; do :: k < NK -> assert(!present[k] || found[k] == 1); assert(!absent[k] || found[k] == 0); k++ :: else -> break od };
  ended++
}
#else
#ifdef DESC
active proctype Descending() {
  byte place = NK, c, k, w, at, kept = 255;
  atomic { ready; do :: k < NK -> present[k] = (now[k] != 0); absent[k] = (now[k] == 0); k++ :: else -> break od };
  do
  :: place > 0 ->
     atomic { inside++; at = home[place - 1];
#ifdef M_KEPT
       if :: kept != 255 -> at = home[kept] :: else fi;
       if :: low[at] > 0 -> kept = low[home[low[at] - 1]] :: else fi
#endif
     };
     assert(!freed[at]);
     k = place;
     do
     :: k > low[at] ->
        k--;
        if :: k < high[at] ->
              atomic { assert(!freed[at]); w = W(at, k) };
              if :: w != 0 ->
                    if :: !alive[w] -> get(k) :: else fi;
                    if :: w != 0 -> found[k]++; assert(found[k] == 1) :: else fi
                 :: else fi
           :: else fi
     :: else -> break
     od;
     place = low[at];
     inside--
  :: else -> break
  od;
  atomic { k = 0; do :: k < NK -> assert(!present[k] || found[k] == 1); assert(!absent[k] || found[k] == 0); k++ :: else -> break od };
  ended++
}
#else
active proctype Getter() {
  byte c, w;
  atomic { ready; mask = 1 << now[1] };
  get(1);
  atomic { assert((mask >> w) & 1) };
  ended++
}
#endif
#endif

init {
  atomic {
    W(0, 0) = 1; W(0, 1) = 2; W(1, 2) = 3;
    now[0] = 1; now[1] = 2; now[2] = 3;
    home[0] = 0; home[1] = 0; home[2] = 1;
    low[0] = 0; high[0] = 2; low[1] = 2; high[1] = 3;
    alive[1] = true; alive[2] = true; alive[3] = true; alive[4] = true; alive[5] = true; ready = true
  };
  /* C1 */
  (ended == NPROC) -> assert(W(home[0], 0) == now[0] && W(home[1], 1) == now[1] && W(home[2], 2) == now[2])
}
