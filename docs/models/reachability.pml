/* self-managed collections -- reachability.pml
 *
 * Retired rows are freed when no stored reference leads to them from a row that is not retired; handles in managed memory do not count.
 *
 * Rows: X live (or a key of a map that is a root: a put is a store, the removal of the key a clear, and a key that moves to another chunk a row that moves); L live, may be retired; N a draft, may be published; C0, C1 retired before the first scan. Each has one reference.
 * A mutator holds handles that nobody else knows of (h), loads references, stores, clears, retires and publishes, in write windows as in snapshot.pml.
 *
 *   scan      take the buffer of retired rows: the candidates. phase := SCANNING. Wait until each window of that moment has ended.
 *             References of all live rows, block by block: mark the candidates that they name. Trace: references of marked candidates.
 *   decide    phase := DECIDING; wait for windows again; mark what rows refer to that were retired since the candidates were taken (a scan of
 *             blocks may have missed them). If there is something to trace, or a mutator has set the phase back: trace, decide again;
 *             else CAS DECIDING -> CONDEMNED: candidates without a mark are removed, one by one. phase := IDLE; the others wait again.
 *   barrier   before a reference is stored (and before and after a row is published, for each of its references), in the same window:
 *             SCANNING: mark the target if it is a candidate. DECIDING: set the phase back to SCANNING, then mark. CONDEMNED: a target without a
 *             mark counts as removed, null is stored.
 *
 * Safety
 *   U  at the decision each candidate that is reachable is marked; a row that is removed is not reachable at that moment
 *   C  when the mutators have ended, one more scan removes every retired row that is not reachable, cycles included
 *   D  no deadlock
 * -DMOVES: a compactor moves X, L and C0, at any time. A scan finds where a row is and reads its reference later, so it may read the copy that is left behind; it follows rows
 *   that move before their turn. Retiring takes two steps, as in the code: the id's bit, then the row is hidden. Candidates are taken by that bit.
 * -DDRAFTS: N is no row that is added with its references, but a draft for an initialiser: it begins with a look at how many scans have condemned rows, gets references by stores, and is
 *   shown. No scan reads the references of a draft. When it is shown and some scan has condemned rows since it began, references to rows that are gone become null. At the beginning no row leads to C0.
 *   F  a draft that was shown refers to no row that a scan removed, but for one that was gone when it was stored
 * ROUNDS scans under NM mutators of TURNS operations each, and one after them. -DSMALL: a mutator begins with C1 and leaves the reference of C0 alone.
 * Seeded mutants: M_NOBARRIER M_DELETION (the barrier marks what is overwritten, not what is stored: snapshot at the beginning)
 *   M_NOWAIT1, M_NOWAIT2 (the first, the second wait is left out) M_PUBLISH (no barrier when a row is published)
 *   M_PUBLISHONCE (only before) M_REST (references of rows retired during the scan are not looked at) M_AFTER (the barrier comes after the window)
 *   M_NOTBACK (a mutator marks without setting the phase back) M_CONDEMNED (what is condemned can be stored) M_LATE (candidates taken
 *   after the wait) M_UNTRACED (what the barrier marks is not traced) M_FORGET (rows that survive a scan do not wait for the next)
 *   M_ROUTE (with MOVES: a row that moves before its turn is not seen)
 *   M_DRAFT (with DRAFTS: a draft that is shown keeps all references) M_DRAFTSEEN (it looks at the number of scans when it is shown, not when it begins)
 *   M_DRAFTCOUNT (a scan counts itself when it has removed its rows) M_DRAFTBARE (no barrier when it is shown)
 */
#ifndef NM
#define NM 1
#endif
#ifndef TURNS
#define TURNS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#define X 0
#define L 1
#define N 2
#define C0 3
#define C1 4
#define NR 5
#define NIL 9
#define DRAFT 0
#define LIVE 1
#define RETIRED 2
#define DEAD 3
#define UNBORN 4
#define IDLE 0
#define SCANNING 1
#define DECIDING 2
#define CONDEMNED 3

byte ref[NR], st[NR], phase;
#ifdef MOVES
byte old[NR];                       /* what the copy says that a move left behind */
bool moved[NR];
#endif
#ifdef DRAFTS
byte verdicts;
bool stale;                         /* ghost: N refers to a row that was gone when that was stored */
#endif
bool buffered[NR], cand[NR], marked[NR], traced[NR], win[NM], reach[NR], up;
byte running = NM;

