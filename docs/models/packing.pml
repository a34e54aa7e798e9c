/* self-managed collections -- packing.pml
 *
 * Pages of entries that are packed and restored (src/Smc.Memory/Indirection/PackedEntries.cs).
 *
 * One id. Its entry in place is (word, loc); a packed page holds (pword[r], ploc[r]) in round r, and "table" names the round whose packed page is
 * current, or NONE. Words: 0, LIVE(k), DEAD(k) for the k-th row behind the id. Two slots; data[s] is the row stored in slot s.
 * The owner packs, discards and restores ROUNDS times: one thread after the other in the code, under the compaction gate or the context's lock.
 *
 * A grace waits until every thread that is in a critical section when it begins has left that section, which is what two epochs give (epoch.pml).
 *
 * Safety
 *   F  a handle to row 0 finds it unless it was removed, and what is found has its row's data until the section ends;
 *   R  a row that was removed is not found by whoever looks afterwards, and one remover of row 0 succeeds;
 *   N  a handle to row 0 never finds a later row behind the same id;
 *   Z  nobody reads a packed page that was freed, or a location that was discarded.
 *
 * Seeded mutants, each must be caught:
 *   M_NOGRACE    the page in place is discarded at once      M_NOSECTION  the packer is in no critical section
 *   M_FORGETPACK a removal while packing is overlooked       M_FORGETREST a removal while restoring is overlooked
 *   M_ANEW       ids begin anew when they are restored       M_EARLY      a page is restored before it is discarded
 *   M_FREED      a packed page is freed when it is restored  M_ONELOOK    who finds no packed page does not look again
 *   M_AGAIN      a page is packed again as soon as it is restored
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif
#define NONE 9
#define POISON 99
#define LIVE(k) (2 * (k) + 1)
#define DEAD(k) (2 * (k) + 2)
#define IS_LIVE(w) ((w) % 2 == 1)
#define LOCKED 32                     /* added to a live word of a packed page while it is restored */
#define READER 0
#define REMOVER 1
#define OWNER 2
#define NT 3

byte word = LIVE(0), loc = 1;         /* the entry in place; loc 0 = discarded */
byte table = NONE;
byte pword[ROUNDS], ploc[ROUNDS];
bool isFree = false;                  /* the id is among the free ones */
bool toFree = false;                  /* it goes there when its page is restored */
byte data[3];                         /* by location; location 1 has row 0 */
byte section[NT];                     /* odd: inside */
bool removed = false;                 /* row 0 was removed, and the remover knows */
bool dead = false;                    /* some remover has killed row 0 */
bool reused = false;

inline enter(t) { section[t]++ }
inline leave(t) { section[t]++ }
inline grace(me, s0, s1, s2) {
  atomic { s0 = section[READER]; s1 = section[REMOVER]; s2 = section[OWNER] };
  ((s0 % 2 == 0 || section[READER] != s0 || me == READER) && (s1 % 2 == 0 || section[REMOVER] != s1 || me == REMOVER)
    && (s2 % 2 == 0 || section[OWNER] != s2 || me == OWNER));
  s0 = 0; s1 = 0; s2 = 0
}

/* w = current word, r = NONE if it is in place, else the round of the packed page */
inline current(w, r) {
  do
  :: w = word; r = NONE;
     if :: w != 0 -> break :: else fi;
     r = table;
     if
     :: r == NONE ->
#ifndef M_ONELOOK
        w = word;
#endif
        break
     :: else ->
        assert(pword[r] != POISON);                              /* Z */
        w = pword[r];
        if :: w != 0 -> break :: else fi
     fi
  od
}

active proctype Reader() {
  byte w, r, l, turn = 0; bool goneBefore;
  do
  :: turn < TURNS ->
     turn++;
     goneBefore = removed;
     enter(READER);
     current(w, r);
     if
     :: w % LOCKED == LIVE(0) ->
        assert(!goneBefore);                                     /* R, N */
        if :: r == NONE -> l = loc :: else -> assert(pword[r] != POISON); l = ploc[r] fi;
        assert(l != 0 && l != POISON);                           /* Z */
        assert(data[l] == 0);                                    /* F */
        skip;
        assert(data[l] == 0)
     :: else -> assert(dead)                                     /* F */
     fi;
     leave(READER);
     w = 0; r = 0; l = 0
  :: else -> break
  od
}

