/* self-managed collections -- recompaction.pml
 *
 * compaction.pml as the code does it, and what that model leaves out:
 *   - rows are copied AHEAD of the move, without a lock; a writer of a frozen row leaves the mark W, and a marked row is copied again
 *     under its lock when it moves. Moving a row is then one exchange and two stores, and scans wait for little.
 *   - a scan that arrives while rows move does not wait for the compactor, which may have lost its processor: it moves what is left itself
 *     and reads the target. Whoever locks a row moves it; a row whose location is the target already is let go as it was.
 *   - ROUNDS compactions in a row (the target of one is the old block of the next) under one scan in one section, or one in a section
 *     per block that follows its rows through the chain of departures. Old blocks are freed whenever two epochs have passed, also while
 *     the next compaction is under way.
 *
 * NOBJ objects, one per block; copy c of object o is in the block of round c. word[o] = incarnation (bits 0-1, odd = dead), F, K, W.
 * list = the round whose target is in the block list; grp = list + 1 while the list shows a group (one object in the code, read at once).
 *
 *   compactor  per round: list shows the group; F; grace; per object clear W, copy; phase MOVING; settle each object; list, phase DONE; stamp
 *   settle     frozen: K, copy again if W, swing, unlock; dead before it moved: its copy is dropped; else it has moved
 *   writer     word == (inc,0): in place; frozen: K, write, store F and W
 *   scan       one section: list and group once; PRE -> the old copy, else settle the objects unless DONE -> the new one
 *              many sections: per section list and group; where the list has gone on, the piece follows it departure by departure
 *
 * Safety: L, A, P, M, R, E, D of compaction.pml.
 * Processes: the compactor and one writer (WSECT sections); -DREADER, -DREMOVER, -DSCAN, -DSCAN -DLONGSCAN.
 * Seeded mutants: M_NOMARK (writer leaves no W) M_COPYFIRST (copy before the grace) M_CLEARLATE (W cleared after the copy)
 *   M_HELPAGAIN (a row that has moved is moved again) M_HELPLOCKED (a scan takes a locked row for moved)
 *   M_HELPDEAD (a scan leaves the copy of a dead row to the compactor)
 *   M_FORGETSECOND (a long scan follows only the last departure) M_DECIDELATE (a scan in one section looks at the phase again for each block)
 */
#ifndef NOBJ
#define NOBJ 1
#endif
#ifndef WSECT
#define WSECT 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define NC (ROUNDS + 1)
#define AT(o, c) (NC * (o) + (c))
#define F 4
#define K 8
#define W 16
#define INC(w) ((w) & 3)
#define FREE 0
#define VALID 1
#define LIMBO 2
#define POISON 99
#define PRE 0
#define MOVING 1
#define DONE 2
#define RD 0
#define RM 1
#define SC 2
#define WR 3
#define NT 4
#ifdef READER
#define HAS_R 1
#else
#define HAS_R 0
#endif
#ifdef REMOVER
#define HAS_M 1
#else
#define HAS_M 0
#endif
#ifdef SCAN
#define HAS_S 1
#else
#define HAS_S 0
#endif

byte G = 1; byte slot[NT];
byte word[NOBJ], loc[NOBJ], data[NC * NOBJ], state[NC * NOBJ];
byte list, grp, phase[ROUNDS], stamp[ROUNDS]; bool freed[ROUNDS];
bool chosen[NC * NOBJ];
byte cur[NOBJ]; bool removed[NOBJ], gone[NOBJ];                                 /* ghosts; gone: Remove has returned */
bool up; byte running = 1 + HAS_R + HAS_M + HAS_S;

inline enter(me) { do :: L = G; slot[me] = L + 1; if :: G == L -> break :: else fi od; L = 0 }
inline leave(me) { slot[me] = 0 }

/* the compactor alone advances; what is due is freed with the advance */
inline advance_until(target) {
  do :: G >= target -> break
     :: else ->
        e = G; k = 0;
        do :: k < NT -> if :: slot[k] == 0 || slot[k] == e + 1 -> k++ fi :: else -> break od;
        atomic {
          G = e + 1; k = 0;
          do :: k < ROUNDS ->
                if :: stamp[k] != 0 && !freed[k] && G >= stamp[k] + 2 ->
                      freed[k] = true; q = 0;
                      do :: q < NOBJ -> data[AT(q, k)] = POISON; state[AT(q, k)] = FREE; q++ :: else -> break od; q = 0
                   :: else
                fi; k++
             :: else -> break
          od; k = 0; e = 0
        }
  od
}

