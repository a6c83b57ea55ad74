"""The tables of the store, as its migrations make them.

Rows are appended. Only heads and progress, leases, notes, run names, a pending call's outcome, a batch's state and
an item's derived groups are ever updated, with a study the state of its sessions, trials and assignments, and that an
answer counts no more where a person went back on it; a deletion of a run or a withdrawal removes.

What is said often is kept once and named by an integer: step names, lanes, scorers, prompts (a turn without its
gold), golds, sets of pictures sent, long texts of raw requests (``calls.texts`` lists those of one). Raw requests and
replies are deflated JSON. Times are whole milliseconds since 1970, UTC. A text that UTF-8 cannot hold (a lone
surrogate in a model's answer) is kept as a BLOB. ``encoding`` writes and reads all of these.

Codes: status 0 ok, 1 empty, 2 refusal, 3 truncated, 4 error; origin 0 respondent, 1 gold, 2 wrong, 3 edited,
4 person, 5 other; progress 0 open, 1 done, 2 failed; pending 0 settled, 1 out in a batch, 2 answered there and in no
step yet, 3 to be asked again; parse 0 ok, 1 no_answer, 2 ambiguous, 3 refusal; counted 0 not the respondent's own
answer, 1 its own, 2 its own on a fork.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x50484F52  # "PHOR": marks the file as ours in its header

WORDS: Final = (
    """CREATE TABLE step_names (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE)""",
    """CREATE TABLE lanes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        label TEXT NOT NULL UNIQUE)""",
    "INSERT INTO lanes (id, label) VALUES (1, '')",
    """CREATE TABLE scorers (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        created INTEGER NOT NULL,
        UNIQUE (name, version))""",
    """CREATE TABLE prompts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        step INTEGER NOT NULL REFERENCES step_names (id),
        content TEXT NOT NULL)""",
    # long texts of raw requests, which repeat the prompts of the conversation so far
    """CREATE TABLE texts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        content TEXT NOT NULL)""",
    """CREATE TABLE golds (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        content TEXT NOT NULL)""",
    """CREATE TABLE pictures (
        hash TEXT PRIMARY KEY,
        mime TEXT NOT NULL,
        width INTEGER,
        height INTEGER,
        original_width INTEGER,
        original_height INTEGER,
        name TEXT NOT NULL DEFAULT '',
        bytes BLOB NOT NULL)""",
    # a picture seen by two steps under two names is one picture in two sets
    """CREATE TABLE picture_sets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        content TEXT NOT NULL)""",
)

PATHS: Final = (
    """CREATE TABLE items (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        benchmark TEXT NOT NULL,
        subset TEXT NOT NULL,
        key TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        groups TEXT NOT NULL,
        content TEXT NOT NULL)""",
    "CREATE INDEX items_by_key ON items (benchmark, subset, key)",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        identity TEXT NOT NULL,
        benchmark TEXT NOT NULL,
        subset TEXT NOT NULL,
        protocol TEXT NOT NULL,
        options TEXT NOT NULL,
        respondent TEXT NOT NULL,
        respondent_kind TEXT NOT NULL,
        data_digest TEXT NOT NULL,
        configuration TEXT NOT NULL,
        versions TEXT NOT NULL,
        recipe TEXT NOT NULL DEFAULT 'null',
        created INTEGER NOT NULL)""",
    "CREATE INDEX runs_by_identity ON runs (identity)",
    """CREATE TABLE trajectories (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER NOT NULL REFERENCES runs (id),
        item INTEGER NOT NULL REFERENCES items (id),
        repeat INTEGER NOT NULL DEFAULT 0,
        parent INTEGER REFERENCES trajectories (id),
        fork INTEGER NOT NULL DEFAULT 0,
        lane INTEGER NOT NULL DEFAULT 1 REFERENCES lanes (id),
        head INTEGER,
        progress INTEGER NOT NULL DEFAULT 0,
        reason TEXT,
        failed_step TEXT,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL)""",
    "CREATE UNIQUE INDEX trajectories_main ON trajectories (run, item, repeat) WHERE parent IS NULL",
    "CREATE INDEX trajectories_by_item ON trajectories (item, run)",
    "CREATE INDEX trajectories_together ON trajectories (run) WHERE repeat > 0 OR parent IS NOT NULL",
    "CREATE INDEX trajectories_by_parent ON trajectories (parent) WHERE parent IS NOT NULL",
    """CREATE TABLE calls (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER REFERENCES runs (id),
        trajectory INTEGER REFERENCES trajectories (id),
        purpose TEXT NOT NULL,
        request_hash BLOB NOT NULL,
        repeat INTEGER NOT NULL DEFAULT 0,
        texts TEXT,
        request BLOB,
        reply BLOB,
        prompt_tokens INTEGER NOT NULL DEFAULT 0,
        completion_tokens INTEGER NOT NULL DEFAULT 0,
        cost REAL,
        attempts INTEGER NOT NULL DEFAULT 1,
        served_model TEXT NOT NULL DEFAULT '',
        batch_id TEXT,
        pending INTEGER NOT NULL DEFAULT 0,
        error TEXT NOT NULL DEFAULT '',
        seconds REAL NOT NULL DEFAULT 0,
        created INTEGER NOT NULL)""",
    "CREATE INDEX calls_by_request ON calls (request_hash, repeat)",
    "CREATE INDEX calls_by_run ON calls (run)",
    "CREATE INDEX calls_by_trajectory ON calls (trajectory)",
    "CREATE INDEX calls_by_batch ON calls (batch_id) WHERE batch_id IS NOT NULL",
    # trajectory is the one that made the step; NULL once its run was deleted and another run still stands on it
    """CREATE TABLE steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent INTEGER REFERENCES steps (id),
        trajectory INTEGER REFERENCES trajectories (id),
        name INTEGER NOT NULL REFERENCES step_names (id),
        prompt INTEGER NOT NULL REFERENCES prompts (id),
        gold INTEGER REFERENCES golds (id),
        lane INTEGER NOT NULL DEFAULT 1 REFERENCES lanes (id),
        repeat INTEGER NOT NULL DEFAULT 0,
        origin INTEGER NOT NULL DEFAULT 0,
        status INTEGER NOT NULL DEFAULT 0,
        made_by INTEGER NOT NULL DEFAULT 0,
        text TEXT NOT NULL,
        reasoning TEXT,
        choice TEXT,
        sent INTEGER REFERENCES picture_sets (id),
        picture INTEGER REFERENCES picture_sets (id),
        call INTEGER REFERENCES calls (id),
        created INTEGER NOT NULL)""",
    "CREATE UNIQUE INDEX steps_once ON steps (trajectory, ifnull(parent, 0), name, repeat, origin, lane)",
    "CREATE INDEX steps_by_parent ON steps (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX steps_by_call ON steps (call) WHERE call IS NOT NULL",
)

