"""The tables of people and studies, as migrations make them; ``sessions.schema`` says how values are written."""

from __future__ import annotations

from typing import Final

PEOPLE: Final = (
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