inline copy_ahead() {
  do
  :: o < NOBJ ->
     if
     :: INC(word[o]) == 1 -> skip                                               /* dead: not copied */
#ifndef M_CLEARLATE
     :: atomic { word[o] == (F | W) -> word[o] = F }; t = data[AT(o, r)]; data[AT(o, r + 1)] = t; chosen[AT(o, r)] = true; state[AT(o, r + 1)] = VALID; t = 0
#else
     :: word[o] == (F | W) -> t = data[AT(o, r)]; data[AT(o, r + 1)] = t; chosen[AT(o, r)] = true; state[AT(o, r + 1)] = VALID; t = 0;
        if :: atomic { word[o] == (F | W) -> word[o] = F } :: word[o] != (F | W) fi
#endif
     :: word[o] == F -> t = data[AT(o, r)]; data[AT(o, r + 1)] = t; chosen[AT(o, r)] = true; state[AT(o, r + 1)] = VALID; t = 0
     fi; o++
  :: else -> break
  od; o = 0
}

/* the move of object x in round n, by the compactor or by a scan */
inline settle(x, n, is_compactor) {
  do
  :: atomic { word[x] == F || word[x] == (F | W) -> w = word[x]; word[x] = F | K };
     if
#ifndef M_HELPAGAIN
     :: loc[x] == n + 1 -> word[x] = w                                          /* moved, and frozen by the next compaction */
#endif
     :: else ->
        assert(loc[x] == n);
        if :: w == (F | W) -> t = data[AT(x, n)]; data[AT(x, n + 1)] = t; t = 0 :: else fi;
        loc[x] = n + 1; word[x] = 0
     fi; w = 0; break
  :: INC(word[x]) == 0 && (word[x] & K) ->
#ifdef M_HELPLOCKED
     if :: is_compactor -> !(word[x] & K) :: !is_compactor -> break fi
#else
     !(word[x] & K)
#endif
  :: word[x] == 0 -> break
  :: INC(word[x]) == 1 ->
#ifdef M_HELPDEAD
     if :: is_compactor && loc[x] != n + 1 -> state[AT(x, n + 1)] = LIMBO :: else fi; break
#else
     if :: loc[x] != n + 1 -> state[AT(x, n + 1)] = LIMBO :: else fi; break
#endif
  od
}

active proctype Compactor() {
  byte o = 0, r = 0, t, w, g, e, k, q;
  atomic { do :: o < NOBJ -> state[AT(o, 0)] = VALID; o++ :: else -> break od; o = 0; up = true };
  do
  :: r < ROUNDS ->
     grp = r + 1;
     do :: o < NOBJ -> atomic { if :: word[o] == 0 -> word[o] = F :: else fi }; o++ :: else -> break od; o = 0;
#ifdef M_COPYFIRST
     copy_ahead();
#endif
     g = G; advance_until(g + 2); g = 0;
#ifndef M_COPYFIRST
     copy_ahead();
#endif
     phase[r] = MOVING;
     do :: o < NOBJ -> if :: chosen[AT(o, r)] -> settle(o, r, true) :: else fi; o++ :: else -> break od; o = 0;
     atomic { list = r + 1; grp = 0 };
     phase[r] = DONE;
     stamp[r] = G; r++
  :: else -> break
  od;
  g = G; advance_until(g + 2);
  (running == 0);
  do :: o < NOBJ ->
        if :: !removed[o] -> assert(word[o] == 0 && loc[o] == ROUNDS && data[AT(o, ROUNDS)] == cur[o] && state[AT(o, ROUNDS)] == VALID)
           :: removed[o] -> assert(word[o] == 1 && state[AT(o, ROUNDS)] != VALID)
        fi; o++
     :: else -> break
  od
}

#define PICK if :: o = 0 :: o = NOBJ - 1 fi
#define ALIVE(c) ((c) == ROUNDS || !freed[c])
inline put(o, p) { atomic { assert(ALIVE(p)); assert(removed[o] || loc[o] == p); cur[o] = cur[o] + 1; data[AT(o, p)] = cur[o] } }