SCORES: Final = (
    # run is NULL where the run was deleted and another one still stands on the step
    """CREATE TABLE scores (
        step INTEGER NOT NULL REFERENCES steps (id),
        scorer INTEGER NOT NULL REFERENCES scorers (id),
        run INTEGER REFERENCES runs (id),
        item INTEGER NOT NULL REFERENCES items (id),
        name INTEGER NOT NULL REFERENCES step_names (id),
        lane INTEGER NOT NULL REFERENCES lanes (id),
        counted INTEGER NOT NULL,
        status INTEGER NOT NULL,
        right INTEGER NOT NULL,
        scored INTEGER NOT NULL,
        PRIMARY KEY (step, scorer)) WITHOUT ROWID""",
    "CREATE INDEX scores_report ON scores (run, scorer, name, lane, counted, status, right, scored, item)",
    """CREATE TABLE readings (
        step INTEGER NOT NULL,
        scorer INTEGER NOT NULL,
        parsed TEXT NOT NULL,
        spans TEXT,
        PRIMARY KEY (step, scorer),
        FOREIGN KEY (step, scorer) REFERENCES scores (step, scorer)) WITHOUT ROWID""",
)

PEOPLE: Final = (
    """CREATE TABLE notes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER REFERENCES items (id),
        run INTEGER REFERENCES runs (id),
        trajectory INTEGER REFERENCES trajectories (id),
        step INTEGER REFERENCES steps (id),
        author TEXT NOT NULL DEFAULT '',
        text TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL)""",
    "CREATE INDEX notes_by_item ON notes (item)",
    "CREATE INDEX notes_by_run ON notes (run)",
    "CREATE INDEX notes_by_trajectory ON notes (trajectory)",
    "CREATE INDEX notes_by_step ON notes (step)",
    """CREATE TABLE tags (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        tag TEXT NOT NULL,
        item INTEGER REFERENCES items (id),
        run INTEGER REFERENCES runs (id),
        step INTEGER REFERENCES steps (id),
        created INTEGER NOT NULL)""",
    "CREATE INDEX tags_by_item ON tags (item)",
    "CREATE INDEX tags_by_run ON tags (run)",
    "CREATE INDEX tags_by_step ON tags (step)",
    """CREATE TABLE participants (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        pseudonym TEXT NOT NULL UNIQUE,
        details TEXT NOT NULL DEFAULT '{}',
        created INTEGER NOT NULL,
        withdrawn INTEGER)""",
    """CREATE TABLE studies (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        digest TEXT NOT NULL,
        configuration TEXT NOT NULL,
        seed INTEGER NOT NULL,
        created INTEGER NOT NULL,
        UNIQUE (name, version))""",
    """CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        study INTEGER NOT NULL REFERENCES studies (id),
        participant INTEGER NOT NULL REFERENCES participants (id),
        run INTEGER REFERENCES runs (id),
        kind TEXT NOT NULL DEFAULT 'main',
        state TEXT NOT NULL DEFAULT 'open',
        slot INTEGER,
        seed INTEGER NOT NULL,
        details TEXT NOT NULL DEFAULT '{}',
        created INTEGER NOT NULL,
        ended INTEGER)""",
    "CREATE INDEX sessions_by_study ON sessions (study)",
    "CREATE INDEX sessions_by_participant ON sessions (participant)",
    "CREATE INDEX sessions_by_run ON sessions (run)",
    """CREATE TABLE assignments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        study INTEGER NOT NULL REFERENCES studies (id),
        item INTEGER NOT NULL REFERENCES items (id),
        part INTEGER NOT NULL,
        condition TEXT NOT NULL DEFAULT '',
        session INTEGER REFERENCES sessions (id),
        state TEXT NOT NULL DEFAULT 'free',
        lease_until INTEGER,
        UNIQUE (study, item, condition, part))""",
    "CREATE INDEX assignments_by_state ON assignments (study, state)",
    "CREATE INDEX assignments_by_session ON assignments (session)",
    """CREATE TABLE trials (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (id),
        position INTEGER NOT NULL,
        item INTEGER NOT NULL REFERENCES items (id),
        item_hash BLOB NOT NULL,
        trajectory INTEGER REFERENCES trajectories (id),
        condition TEXT NOT NULL DEFAULT '',
        kind TEXT NOT NULL DEFAULT 'main',
        shown INTEGER,
        ended INTEGER,
        timed_out INTEGER NOT NULL DEFAULT 0,
        UNIQUE (session, position))""",
    "CREATE INDEX trials_by_trajectory ON trials (trajectory)",
    """CREATE TABLE responses (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        trial INTEGER NOT NULL REFERENCES trials (id),
        step INTEGER REFERENCES steps (id),
        form TEXT NOT NULL DEFAULT '{}',
        first_ms INTEGER,
        final_ms INTEGER,
        paused_ms INTEGER NOT NULL DEFAULT 0,
        revisions INTEGER NOT NULL DEFAULT 0,
        confidence REAL,
        timed_out INTEGER NOT NULL DEFAULT 0,
        created INTEGER NOT NULL)""",
    "CREATE INDEX responses_by_trial ON responses (trial)",
    "CREATE INDEX responses_by_step ON responses (step)",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (id),
        trial INTEGER REFERENCES trials (id),
        at_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        details TEXT NOT NULL DEFAULT '{}')""",
    "CREATE INDEX events_by_session ON events (session)",
    "CREATE INDEX events_by_trial ON events (trial)",
    """CREATE TABLE exports (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        digest TEXT NOT NULL DEFAULT '',
        study INTEGER REFERENCES studies (id),
        details TEXT NOT NULL DEFAULT '{}',
        created INTEGER NOT NULL)""",
)

# a request that broke off, and those in flight when a process was killed, leave no row in calls
SPENDING: Final = (
    """CREATE TABLE spending (
        run INTEGER PRIMARY KEY REFERENCES runs (id),
        uncertain REAL NOT NULL)""",
    "CREATE INDEX calls_spent ON calls (run, cost) WHERE cost IS NOT NULL",
)

# each time a judge looked at an answer, also where that gave no score: then ``error`` says why. ``call`` is NULL
# where nobody had to be asked, and where the ledger's line went with a deleted run
JUDGEMENTS: Final = (
    """CREATE TABLE judgements (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        step INTEGER NOT NULL REFERENCES steps (id),
        scorer INTEGER NOT NULL REFERENCES scorers (id),
        call INTEGER REFERENCES calls (id),
        error TEXT NOT NULL DEFAULT '',
        created INTEGER NOT NULL)""",
    "CREATE INDEX judgements_by_step ON judgements (step, scorer)",
    "CREATE INDEX judgements_by_call ON judgements (call) WHERE call IS NOT NULL",
)

BATCHES: Final = (
    # what requests went out in; a call's batch_id is the token, the server's own id is remote
    """CREATE TABLE batches (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL UNIQUE,
        run INTEGER NOT NULL REFERENCES runs (id),
        respondent TEXT NOT NULL,
        address TEXT NOT NULL,
        requests INTEGER NOT NULL,
        tokens_field TEXT NOT NULL,
        remote TEXT NOT NULL DEFAULT '',
        file TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL,
        ended INTEGER NOT NULL DEFAULT 0,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL)""",
    "CREATE INDEX batches_by_run ON batches (run)",
    "CREATE INDEX calls_pending ON calls (run) WHERE pending <> 0",
)

FIRST: Final = (*WORDS, *PATHS, *SCORES, *PEOPLE)

SERVED: Final = (
    # who answered for a model that was asked for, once a run: a change within a run is seen without reading its calls
    """CREATE TABLE served (
        run INTEGER NOT NULL REFERENCES runs (id),
        asked TEXT NOT NULL,
        model TEXT NOT NULL,
        version TEXT NOT NULL,
        created INTEGER NOT NULL,
        PRIMARY KEY (run, asked, model, version)) WITHOUT ROWID""",
)

NOTEBOOK: Final = (
    "ALTER TABLE tags ADD COLUMN author TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX tags_by_tag ON tags (tag)",
    # what a note said before it was edited; ``written`` is when it had been written
    """CREATE TABLE earlier_notes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        note INTEGER NOT NULL REFERENCES notes (id),
        text TEXT NOT NULL,
        written INTEGER NOT NULL)""",
    "CREATE INDEX earlier_notes_by_note ON earlier_notes (note)",
    # scores that a person gave, and why: what tells a grader's pseudonym from other scorers
    """CREATE TABLE gradings (
        step INTEGER NOT NULL,
        scorer INTEGER NOT NULL REFERENCES scorers (id),
        reason TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        created INTEGER NOT NULL,
        PRIMARY KEY (step, scorer),
        FOREIGN KEY (step, scorer) REFERENCES scores (step, scorer)) WITHOUT ROWID""",
    "CREATE INDEX gradings_by_scorer ON gradings (scorer)",
    # the newest of an author on an item and step (NULL: the item as a whole) counts; withdrawn: it stands no more
    """CREATE TABLE disputes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER NOT NULL REFERENCES items (id),
        step INTEGER REFERENCES step_names (id),
        author TEXT NOT NULL,
        reason TEXT NOT NULL,
        corrected TEXT NOT NULL DEFAULT '{}',
        withdrawn INTEGER NOT NULL DEFAULT 0,
        created INTEGER NOT NULL)""",
    "CREATE INDEX disputes_by_item ON disputes (item)",
)

# a slot is the set of items that one session is given, rebuilt from the study's seed and the slot's number alone;
# ``place`` is an assignment's place in it. ``uid`` names a session wherever its store is merged to
STUDIES: Final = (
    "ALTER TABLE studies ADD COLUMN state TEXT NOT NULL DEFAULT 'draft'",
    "ALTER TABLE studies ADD COLUMN frozen INTEGER",
    "ALTER TABLE studies ADD COLUMN amends INTEGER REFERENCES studies (id)",
    "ALTER TABLE studies ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE assignments ADD COLUMN slot INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE assignments ADD COLUMN place INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX assignments_by_slot ON assignments (study, slot)",
    "ALTER TABLE sessions ADD COLUMN uid TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN station TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN experimenter TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN seen INTEGER",
    "CREATE UNIQUE INDEX sessions_by_uid ON sessions (uid) WHERE uid <> ''",
    "ALTER TABLE trials ADD COLUMN details TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE responses ADD COLUMN details TEXT NOT NULL DEFAULT '{}'",
    # by a rule of the study's file (its name), or by hand (rule ''); lifted: it stands no more
    """CREATE TABLE exclusions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (id),
        rule TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL,
        author TEXT NOT NULL DEFAULT '',
        created INTEGER NOT NULL,
        lifted INTEGER)""",
    "CREATE INDEX exclusions_by_session ON exclusions (session)",
    # answers to the gate and the questionnaires; the newest of a question counts
    """CREATE TABLE questionnaires (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (id),
        part TEXT NOT NULL,
        question TEXT NOT NULL,
        value TEXT NOT NULL,
        created INTEGER NOT NULL)""",
    "CREATE INDEX questionnaires_by_session ON questionnaires (session)",
    # what the monitor asks of a session that sits elsewhere: pause, go_on, note, end
    """CREATE TABLE wishes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (id),
        wish TEXT NOT NULL,
        text TEXT NOT NULL DEFAULT '',
        author TEXT NOT NULL DEFAULT '',
        created INTEGER NOT NULL,
        done INTEGER)""",
    "CREATE INDEX wishes_by_session ON wishes (session)",
)

# a quota of its own for each kind of session (main, pilot, simulated); a slot's blocks; the station whose store holds
# what is dealt. Nothing refers to the table, and SQLite cannot change the key of one that stands
QUOTAS: Final = (
    """CREATE TABLE quotas (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        study INTEGER NOT NULL REFERENCES studies (id),
        kind TEXT NOT NULL DEFAULT 'main',
        item INTEGER NOT NULL REFERENCES items (id),
        part INTEGER NOT NULL,
        condition TEXT NOT NULL DEFAULT '',
        session INTEGER REFERENCES sessions (id),
        state TEXT NOT NULL DEFAULT 'free',
        lease_until INTEGER,
        slot INTEGER NOT NULL DEFAULT 0,
        place INTEGER NOT NULL DEFAULT 0,
        block INTEGER NOT NULL DEFAULT 0,
        station TEXT NOT NULL DEFAULT '',
        UNIQUE (study, kind, item, condition, part))""",
    "INSERT INTO quotas (id, study, item, part, condition, session, state, lease_until, slot, place)"
    " SELECT id, study, item, part, condition, session, state, lease_until, slot, place FROM assignments",
    "DROP TABLE assignments",
    "ALTER TABLE quotas RENAME TO assignments",
    "CREATE INDEX assignments_by_state ON assignments (study, kind, state)",
    "CREATE INDEX assignments_by_session ON assignments (session)",
    "CREATE INDEX assignments_by_slot ON assignments (study, kind, slot)",
)

GONE: Final = (
    # sittings that were removed, by a uid that says nothing of the person: a merge or an import of a store or file
    # from before must not bring them back
    """CREATE TABLE gone_sessions (
        uid TEXT PRIMARY KEY,
        created INTEGER NOT NULL) WITHOUT ROWID""",
    """CREATE TRIGGER sessions_gone AFTER DELETE ON sessions WHEN old.uid <> '' BEGIN
        INSERT OR IGNORE INTO gone_sessions (uid, created)
        VALUES (old.uid, CAST(strftime('%s', 'now') AS INTEGER) * 1000);
    END""",
)

# blind grading, one property at a time: what somebody said of one bit of a step's layout (NULL: cannot tell), the
# newest of an author counts. settles: said by an adjudicator, who saw only what two graders differ on
VERDICTS: Final = (
    """CREATE TABLE verdicts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        step INTEGER NOT NULL REFERENCES steps (id),
        author TEXT NOT NULL,
        settles INTEGER NOT NULL DEFAULT 0,
        bit INTEGER NOT NULL,
        verdict INTEGER,
        created INTEGER NOT NULL)""",
    "CREATE INDEX verdicts_by_step ON verdicts (step)",
)
