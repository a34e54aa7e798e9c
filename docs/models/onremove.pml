/* self-managed collections -- onremove.pml
 *
 * References that stay whole: a row P is removed, with all that refers to it by Cascade, while others store references. docs/retire.md, decision 0034.
 *
 * Rows: P and Q can be named; C refers to P and goes with the row that it refers to (Cascade); R may refer to C and restricts (Restrict); S may refer to P and is made null (SetNull);
 * N is a draft that is published with a reference to P (Cascade). Each has a stripe, under which its reference and its word in the reverse index change.
 *
 *   store     under the stripe of the row: gives it up a row that it would go with, and is that one closed? Then the removal begins anew, or, if it has decided, the row counts as removed.
 *             The new word into the index; then: is the target closed? Before the decision it is noted and its words are read again; after it, the reference is refused and the word taken
 *             back. Is the target dead? Refused. Then the reference is stored, and the old word taken out.
 *   remove    close P; read the words that lead to it; each row found is looked at under its stripe; one that refers by Cascade is closed, and its words are read. Then those that restrict.
 *             decide (one step under the lock of the removal): begun anew if a row has left; words are read again if one has come; refused if a row restricts that does not go along.
 *             decided: S gives its reference up, under its stripe; then C and N die, then P. Each dead row's word goes under its stripe
 *   hold      after FREE attempts setters of Cascade wait for the end of the removal, outside of their stripes
 *
 * Safety
 *   W  no row that can be seen names a dead one: when one dies, when the removal returns, and after that. P is dead then
 *   K  who was told that it has moved away is alive at the end; who was told that it is gone is dead
 *   R  a refused removal has changed nothing; it is refused only if R named a row of the closure
 *   B  it is begun anew at most FREE + 1 times: the setter of Cascade that had looked before it was held disturbs once more
 *   D  no deadlock
 * TURNS changes at most by the one who moves C; one change by each of the others. Seeded mutants: M_NOCLOSE (rows are not closed) M_READONCE (words are not read again for one that came)
 *   M_ADMITLATE (a reference is stored after the decision) M_KEEPCLOSURE (a row that has left goes along) M_TRUSTWORDS (what a word says is not looked at) M_NOSTRIPE (it is looked at without the
 *   stripe) M_ASKFIRST (a setter asks whether the target is closed before it has a word) M_READFIRST (a removal reads words before it closes) M_NOHOLD (setters are not held)
 *   M_HOLDINSIDE (they wait under their stripe) M_TARGETSFIRST (P dies before those that refer to it) M_OPENFIRST (the closure is forgotten before its rows are dead)
 */
#ifndef TURNS
#define TURNS 2
#endif
#ifndef FREE
#define FREE 1
#endif
#define P 0
#define C 1
#define Q 2
#define N 3
#define R 4
#define S 5
#define NR 6
#define NIL 7
#define DRAFT 0
#define LIVE 1
#define DEAD 2
#define NONE 0
#define OPEN 1
#define DECIDED 2

byte ref[NR], st[NR];
bool word[18];                       /* 6 * target + referrer, for P, C and Q */
bool lock[NR];
bool closed[3], member[NR], disturbed[3];
byte phase;                          /* of the removal that is at work */
bool must, holds, up, removed, refused;
byte attempts;
byte running = 3;
bool toldMoved, toldGone;            /* of C, by its last change */

#define WORD(t, r) word[6 * (t) + (r)]

/* ghost: nobody who can be seen names a row that is dead */
inline whole() {
  d_step { g = C; do :: g < NR -> assert(st[g] != LIVE || ref[g] == NIL || st[ref[g]] != DEAD); g++ :: else -> break od; g = 0 }
}
inline enter(r) { atomic { !lock[r] -> lock[r] = true } }
inline exit(r) { lock[r] = false }

/* ok := whether a reference to t may be stored; the word is there */
inline admit(t) {
  ok = true;
  if
  :: t < 3 && closed[t] ->
     atomic {
       if
#ifndef M_READONCE
       :: phase == OPEN -> disturbed[t] = true
#endif
#ifndef M_ADMITLATE
       :: phase == DECIDED -> ok = false
#endif
       :: else
       fi
     }
  :: else
  fi;
  if :: st[t] == DEAD -> ok = false :: else fi
}

/* the row r stores t; cascade: it goes with what it names */
inline change(r, t, cascade) {
  enter(r);
#ifndef M_NOHOLD
  if
  :: cascade && holds ->
#ifdef M_HOLDINSIDE
     !holds
#else
     exit(r); !holds; enter(r)
#endif
  :: else
  fi;
#endif
  ok = (st[r] == LIVE);
  gone = !ok;
  o = ref[r];
  if
  :: ok && cascade && o != NIL && closed[o] ->
     atomic {
#ifndef M_KEEPCLOSURE
       must = true;
#endif
       if :: phase == DECIDED -> ok = false; gone = true :: else fi
     }
  :: else
  fi;
  if
  :: ok ->
#ifdef M_ASKFIRST
     admit(t); WORD(t, r) = true;
#else
     WORD(t, r) = true; admit(t);
#endif
     if
     :: ok -> ref[r] = t; if :: o != NIL && o != t -> WORD(o, r) = false :: else fi
     :: !ok && o != t -> WORD(t, r) = false
     :: else
     fi
  :: else
  fi;
  o = 0;
  if :: removed -> whole() :: else fi;
  exit(r)
}

