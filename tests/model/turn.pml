/* The protocol of docs/design.md, section 3, for spin: two nodes on one store, a channel with two
 * commands (Anya's, whose reply makes two held calls, and Ben's, whose reply makes one), their
 * writers, one kill or one pause, and a deletion of Anya's message at any moment. README.md says
 * what is proved, and where the code mirrors each part.
 *
 * An `atomic` block is one commit of the store. What lies between two blocks may take any time, be
 * interleaved with anything, or never come.
 *
 * KILL, PAUSE and DELETED bring in one fault each. Each BREAK_ macro takes one rule away; the search
 * must then find what the rule is there for.
 */

#define TURNS 2
#define CALLS 3
#define PIECES 5 /* a step for each turn, then the calls */
#define NOBODY 0
#define ANYA 1
#define BEN 2

#define TURN_OF(c) ((c) / 2) /* calls 0 and 1 are Anya's turn's, 2 is Ben's */
#define WRITER_OF(t) ((t) + 1)
#define STEP(t) (t)
#define CALL(c) (TURNS + (c))
#define IS_CALL(p) ((p) >= TURNS)

/* Turn states. `queued` is a turn that was opened. */
#define ABSENT 0
#define QUEUED 1
#define THINKING 2
#define CALLING 3
#define AWAITING 4
#define ENDED 5

/* Leases. */
#define NONE 0
#define HOLDS 1
#define PASSED_ON 2
#define WAITS_AGAIN 3

/* Call states; ABSENT is shared. */
#define HELD 1
#define READY 2
#define SENDING 3
#define DONE 4
#define DECLINED 5
#define EXPIRED 6
#define CANCELLED 7
#define UNKNOWN 8
#define REFUSED 9

/* The store. */
byte turn[TURNS];
byte lease[TURNS];
bit replied[TURNS]; /* the model made its calls; its next reply ends the turn */
byte call[CALLS];
byte decided_by[CALLS];
bit consumed[CALLS];
bit due[PIECES];
byte owner[PIECES]; /* a node's number, 0 nobody */
byte fence[PIECES];
bit alive[4]; /* as the store sees the runs 1 and 2, and 3: the one that comes after a kill */

/* Not the store: what the connector executed, and the fence of each piece's newest commit. */
byte executed[CALLS];
byte committed[PIECES];

/* The environment's one fault: which run is killed. */
byte killed = 0;

byte i; /* only used inside atomic blocks, set back to 0 for fewer states */

inline take_lease(t)
{
  assert(lease[0] != HOLDS && lease[1] != HOLDS);
  lease[t] = HOLDS;
  turn[t] = THINKING;
  due[STEP(t)] = 1;
}

/* A free lease goes to whoever stands first in line: who waits again, then who is queued. */
inline grant_next()
{
  if
#ifdef BREAK_LEASE
  :: true ->
#else
  :: lease[0] != HOLDS && lease[1] != HOLDS ->
#endif
    if
    :: lease[0] == WAITS_AGAIN -> take_lease(0)
    :: lease[0] != WAITS_AGAIN && lease[1] == WAITS_AGAIN -> take_lease(1)
    :: lease[0] != WAITS_AGAIN && lease[1] != WAITS_AGAIN && turn[0] == QUEUED -> take_lease(0)
    :: lease[0] != WAITS_AGAIN && lease[1] != WAITS_AGAIN && turn[0] != QUEUED &&
       turn[1] == QUEUED -> take_lease(1)
    :: else
    fi
  :: else
  fi
}

#define OF_TURN(t, s) ((t) == 0 && (call[0] == s || call[1] == s) || (t) == 1 && call[2] == s)

/* Where the turn stands once one of its calls has moved. */
inline follow(t)
{
  if
  :: OF_TURN(t, HELD) -> turn[t] = AWAITING
  :: !OF_TURN(t, HELD) && (OF_TURN(t, READY) || OF_TURN(t, SENDING)) -> turn[t] = CALLING
  :: else ->
    turn[t] = THINKING;
    if
    :: lease[t] == PASSED_ON -> lease[t] = WAITS_AGAIN; grant_next()
    :: lease[t] == HOLDS -> due[STEP(t)] = 1
    :: else
    fi
  fi
}