/* ghost: what leads where from live rows */
inline closure() {
  d_step {
    i = 0; do :: i < NR -> reach[i] = (st[i] == LIVE); i++ :: else -> break od;
    k = 0;
    do :: k < 3 ->
          i = 0; do :: i < NR -> if :: reach[i] && ref[i] != NIL -> if :: st[ref[i]] == RETIRED -> reach[ref[i]] = true :: else fi :: else fi; i++ :: else -> break od;
          k++
       :: else -> break
    od; i = 0; k = 0
  }
}

inline mark(t) { if :: t != NIL -> atomic { if :: cand[t] && !marked[t] -> marked[t] = true :: else fi } :: else fi }
/* t := the reference of row i, which may be moving */
inline read_reference() {
#ifdef MOVES
  wasmoved = moved[i];
  t = (wasmoved == moved[i] -> ref[i] : old[i]);
  wasmoved = false
#else
  t = ref[i]
#endif
}
inline follow() {
  i = 0;
  do
  :: i < NR ->
     if :: marked[i] && !traced[i] -> traced[i] = true; read_reference(); mark(t); t = 0; i = 0
        :: else -> i++
     fi
  :: else -> break
  od; i = 0
}
inline take_buffer() {
  d_step { i = 0; do :: i < NR -> 
#ifdef MOVES
        cand[i] = (buffered[i] && st[i] != DEAD);
#else
        cand[i] = (buffered[i] && st[i] == RETIRED);
#endif
        buffered[i] = false; marked[i] = false; traced[i] = false; i++ :: else -> break od; i = 0 }
}
inline windows() { m = 0; do :: m < NM -> !win[m]; m++ :: else -> break od; m = 0 }

inline collect() {
#ifndef M_LATE
  take_buffer();
#endif
  phase = SCANNING;
#ifndef M_NOWAIT1
  windows();
#endif
#ifdef M_LATE
  take_buffer();
#endif
    i = 0;
  do
  :: i < C0 ->
     if
#ifdef M_ROUTE
     :: st[i] == LIVE && !moved[i] -> read_reference(); mark(t)
#else
     :: st[i] == LIVE -> read_reference(); mark(t)
#endif
     :: else
     fi; i++
  :: else -> break
  od; i = 0; t = 0;
  do
  :: follow();
     phase = DECIDING;
#ifndef M_NOWAIT2
     windows();
#endif
#ifndef M_REST
     i = 0; do :: i < NR -> if :: buffered[i] -> read_reference(); mark(t) :: else fi; i++ :: else -> break od; i = 0; t = 0;
#endif
     grey = false;
#ifndef M_UNTRACED
     d_step { i = 0; do :: i < NR -> if :: marked[i] && !traced[i] -> grey = true :: else fi; i++ :: else -> break od; i = 0 };
#endif
     if
     :: grey -> phase = SCANNING
     :: atomic { !grey && phase == DECIDING ->
          phase = CONDEMNED;
          closure();
          i = 0; do :: i < NR -> assert(!(cand[i] && reach[i]) || marked[i]); i++ :: else -> break od; i = 0   /* U */
        }; break
     :: !grey && phase == SCANNING -> skip
     fi
  od;
  grey = false;
#ifdef DRAFTS
#ifndef M_DRAFTCOUNT
  verdicts++;
#endif
#endif
  do
  :: i < NR ->
     if
     :: cand[i] && !marked[i] ->
        k = i; i = 0;
        atomic { j = k; k = 0; closure(); assert(!reach[j]); i = j; st[j] = DEAD; ref[j] = NIL; j = 0;          /* U */
#ifdef DRAFTS
          cand[i] = false                    /* who dies is no candidate any more, so a handle of it is stored as it is */
#endif
        }
     :: cand[i] && marked[i] ->
#ifndef M_FORGET
        buffered[i] = true
#else
        skip
#endif
     :: else
     fi; i++
  :: else -> break
  od; i = 0;
#ifdef M_DRAFTCOUNT
  verdicts++;
#endif
  phase = IDLE
}

active proctype Collector() {
  byte i, k, t, j, m, round = 0; bool grey;
#ifdef MOVES
  bool wasmoved;
#endif
  atomic {
    ref[X] = L; ref[L] = C0; ref[C0] = C1; ref[C1] = C0; ref[N] = NIL;
    st[X] = LIVE; st[L] = LIVE; st[C0] = RETIRED; st[C1] = RETIRED; buffered[C0] = true; buffered[C1] = true;
#ifdef DRAFTS
    st[N] = UNBORN; ref[L] = NIL;
#endif
    up = true
  };
  do
  :: round < ROUNDS -> collect(); round++
  :: else -> break
  od;
  (running == 0);
  collect();
  closure();
  do :: i < NR -> assert(st[i] != RETIRED || reach[i]); i++ :: else -> break od                       /* C */
}