/* moves C from one to another */
active proctype Mover() {
  byte o, g, turn, t = Q; bool ok, gone;
  up;
  do
  :: turn < TURNS ->
     turn++;
     change(C, t, true);
     atomic { toldMoved = (ok && t == Q); toldGone = gone; t = (t == Q -> P : Q) }
  :: break
  od;
  atomic { running-- }
}

/* a reference that restricts, or one that becomes null */
active proctype Storer() {
  byte o, g; bool ok, gone;
  up;
  if
  :: change(R, C, false)
  :: change(S, P, false)
  fi;
  atomic { running-- }
}

/* a row is added that goes with P */
active proctype Adder() {
  byte o, g; bool ok;
  up;
  enter(N);
  ref[N] = P;
#ifdef M_ASKFIRST
  admit(P); WORD(P, N) = true;
#else
  WORD(P, N) = true; admit(P);
#endif
  if :: ok -> st[N] = LIVE :: else -> WORD(P, N) = false; ref[N] = NIL fi;
  if :: removed -> whole() :: else fi;
  exit(N);
  atomic { running-- }
}

/* says whether row r refers to m */
inline look(r, m) {
#ifdef M_TRUSTWORDS
  ok = true
#else
#ifndef M_NOSTRIPE
  enter(r);
#endif
  ok = (st[r] == LIVE && ref[r] == m);
#ifndef M_NOSTRIPE
  exit(r)
#endif
#endif
}
inline close(m) {
  member[m] = true;
#ifndef M_NOCLOSE
  if :: m < 3 -> closed[m] = true :: else fi
#endif
}
/* the words that lead to m */
inline follow(m) {
  r = C;
  do
  :: r <= S ->
     if
     :: (r == C || r == N) && r != m && WORD(m, r) && !member[r] -> look(r, m); if :: ok -> close(r); again = true :: else fi
     :: r == R && WORD(m, r) && !member[r] -> look(r, m); if :: ok -> restricts = true :: else fi
     :: else
     fi;
     r++
  :: else -> break
  od; r = 0
}
/* all words of all members, until no member comes */
inline close_all() {
  do
  :: again = false; restricts = false;
     follow(P); if :: member[C] -> follow(C) :: else fi;
     if :: !again -> break :: else fi
  od
}
inline kill(r) {
  if :: member[r] -> enter(r); if :: st[r] == LIVE -> atomic { st[r] = DEAD; whole() }; if :: ref[r] != NIL -> WORD(ref[r], r) = false :: else fi :: else fi; exit(r) :: else fi
}
inline open() {
  d_step {
    phase = NONE; must = false;
    g = 0; do :: g < 3 -> closed[g] = false; disturbed[g] = false; g++ :: else -> break od; g = 0
  }
}
inline forget() {
  open();
  d_step { g = 0; do :: g < NR -> member[g] = false; g++ :: else -> break od; g = 0 }
}

active proctype Remover() {
  byte r, g, decision; bool ok, again, restricts;
  atomic {
    st[P] = LIVE; st[C] = LIVE; st[Q] = LIVE; st[R] = LIVE; st[S] = LIVE;
    ref[P] = NIL; ref[Q] = NIL; ref[N] = NIL; ref[R] = NIL; ref[S] = NIL; ref[C] = P; WORD(P, C) = true; up = true
  };
  do
  :: holds = (attempts >= FREE);
     attempts++;
     assert(attempts <= FREE + 2);                                                            /* B */
     phase = OPEN;
#ifdef M_READFIRST
     close_all(); close(P);
#else
     close(P);
#endif
     do
     :: 
#ifndef M_READFIRST
        close_all();
#endif
        atomic {
          if
          :: must -> decision = 1
          :: !must && (disturbed[P] || disturbed[C]) -> disturbed[P] = false; disturbed[C] = false; decision = 2
          :: !must && !disturbed[P] && !disturbed[C] && restricts -> decision = 3
          :: else -> phase = DECIDED; decision = 4
          fi
        };
        if :: decision != 2 -> break :: else fi
     od;
     if
     :: decision == 1 -> forget()
     :: decision == 3 -> atomic { assert(st[P] == LIVE && st[C] == LIVE) }; forget(); refused = true; break     /* R */
     :: decision == 4 ->
        if :: WORD(P, S) -> enter(S); if :: ref[S] == P -> ref[S] = NIL; WORD(P, S) = false :: else fi; exit(S) :: else fi;
#ifdef M_OPENFIRST
        open();
#endif
#ifdef M_TARGETSFIRST
        kill(P); kill(N); kill(C);
#else
        kill(N); kill(C); kill(P);
#endif
        atomic { removed = true; whole() }                                                    /* W */
        forget(); break
     fi
  od;
  holds = false;
  (running == 0);
  if :: removed -> whole(); assert(st[P] == DEAD) :: else -> assert(refused && st[P] == LIVE && st[C] == LIVE) fi;
  assert(!toldMoved || st[C] == LIVE);                                                        /* K */
  assert(!toldGone || st[C] == DEAD)
}