inline free_piece(p)
{
  due[p] = 0;
  owner[p] = 0;
}

inline end_call(c)
{
  if
  :: call[c] == HELD || call[c] == READY -> call[c] = CANCELLED
  :: call[c] == SENDING -> call[c] = UNKNOWN
  :: else
  fi;
  free_piece(CALL(c))
}

inline end_turn(t)
{
  turn[t] = ENDED;
  lease[t] = NONE;
  free_piece(STEP(t));
  if
  :: t == 0 -> end_call(0); end_call(1)
  :: else -> end_call(2)
  fi;
  grant_next()
}

#ifdef BREAK_FENCE
#define MINE(p, f) (due[p])
#else
#define MINE(p, f) (due[p] && owner[p] == me && fence[p] == f)
#endif

inline commits(p, f)
{
  assert(f >= committed[p]); /* an older fence never writes after a newer one */
  committed[p] = f
}

/* The model's reply: first the turn's calls, all held in one commit; then its last words. */
inline run_step(t, f)
{
  atomic {
    if
    :: MINE(STEP(t), f) ->
      commits(STEP(t), f);
      if
      :: !replied[t] ->
        replied[t] = 1;
        free_piece(STEP(t));
        if
        :: t == 0 -> call[0] = HELD; call[1] = HELD
        :: else -> call[2] = HELD
        fi;
        follow(t)
      :: else -> end_turn(t)
      fi
    :: else
    fi
  }
}

inline run_call(c, f)
{
  bit leaves = 0;
  atomic {
    if
    :: MINE(CALL(c), f) && call[c] == SENDING -> /* taken over from a run that is gone */
#ifdef BREAK_SENDING
      leaves = 1
#else
      commits(CALL(c), f);
      call[c] = UNKNOWN;
      free_piece(CALL(c));
      follow(TURN_OF(c))
#endif
    :: MINE(CALL(c), f) && call[c] == READY ->
      commits(CALL(c), f);
      if
      :: decided_by[c] != NOBODY && !consumed[c] ->
        consumed[c] = 1;
#ifndef BREAK_SENDING
        call[c] = SENDING;
#endif
        leaves = 1
      :: else -> call[c] = REFUSED; free_piece(CALL(c)); follow(TURN_OF(c))
      fi
    :: else
    fi
  }
  if
  :: leaves ->
    if
    :: alive[me] -> /* the steady clock, just before it leaves: anything may happen in between */
      atomic {
        executed[c]++;
        assert(executed[c] == 1);
        assert(decided_by[c] == WRITER_OF(TURN_OF(c)));
        assert(consumed[c])
      }
    :: !alive[me]
    fi;
    atomic {
      if
#ifdef BREAK_SENDING
      :: MINE(CALL(c), f) && call[c] == READY ->
#else
      :: MINE(CALL(c), f) && call[c] == SENDING ->
#endif
        commits(CALL(c), f);
        if
        :: executed[c] -> call[c] = DONE
        :: else -> call[c] = REFUSED /* never left */
        fi;
        free_piece(CALL(c));
        follow(TURN_OF(c))
      :: else
      fi
    }
  :: else
  fi;
  leaves = 0
}

#define CLAIMABLE(p) (due[p] && (owner[p] == 0 || !alive[owner[p]]))

inline claim(p)
{
  owner[p] = me;
  fence[p]++;
  piece = p;
  mine = fence[p]
}

