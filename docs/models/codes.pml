/* Codes of column sketches that are written anew, in place (docs/compaction.md, CodeRewriting).
 *
 * One block with a column of two rows. Row 0 is there; row 1 is being added and is shown later. Two writers set values of rows that are shown, in windows; a rewriter makes unknown codes known
 * while no window is open; a reader asks which rows have the value WANTED, and does what filters do:
 *   version even: codes alone decide, an unknown one as a row that fails; then the version is looked at again, and if it changed the values decide
 *   version odd:  each code is loaded once, and the value is looked at where it is unknown
 * Ghost: which values a row had since the reader began. What the reader says of a row has to be true of one of them.
 * Windows and `pending` as in snapshot.pml; the fence between them is that of epoch.pml.
 *
 * -DTURNS=n  sets of each writer (1)      -DROUNDS=n  pauses (2)      -DREADS=n  times that the reader asks (1)
 * Mutants: M_NOWAIT the rewriter does not wait for windows; M_FLAG the version goes back to what it was; M_EARLY the version is even though a code is unknown; M_TWICE the reader loads a code twice;
 * M_HIDDEN codes of rows that are not shown are written, too; M_CODEFIRST a writer makes the code unknown before it notes so.
 */
#ifndef TURNS
#define TURNS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef READS
#define READS 1
#endif

#define ROWS 2
#define WANTED 1
#define UNKNOWN 0
#define CODE(v) ((v) + 1)
#define ODD(v) ((v) % 2 == 1)

byte value[ROWS];
byte code[ROWS];
bool shown[ROWS];
byte version;
bool window[3];
bool pending;

/* Ghost: bit v of seen[r] is set if row r had the value v since the reader began. */
byte seen[ROWS];

#define HAS(r, v) ((seen[r] >> (v)) & 1)

inline open(w) {
  do
  :: atomic { window[w] = true };
     if
     :: !pending -> break
     :: pending -> window[w] = false; (!pending)
     fi
  od
}

inline close(w) { window[w] = false }

inline announce(r) {
  t = version;
#ifdef M_CODEFIRST
  code[r] = UNKNOWN;
  if :: !ODD(t) -> version = t + 1 :: else fi
#else
  if :: !ODD(t) -> version = t + 1 :: else fi;
  code[r] = UNKNOWN
#endif
}

proctype Writer(byte w) {
  byte i, r, v, t;
  for (i : 1 .. TURNS) {
    if :: r = 0 :: r = 1 fi;
    if :: v = 0 :: v = 1 fi;
    open(w);
    if
    :: shown[r] ->
       announce(r);
       atomic { value[r] = v; seen[r] = seen[r] | (1 << v) }
    :: else
    fi;
    close(w)
  }
}

/* The place had a row whose code is unknown. */
proctype Adder() {
  byte v;
  if :: v = 0 :: v = 1 fi;
  code[1] = CODE(v);
  value[1] = v;
  open(2);
  atomic { shown[1] = true; seen[1] = seen[1] | (1 << v) };
  close(2)
}

inline rewrite(r) {
  if
#ifdef M_HIDDEN
  :: code[r] == UNKNOWN ->
#else
  :: shown[r] && code[r] == UNKNOWN ->
#endif
     v = value[r];
     code[r] = CODE(v)
  :: else
  fi
}

proctype Rewriter() {
  byte i, v;
  for (i : 1 .. ROUNDS) {
    pending = true;
#ifndef M_NOWAIT
    (!window[0] && !window[1] && !window[2]);
#endif
    rewrite(0);
    if
    :: true ->
       rewrite(1);
       if :: ODD(version) ->
#ifdef M_FLAG
          version = version - 1
#else
          version = version + 1
#endif
       :: else fi
    :: true ->
       /* The time is up. */
#ifdef M_EARLY
       if :: ODD(version) -> version = version + 1 :: else fi
#else
       skip
#endif
    fi;
    pending = false
  }
}

/* Row r passes, or fails, by what the reader knows. */
inline told(r, passes) {
  atomic {
    assert(!(passes) || HAS(r, WANTED));
    assert((passes) || HAS(r, 1 - WANTED));
  }
}

inline byValue(r) {
  x = value[r];
  told(r, x == WANTED)
}

proctype Reader() {
  byte i, r, before, x, c;
  bool has[ROWS], passes[ROWS];
  for (i : 1 .. READS) {
    atomic {
      seen[0] = (shown[0] -> (1 << value[0]) : 0);
      seen[1] = (shown[1] -> (1 << value[1]) : 0)
    };
    before = version;
    for (r : 0 .. 1) {
      has[r] = shown[r];
      if
      :: !has[r]
      :: has[r] && ODD(before) ->
#ifdef M_TWICE
         c = code[r];
         if
         :: c == CODE(WANTED) -> told(r, true)
         :: else ->
            if :: code[r] == UNKNOWN -> byValue(r) :: else -> told(r, false) fi
         fi
#else
         c = code[r];
         if :: c == UNKNOWN -> byValue(r) :: else -> told(r, c == CODE(WANTED)) fi
#endif
      :: else ->
         c = code[r];
         passes[r] = (c == CODE(WANTED))
      fi
    };
    if
    :: ODD(before)
    :: else ->
       x = version;
       if
       :: x == before -> for (r : 0 .. 1) { if :: has[r] -> told(r, passes[r]) :: else fi }
       :: else -> for (r : 0 .. 1) { if :: has[r] -> byValue(r) :: else fi }
       fi
    fi;
    /* What is remembered between two questions is no part of the state. */
    atomic { has[0] = false; has[1] = false; passes[0] = false; passes[1] = false; c = 0; x = 0; before = 0 }
  }
}

init {
  atomic {
    code[0] = CODE(0);
    shown[0] = true;
    seen[0] = 1;
    run Writer(0);
    run Writer(1);
    run Adder();
    run Rewriter();
    run Reader()
  }
  (_nr_pr == 1);
  /* A code is unknown or that of its value, and unknown ones are noted. */
  assert(code[0] == UNKNOWN || code[0] == CODE(value[0]));
  assert(code[1] == UNKNOWN || code[1] == CODE(value[1]));
  assert(ODD(version) || (code[0] != UNKNOWN && code[1] != UNKNOWN))
}
