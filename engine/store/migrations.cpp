// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"
#include "store_schema.h"

#include <array>

namespace trainyard::store {
namespace {

// Which run and step a run was forked from.
constexpr const char* kForkColumns = "ALTER TABLE runs ADD COLUMN forked_from TEXT NOT NULL DEFAULT '';" // runs.id
                                     "ALTER TABLE runs ADD COLUMN forked_step INTEGER NOT NULL DEFAULT -1;";

// Which error it was (engine/base/ERRORS.md).
constexpr const char* kErrorCode = "ALTER TABLE runs ADD COLUMN error_code TEXT NOT NULL DEFAULT 'general';";

// `changed` of a row is the number of its last change, by any process: a reader that remembers the last number it has
// seen finds what is new without reading the rest. The numbers only grow, in the order of the commits.
constexpr const char* kChangeNumbers = R"(
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES (0);
ALTER TABLE runs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sweeps ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_by_change ON runs (changed);
CREATE INDEX sweeps_by_change ON sweeps (changed);
CREATE INDEX runs_by_status ON runs (status);
CREATE TRIGGER run_made AFTER INSERT ON runs BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE runs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER run_changed AFTER UPDATE ON runs WHEN NEW.changed = OLD.changed BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE runs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER sweep_made AFTER INSERT ON sweeps BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE sweeps SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER sweep_changed AFTER UPDATE ON sweeps WHEN NEW.changed = OLD.changed BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE sweeps SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
)";

// What happened to the trials of a sweep, in order: telling it to a judge anew (engine/sweep/judge/judge.h) makes it know
// what the one before it knew. And what was decided about a trial that does not train to its end, with the reason.
constexpr const char* kTrialEvents = R"(
CREATE TABLE trial_events (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- slot_free started report ended failed
  trial INTEGER NOT NULL,             -- -1: none
  t REAL, loss REAL,                  -- epochs or steps; smaller is better, NULL is NaN
  params TEXT NOT NULL,               -- of started: {path: value}
  memo TEXT NOT NULL,                 -- of started: a list of numbers
  wall_ms INTEGER NOT NULL,
  PRIMARY KEY (sweep, number)
) WITHOUT ROWID;
CREATE TABLE trial_decisions (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,
  decision TEXT NOT NULL,             -- stopped paused resumed
  rule TEXT NOT NULL,                 -- the scheduler
  rung REAL, loss REAL, cut REAL,
  place INTEGER NOT NULL, places INTEGER NOT NULL,
  PRIMARY KEY (sweep, trial)
) WITHOUT ROWID;
)";

// Requests to a sweep. Each waits here until the sweep's supervisor, or its successor, has answered it; the answer
// is written together with the event that the request became.
constexpr const char* kSteering = R"(
ALTER TABLE trial_events ADD COLUMN author TEXT NOT NULL DEFAULT '';
CREATE TABLE sweep_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,             -- -1: none
  body TEXT NOT NULL,                 -- JSON: what is asked for
  author TEXT NOT NULL,               -- user@host
  wall_ms INTEGER NOT NULL,
  answer TEXT NOT NULL DEFAULT ''     -- JSON; '': none yet
);
CREATE INDEX open_requests ON sweep_requests (sweep) WHERE answer = '';
)";

// What happened to a run while it trained and shows in its curves (run_events.h).
constexpr const char* kRunEvents = R"(
CREATE TABLE run_events (
  id INTEGER PRIMARY KEY,             -- in the order in which they happened
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,                 -- started resumed restarted replaced workers learning_rate rolled_back
  step INTEGER NOT NULL,              -- the last step before it took effect
  seconds REAL,                       -- of training by then, as of a point
  before REAL, after REAL,            -- workers or a learning rate; NULL: unknown
  rank INTEGER NOT NULL,              -- of replaced; -1: none
  reason TEXT NOT NULL,               -- for people; '': none
  wall_ms INTEGER NOT NULL
);
CREATE INDEX run_events_by_run ON run_events (run, id);
)";

