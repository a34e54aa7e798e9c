/* self-managed collections -- tokenring.pml
 *
 * A token that goes round the threads moves the epoch on (Token-EBR, PPoPP 2024, section 4, on the epochs of epoch.pml).
 *
 * NT threads, each in its own place of the ring. Thread 0 only retires: it takes the shared thing out, puts the next one in its place, and frees what
 * it took out two epochs later. The others are readers that hold the shared thing in sections and pass the token between them, or (-DIDLE) the last of
 * them never passes it, as a thread that only reads. A taker begins rounds and takes the token over. With -DOTHER somebody else moves the epoch
 * on as well, by looking at all threads as in epoch.pml. With -DJOIN the last reader begins only later, in a place that had no owner.
 *
 * The remover is outside of sections all the time: it has no announcement.
 * Announcements pass through store buffers (x86-TSO), as in epoch.pml with ASYM: only the barrier of the taker drains them, and the CAS with which a
 * thread passes the token drains its own.
 *
 * Safety   S  what a reader holds in a section is not freed before it has left.
 *
 * Seeded mutants, each must be caught:
 *   M_INSIDE   a thread passes the token inside a section       M_NOBARRIER  taken over without the barrier
 *   M_BLIND    taken over without a look at the announcement    M_KEEPS      a round goes on when somebody else has moved the epoch (with OTHER)
 *   M_ONE      freed after one epoch
 */
#ifndef NT
#define NT 2
#endif
#ifndef MAXE
#define MAXE 5
#endif
#ifndef THINGS
#define THINGS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif
#ifdef M_ONE
#define GRACE 1
#else
#define GRACE 2
#endif
#define NONE NT

byte G = 1;
byte slot[NT];                      /* 0 = outside; e + 1 = inside, announced epoch e */
bool owned[NT];
chan sb[NT] = [2] of { byte };
byte tokEpoch = 0, tok = NONE;      /* one word */
byte shared = 0;
bool freed[THINGS + 1];

active [NT - 1] proctype Drain() { byte v; byte me = _pid + 1; end: do :: atomic { sb[me]?v -> slot[me] = v; v = 0 } od }

inline drain_own() { atomic { do :: sb[me]?v -> slot[me] = v :: empty(sb[me]) -> break od; v = 0 } }
inline barrier_all() {
  atomic { k = 1; do :: k < NT -> do :: sb[k]?v -> slot[k] = v :: empty(sb[k]) -> break od; k++ :: else -> break od; k = 0; v = 0 }
}
/* the epoch moves on when the round is complete; the CAS fails if somebody was faster */
inline complete(e) {
#ifdef M_KEEPS
  atomic { if :: G < MAXE -> G = G + 1 :: else fi }
#else
  atomic { if :: G == e && G < MAXE -> G = e + 1 :: else fi }
#endif
}
inline pass() {                     /* by the holder, outside of sections */
  if :: atomic { tok == me -> te = tokEpoch; n = me + 1 };
        do :: n < NT && !owned[n] -> n++ :: else -> break od;
        drain_own();
        atomic { won = (tok == me && tokEpoch == te); if :: won -> tok = n :: else fi };
        if :: won && n == NONE -> complete(te) :: else fi;
        atomic { te = 0; n = 0; won = false }
     :: tok != me
     fi
}

active proctype Remover() {
  byte me = 0, i = 0, done = 0, te, n, v; bool won;
  byte stamp[THINGS];
  owned[0] = true;
  do
  :: i < THINGS -> shared = i + 1; stamp[i] = G; i++; pass()
  :: done < i && G >= stamp[done] + GRACE -> atomic { freed[done] = true; done++ }; pass()
  :: i >= THINGS && (done >= i || G >= MAXE) -> break
  od
}

inline read_once() {
  do :: e = G; sb[me]!(e + 1); if :: G == e -> break :: else fi od;
  h = shared; assert(!freed[h]);
#ifdef M_INSIDE
  pass();
#endif
  assert(!freed[h]);
  sb[me]!0; e = 0; h = 0
}

active [NT - 1] proctype Reader() {
  byte me = _pid - NT + 1, turn = 0, e, h, te, n, v; bool won;
#ifdef JOIN
  if :: me == NT - 1 -> G >= 2 :: else fi;
#endif
  owned[me] = true;                 /* interlocked */
  do
  :: turn < TURNS ->
     read_once();
#ifdef IDLE
     if :: me < NT - 1 -> pass() :: else fi;
#else
     pass();
#endif
     turn++
  :: else -> break
  od;
#ifdef JOIN
  drain_own(); owned[me] = false    /* leaves: under the lock */
#endif
}

active proctype Taker() {
  byte g, te, n, k, v; bool won;
  do
  :: G >= MAXE -> break
  :: G < MAXE ->
     /* begin a round */
     g = G;
#ifdef M_KEEPS
     atomic { if :: tok == NONE -> tok = 0; tokEpoch = g :: else fi };
#else
     atomic { if :: tok == NONE || tokEpoch != g -> tok = 0; tokEpoch = g :: else fi };
#endif
     /* take it over */
     atomic { te = tokEpoch; n = tok };
     if :: n != NONE ->
#ifndef M_NOBARRIER
           barrier_all();
#endif
           k = n;
#ifdef M_BLIND
           n = NONE;
#else
           do :: n < NT -> v = slot[n]; if :: v == 0 || v == te + 1 -> n++ :: else -> break fi :: else -> break od;
#endif
           atomic { won = (tok == k && tokEpoch == te && n != k); if :: won -> tok = n :: else fi };
           if :: won && n == NONE -> complete(te) :: else fi
        :: else fi;
     atomic { g = 0; te = 0; n = 0; k = 0; v = 0; won = false }
  od
}

#ifdef OTHER
active proctype Advancer() {
  byte g, k, v; bool ok;
  do
  :: G >= MAXE -> break
  :: G < MAXE ->
     g = G; barrier_all(); ok = true; k = 0;
     do :: k < NT -> v = slot[k]; if :: v != 0 && v != g + 1 -> ok = false :: else fi; k++ :: else -> break od;
     if :: ok -> atomic { if :: G == g -> G = g + 1 :: else fi } :: else fi;
     atomic { g = 0; k = 0; v = 0; ok = false }
  od
}
#endif