active proctype Remover() {
  byte w, r, l; bool killed;
  byte s0, s1, s2;
  enter(REMOVER);
  do
  :: current(w, r);
     if :: w % LOCKED != LIVE(0) -> break :: else fi;
     if
     :: w >= LOCKED -> skip                                      /* waits */
     :: else ->
        atomic {
          if
          :: r == NONE && word == w -> word = DEAD(0); killed = true; dead = true
          :: r != NONE && pword[r] == w -> pword[r] = DEAD(0); killed = true; dead = true
          :: else
          fi
        };
        if :: killed -> break :: else fi
     fi
  od;
  assert(killed);                                                /* R: there is no other remover */
  if :: r == NONE -> l = loc :: else -> l = ploc[r] fi;
  assert(l != 0 && l != POISON && data[l] == 0);
  removed = true;
  leave(REMOVER);
  w = 0; r = 0;
  /* two epochs later the slot is used again */
  grace(REMOVER, s0, s1, s2);
  if
  :: atomic { table == NONE -> data[l] = 1 };                    /* with its id: a cursor looks at the table, without the lock */
     loc = l; word = w + LIVE(1); reused = true
  :: atomic { table != NONE -> toFree = true; data[l] = 7 }      /* with another id; this one is free when its page is restored */
  :: data[l] = 7; atomic { if :: table == NONE -> isFree = true :: else -> toFree = true fi }
  fi;
  /* a new row with a free id */
  if
  :: atomic { isFree -> isFree = false };
     data[l] = 1; loc = l;
     word = (word == 0 -> LIVE(0) : word + 1);                   /* the next incarnation; the first of the range if there was none */
     reused = true
  :: skip
  fi
}

active proctype Owner() {
  byte round = 0, w; bool found;
  byte s0, s1, s2;
  do
  :: round < ROUNDS ->
     found = false;
     /* pack */
#ifndef M_NOSECTION
     enter(OWNER);
#endif
     w = word;
     if
     :: atomic { isFree -> isFree = false; toFree = true }; pword[round] = 0; found = true    /* a free id is not kept */
     :: !isFree && IS_LIVE(w) ->
        ploc[round] = loc; pword[round] = w;
        table = round;
        atomic { if :: word == w -> word = 0; w = 0 :: else fi };
        if
        :: w != 0 ->
#ifndef M_FORGETPACK
           pword[round] = word;
#endif
           word = 0
        :: else
        fi;
        found = true
     :: else                                                     /* in limbo or reserved: the page stays */
     fi;
     if :: toFree && table == NONE && found -> table = round; pword[round] = 0 :: else fi;
#ifndef M_NOSECTION
     leave(OWNER);
#endif
     if
     :: found ->
#ifndef M_EARLY
#ifndef M_NOGRACE
        grace(OWNER, s0, s1, s2);
#endif
        atomic { if :: toFree && pword[round] == 0 -> word = 0 :: else fi; loc = 0 };
#endif
        /* restore */
        if
        :: pword[round] == 0 ->                                  /* not in use when it was packed */
#ifdef M_ANEW
           word = 0;
#else
           word = DEAD(1);                                       /* the highest of the page */
#endif
        :: else ->
           w = pword[round];
#ifndef M_FORGETREST
           if :: IS_LIVE(w) -> atomic { if :: pword[round] == w -> pword[round] = w + LOCKED :: else -> w = pword[round] fi } :: else fi;
#endif
           loc = ploc[round];
           word = w;
           pword[round] = 0
        fi;
        atomic { table = NONE; if :: toFree -> toFree = false; isFree = true :: else fi };
#ifdef M_EARLY
        atomic { word = 0; loc = 0 };
#endif
#ifndef M_FREED
#ifndef M_AGAIN
        grace(OWNER, s0, s1, s2);                                /* before the packed page is freed, and before the page is packed again */
#endif
#endif
#ifndef M_AGAIN
        pword[round] = POISON; ploc[round] = POISON
#endif
     :: else
     fi;
     w = 0;
     round++
  :: else -> break
  od;
  /* R: nothing was forgotten */
  assert(!removed || word != LIVE(0))
}
