"""The tables of the store, as its migrations make them; those of people and studies are in ``studies.schema``.

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

from sessions.studies.schema import PEOPLE

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

NOTES: Final = (
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
)

# a request that broke off, and those in flight when a process was killed, leave no row in calls
SPENDING: Final = (
    """CREATE TABLE spending (
        run INTEGER PRIMARY KEY REFERENCES runs (id),
        uncertain REAL NOT NULL)""",
    "CREATE INDEX calls_spent ON calls (run, cost) WHERE cost IS NOT NULL",
)

# how many main trajectories a batch was to make, of all items ("") or of a part of them (``--shard 2/8``): what was
# never taken up leaves no other trace. The most that was asked for at once counts
EXTENTS: Final = (
    """CREATE TABLE extents (
        run INTEGER NOT NULL REFERENCES runs (id),
        part TEXT NOT NULL,
        trajectories INTEGER NOT NULL,
        PRIMARY KEY (run, part)) WITHOUT ROWID""",
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

# answers that are no whole ones are counted without reading the others
STATUSES: Final = ("CREATE INDEX steps_not_ok ON steps (trajectory, status, origin) WHERE status <> 0",)

FIRST: Final = (*WORDS, *PATHS, *SCORES, *NOTES, *PEOPLE)

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