/* before t is stored; t := NIL if it counts as removed */
inline barrier(t) {
#ifdef M_NOBARRIER
  skip
#else
  do
  :: ph = phase;
     if
     :: t == NIL || ph == IDLE -> break
     :: else ->
        if
        :: !cand[t] || marked[t] -> break
        :: else ->
           if
           :: ph == SCANNING -> mark(t); break
#ifdef M_NOTBACK
           :: ph == DECIDING -> mark(t); break
#else
           :: ph == DECIDING -> atomic { if :: phase == DECIDING -> phase = SCANNING :: else fi }
#endif
#ifdef M_CONDEMNED
           :: ph == CONDEMNED -> break
#else
           :: ph == CONDEMNED -> t = NIL; break
#endif
           fi
        fi
     fi
  od; ph = 0
#endif
}

inline store(r) {
  win[me] = true;
  if
  :: st[r] != DEAD && st[r] != UNBORN ->
     t = h;
#ifdef M_DELETION
     t = ref[r]; barrier(t); t = h;
#else
#ifndef M_AFTER
     barrier(t);
#endif
#endif
     atomic {
       if
       :: st[r] != DEAD ->
          ref[r] = t;
#ifdef DRAFTS
          if :: r == N -> stale = (t != NIL && st[t] == DEAD) :: else fi
#endif
       :: else
       fi
     };
#ifdef M_AFTER
     win[me] = false; barrier(t); win[me] = true;
#endif
     t = 0
  :: else
  fi;
  win[me] = false
}

active [NM] proctype Mutator() {
  byte me = _pid - 1, h, t, ph, turn = 0; bool done;
#ifdef DRAFTS
  byte seen;
#endif
  up;
#ifdef SMALL
  h = C1;
#else
  if :: h = C0 :: h = C1 fi;
#endif
  do
  :: turn < TURNS ->
     turn++;
     if
     :: if :: h = ref[X] :: h = ref[L]                                                                 /* load */
#ifndef SMALL
           :: st[C0] != DEAD -> h = ref[C0]
#endif
        fi
     :: if :: store(X) :: store(L) :: store(N)
#ifndef SMALL
           :: store(C0)
#endif
        fi
     :: win[me] = true; if :: ref[X] = NIL :: ref[L] = NIL fi; win[me] = false         /* clear */
     :: atomic { !done && me == 0 -> done = true };                                                    /* retire L */
        win[me] = true;
#ifdef MOVES
        buffered[L] = true; st[L] = RETIRED;
#else
        atomic { st[L] = RETIRED; buffered[L] = true };
#endif
        win[me] = false
#ifdef DRAFTS
     :: atomic { st[N] == UNBORN && me == 0 -> seen = verdicts; st[N] = DRAFT }                        /* begin N */
     :: atomic { st[N] == DRAFT && me == 0 -> win[me] = true };                                        /* show N */
#ifdef M_DRAFTSEEN
        seen = verdicts;
#endif
#ifndef M_DRAFTBARE
        t = ref[N]; barrier(t); if :: t == NIL -> ref[N] = NIL :: else fi;
#endif
        st[N] = LIVE;
#ifndef M_DRAFTBARE
        t = ref[N]; barrier(t); if :: t == NIL -> ref[N] = NIL :: else fi;
#endif
        t = 0;
#ifndef M_DRAFT
        if :: seen != verdicts -> atomic { if :: ref[N] != NIL -> if :: st[ref[N]] == DEAD -> ref[N] = NIL :: else fi :: else fi } :: else fi;
#endif
        seen = 0;
        d_step { if :: ref[N] != NIL -> assert(st[ref[N]] != DEAD || stale) :: else fi };                 /* F */
        win[me] = false
#else
     :: atomic { st[N] == DRAFT && me == 0 -> ref[N] = h };                                            /* publish N */
        win[me] = true;
#ifndef M_PUBLISH
        t = ref[N]; barrier(t); if :: t == NIL -> ref[N] = NIL :: else fi;
#endif
        st[N] = LIVE;
#ifndef M_PUBLISH
#ifndef M_PUBLISHONCE
        t = ref[N]; barrier(t); if :: t == NIL -> ref[N] = NIL :: else fi;
#endif
#endif
        t = 0;
        win[me] = false
#endif
     fi
  :: else -> break
  od;
  atomic { running-- }
}

#ifdef MOVES
/* moves each of three rows once; a lock keeps writers out while one moves */
active proctype Compactor() {
  up;
  do
  :: atomic { !moved[X] -> old[X] = ref[X]; moved[X] = true }
  :: atomic { !moved[L] -> old[L] = ref[L]; moved[L] = true }
  :: atomic { !moved[C0] -> old[C0] = ref[C0]; moved[C0] = true }
  :: break
  od
}
#endif