// Runs that wait for their turn. `changed` is the number of the last change of any of it, as in the tables above.
constexpr const char* kQueue = R"(
CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,             -- they wait in this order
  state TEXT NOT NULL,                -- waiting starting started refused
  name TEXT NOT NULL,
  spec TEXT NOT NULL,                 -- the run file; '' once it has started
  checkpoint TEXT NOT NULL,           -- file that a fork begins with
  forked_from TEXT NOT NULL,          -- runs.id
  added_ms INTEGER NOT NULL,
  run TEXT NOT NULL,                  -- runs.id, once it has started
  error TEXT NOT NULL, error_kind TEXT NOT NULL, error_where TEXT NOT NULL, error_remedy TEXT NOT NULL,
  error_code TEXT NOT NULL            -- of refused
);
CREATE INDEX queue_open ON queue (place) WHERE state <> 'started';
CREATE TABLE queue_settings (slots INTEGER NOT NULL, paused INTEGER NOT NULL, changed INTEGER NOT NULL);
INSERT INTO queue_settings VALUES (1, 0, 0);
CREATE TRIGGER queue_made AFTER INSERT ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_changed AFTER UPDATE ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_dropped AFTER DELETE ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_set AFTER UPDATE OF slots, paused ON queue_settings BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
)";

// A row whose file is being deleted is not listed (Store::beginDeleting). `changed` is the number of the last change to
// any checkpoint, as above.
constexpr const char* kCheckpointMarks = R"(
ALTER TABLE checkpoints ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE checkpoints ADD COLUMN deleting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX checkpoints_deleting ON checkpoints (run) WHERE deleting = 1;
CREATE TABLE checkpoint_changes (changed INTEGER NOT NULL);
INSERT INTO checkpoint_changes VALUES (0);
CREATE TRIGGER checkpoint_made AFTER INSERT ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER checkpoint_changed AFTER UPDATE ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER checkpoint_dropped AFTER DELETE ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
)";

// The colour that a user has chosen for a run (run_color.h). Few runs have one; its number of the palette is what new
// runs avoid.
constexpr const char* kRunColor = R"(
ALTER TABLE runs ADD COLUMN color TEXT NOT NULL DEFAULT '';
CREATE INDEX runs_by_choice ON runs (archived, color) WHERE color <> '';
)";

// kSteps[v] takes a database of version v to v + 1. Version 0 is an empty file.
constexpr std::array kSteps = {kSchemaSql, kForkColumns, kErrorCode, kChangeNumbers,   kTrialEvents,
                               kSteering,  kRunEvents,   kQueue,     kCheckpointMarks, kRunColor};

} // namespace

const int kSchemaVersion = static_cast<int>(kSteps.size());

Result<int> schemaVersion(sqlite3* db) {
    int version = 0;
    TY_TRY(query(db, "PRAGMA user_version", [&](Statement& row) { version = static_cast<int>(row.integer(0)); }));
    return version;
}

Result<void> migrate(sqlite3* db, const std::filesystem::path& file) {
    const auto checked = [&]() -> Result<int> {
        TY_ASSIGN(const int version, schemaVersion(db));
        if (version < 0 || version > kSchemaVersion)
            return environmentError("the database has schema version " + std::to_string(version) +
                                        " and this program knows " + std::to_string(kSchemaVersion),
                                    file.string(), "use the newer program that has written it, or another workspace")
                .withCode(version < 0 ? ErrorCode::General : ErrorCode::NewerVersion);
        return version;
    };
    TY_ASSIGN(const int before, checked());
    if (before == kSchemaVersion) return {};
    return transaction(db, [&]() -> Result<void> {
        TY_ASSIGN(int version, checked()); // another process may have been first
        for (; version < kSchemaVersion; ++version) {
            TY_TRY(executeScript(db, kSteps[static_cast<std::size_t>(version)]));
            TY_TRY(execute(db, "PRAGMA user_version = " + std::to_string(version + 1)));
        }
        return {};
    });
}

} // namespace trainyard::store