proctype Node(byte first_run)
{
  byte me = first_run;
  byte piece = 0;
  byte mine = 0;
  {
  work:
    do
    :: atomic {
         if
         :: CLAIMABLE(0) -> claim(0)
         :: CLAIMABLE(1) -> claim(1)
         :: CLAIMABLE(2) -> claim(2)
         :: CLAIMABLE(3) -> claim(3)
         :: CLAIMABLE(4) -> claim(4)
         fi
       }
       if
       :: piece == 0 -> run_step(0, mine)
       :: piece == 1 -> run_step(1, mine)
       :: piece == 2 -> run_call(0, mine)
       :: piece == 3 -> run_call(1, mine)
       :: piece == 4 -> run_call(2, mine)
       fi;
       atomic { piece = 0; mine = 0 }
    od
  } unless { killed == me }
  /* What it knew is lost. It comes back under a name of its own. */
  atomic { alive[me] = 0; killed = 0; me = 3; alive[3] = 1; piece = 0; mine = 0; goto work }
}

/* An answer: looked up first, judged, and judged again in the commit that decides. */
proctype Writer(byte who)
{
  byte tries = (who == ANYA -> 2 : 1);
  byte c;
  do
  :: tries > 0 ->
    tries--;
    atomic {
      if
#ifdef BREAK_ASKED
      :: call[0] == HELD -> c = 0
      :: call[1] == HELD -> c = 1
      :: call[2] == HELD -> c = 2
#else
      :: call[0] == HELD && WRITER_OF(0) == who -> c = 0
      :: call[1] == HELD && WRITER_OF(0) == who -> c = 1
      :: call[2] == HELD && WRITER_OF(1) == who -> c = 2
#endif
      :: turn[who - 1] == ENDED -> goto gone
      fi
    }
    atomic {
      if
#ifdef BREAK_DECIDE
      :: call[c] != ABSENT -> /* without the look at what stands there */
#else
      :: call[c] == HELD -> /* the first decision wins */
#endif
        if
        :: decided_by[c] = who; call[c] = READY; consumed[c] = 0; due[CALL(c)] = 1
        :: call[c] = DECLINED
        fi;
        follow(TURN_OF(c))
      :: else
      fi;
      c = 0
    }
  :: tries == 0 -> break
  od;
gone:
  skip
}

/* Waits end. */
proctype Sweep()
{
  do
  :: atomic { call[0] == HELD -> call[0] = EXPIRED; follow(0) }
  :: atomic { call[1] == HELD -> call[1] = EXPIRED; follow(0) }
  :: atomic { call[2] == HELD -> call[2] = EXPIRED; follow(1) }
  :: atomic {
       lease[0] == HOLDS && turn[0] == AWAITING && turn[1] == QUEUED ->
       lease[0] = PASSED_ON;
       grant_next()
     }
  :: atomic { turn[0] == ENDED && turn[1] == ENDED -> break }
  od
}

proctype Channel()
{
  atomic { turn[0] = QUEUED; grant_next() }
  atomic { turn[1] = QUEUED; grant_next() }
#ifdef DELETED
  if
  :: atomic { turn[0] != ENDED -> end_turn(0) } /* Anya deletes her message */
  :: skip
  fi
#endif
}

/* At most one fault: a run is killed, or sleeps past the life of its claims and comes back. */
proctype Fate()
{
  skip;
#ifdef KILL
  killed = 1
#endif
#ifdef PAUSE
  atomic { alive[1] = 0 };
  atomic { alive[1] = 1 }
#endif
}

/* When nothing can move any more, every command has its end, and every call a true one. */
proctype Verdict()
{
  timeout;
  assert(turn[0] == ENDED && turn[1] == ENDED);
  assert(lease[0] != HOLDS && lease[1] != HOLDS);
  i = 0;
  do
  :: i < CALLS ->
    assert(call[i] != HELD && call[i] != READY && call[i] != SENDING);
    assert(call[i] != DONE || executed[i] == 1);
    assert(executed[i] == 0 || call[i] == DONE || call[i] == UNKNOWN);
    assert(decided_by[i] != NOBODY || executed[i] == 0);
    i++
  :: else -> break
  od
}

init
{
  atomic {
    alive[1] = 1;
    alive[2] = 1;
    run Node(1);
    run Node(2);
    run Writer(ANYA);
    run Writer(BEN);
    run Sweep();
    run Channel();
    run Fate();
    run Verdict()
  }
}