active proctype Writer() {
  byte L, o, p, w, turn = 0;
  up;
  do
  :: turn < WSECT ->
     PICK; enter(WR);
     do
     :: w = word[o];
        if :: INC(w) != 0 -> assert(removed[o]); break
           :: w == 0 -> p = loc[o]; put(o, p); put(o, p); break
           :: INC(w) == 0 && (w & K) -> !(word[o] & K)
           :: w == F || w == (F | W) ->
              if :: atomic { word[o] == w -> word[o] = F | K }; p = loc[o]; put(o, p);
#ifdef M_NOMARK
                    word[o] = F; break
#else
                    word[o] = F | W; break
#endif
                 :: atomic { word[o] != w -> skip }
              fi
        fi
     od;
     leave(WR); turn++; p = 0; w = 0
  :: else -> break
  od;
  atomic { running-- }
}

#ifdef READER
active proctype Reader() {
  byte L, o, p, w, v, lo;
  up;
  PICK; enter(RD);
  lo = cur[o]; w = word[o];
  if :: INC(w) == 0 ->
        p = loc[o]; v = data[AT(o, p)]; assert(v != POISON && v >= lo);         /* A */
        lo = v; v = data[AT(o, p)]; assert(v != POISON && v >= lo);             /* P */
        lo = cur[o]; w = word[o];
        if :: INC(w) == 0 -> p = loc[o]; v = data[AT(o, p)]; assert(v != POISON && v >= lo)
           :: else -> assert(removed[o])
        fi
     :: else -> assert(removed[o])
  fi;
  leave(RD); atomic { running-- }
}
#endif

#ifdef REMOVER
active proctype Remover() {
  byte L, o, l, w; bool ok;
  up;
  enter(RM);
  do
  :: w = word[o]; assert(INC(w) == 0);
     if :: (w & K) -> !(word[o] & K)
        :: else ->
           atomic { if :: word[o] == w -> word[o] = 1; removed[o] = true; ok = true :: else fi };
           if :: ok -> break :: else fi
     fi
  od;
  l = loc[o];
  assert(ALIVE(l));
  state[AT(o, l)] = LIMBO; gone[o] = true;
  leave(RM); atomic { running-- }
}
#endif

#ifdef SCAN
#define LOOK(o, c) if :: state[AT(o, c)] == VALID -> v = data[AT(o, c)]; \
                         assert(ALIVE(c) && v != POISON && v >= lo[o] && !before[o]); seen[o]++ \
                      :: else -> assert(ALIVE(c)) fi
inline help(r) {
  h = 0;
  do :: h < NOBJ && phase[r] != DONE -> if :: chosen[AT(h, r)] -> settle(h, r, false) :: else fi; h++ :: else -> break od; h = 0
}
active proctype Scan() {
  byte L, o = 0, v, c, n, t, w, h; byte lo[NOBJ], seen[NOBJ]; bool before[NOBJ], has;
  up;
  enter(SC);
  atomic { do :: o < NOBJ -> lo[o] = cur[o]; before[o] = gone[o]; o++ :: else -> break od; o = 0 };
#ifndef LONGSCAN
  atomic { c = list; has = (grp == c + 1) };
  n = c;
  do
  :: o < NOBJ ->
#ifndef M_DECIDELATE
     if :: o == 0 && has -> if :: phase[c] == PRE -> skip :: phase[c] == MOVING -> help(c); n = c + 1 :: phase[c] == DONE -> n = c + 1 fi
#else
     if :: has -> if :: phase[c] == PRE -> skip :: phase[c] != PRE -> n = c + 1 fi
#endif
        :: else
     fi;
     LOOK(o, n); o++
  :: else -> break
  od;
#else
  c = list;
  do
  :: o < NOBJ ->
     do
     :: atomic { n = list; has = (grp == n + 1) };
#ifdef M_FORGETSECOND
        if :: n == c + 1 -> c = n :: else fi;
#else
        if :: n > c -> c = n :: else fi;                                        /* it may be ahead of the list, by the group that it settled */
#endif
        if :: has && c == n && phase[n] != PRE -> help(n); c = n + 1; n = 0
           :: else -> break
        fi
     od;
     LOOK(o, c);
     o++; leave(SC); enter(SC)
  :: else -> break
  od;
#endif
  o = 0;
  do :: o < NOBJ -> assert(seen[o] <= 1 && (removed[o] || seen[o] == 1)); o++ :: else -> break od;
  leave(SC); atomic { running-- }
}
#endif
