-- Sessions, messages, executions, approvals and the watcher's outbox.
-- Times are UTC milliseconds. JSON columns hold what the contract's types describe.

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'idle' CHECK (state IN ('idle', 'running', 'waiting', 'failed')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  kind TEXT NOT NULL CHECK (kind IN ('turn', 'continuation', 'notice')),
  state TEXT NOT NULL CHECK (state IN ('queued', 'streaming', 'done', 'error')),
  -- What the model is told at the head of a continuation; never shown as the operator's words.
  note TEXT,
  usage TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (session_id, seq)
) STRICT;

CREATE TABLE message_parts (
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  -- The model call of the turn that this part belongs to, from 0 on.
  step INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'tool_call', 'plan', 'approval', 'notice')),
  text TEXT NOT NULL DEFAULT '',
  ref TEXT,
  data TEXT,
  PRIMARY KEY (message_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_calls (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  args TEXT NOT NULL,
  sentence TEXT NOT NULL,
  object TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'interrupted')),
  text TEXT,
  structured TEXT,
  error TEXT,
  -- 'web' or 'mcp' when the result brought in text from outside.
  taint TEXT,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX tool_calls_of_message ON tool_calls (message_id);
CREATE INDEX tool_calls_open ON tool_calls (state) WHERE state IN ('pending', 'running');

CREATE TABLE plans (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE plan_steps (
  plan_id TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  host TEXT NOT NULL,
  vmid INTEGER,
  guest_name TEXT,
  title TEXT NOT NULL,
  risk TEXT NOT NULL,
  params TEXT NOT NULL,
  commands TEXT NOT NULL,
  why TEXT NOT NULL,
  undo TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- The execution that used up this step's approval.
  execution_id TEXT,
  PRIMARY KEY (plan_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE executions (
  id TEXT PRIMARY KEY,
  session_id TEXT,
  plan_id TEXT,
  plan_step INTEGER,
  origin TEXT NOT NULL CHECK (origin IN ('agent', 'operator', 'signal', 'mcp')),
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  host TEXT NOT NULL,
  cluster TEXT,
  vmid INTEGER,
  guest_name TEXT,
  title TEXT NOT NULL,
  params TEXT NOT NULL,
  facts TEXT NOT NULL,
  risk TEXT NOT NULL CHECK (risk IN ('read_only', 'service_action', 'config_mutation', 'destructive')),
  commands TEXT NOT NULL,
  why TEXT NOT NULL,
  undo TEXT NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'starting', 'running', 'unknown',
    'succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'lost', 'denied', 'expired')),
  step TEXT,
  percent REAL,
  requested_at INTEGER NOT NULL,
  approved_at INTEGER,
  started_at INTEGER,
  ended_at INTEGER,
  deadline_at INTEGER,
  cancel_requested_at INTEGER,
  exit_code INTEGER,
  error TEXT,
  verification TEXT,
  output_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX executions_open ON executions (state)
  WHERE state IN ('awaiting_approval', 'approved', 'starting', 'running', 'unknown');
CREATE INDEX executions_of_session ON executions (session_id, id);

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('execution', 'plan')),
  subject_id TEXT NOT NULL UNIQUE,
  session_id TEXT,
  hash TEXT NOT NULL,
  risk TEXT NOT NULL,
  rule TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'denied', 'expired')),
  confirm_name TEXT,
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  route TEXT,
  reason TEXT
) STRICT;
CREATE INDEX approvals_waiting ON approvals (expires_at) WHERE state = 'awaiting_approval';

-- "Allow exactly this for 30 minutes": a hash that needs no new approval until a time.
CREATE TABLE allowances (
  hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  approval_id TEXT NOT NULL,
  PRIMARY KEY (hash, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE assent_windows (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  ended_why TEXT,
  route TEXT NOT NULL,
  scope TEXT NOT NULL,
  continuations INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX one_open_window ON assent_windows (session_id) WHERE ended_at IS NULL;

-- The outbox of results that the agent has to hear of. Written with the terminal state, in one transaction.
CREATE TABLE continuations (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- 'execution': it reached a terminal state. 'decision': the operator approved a plan, or denied.
  cause TEXT NOT NULL CHECK (cause IN ('execution', 'decision')),
  subject_id TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL,
  -- 'held': told to the operator, waits until they let the agent go on.
  state TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'delivered', 'held')),
  owner TEXT,
  lease_until INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  message_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX continuations_open ON continuations (session_id) WHERE state <> 'delivered';

CREATE TABLE host_keys (
  host TEXT NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('first_use', 'pin', 'known_hosts', 'replaced')),
  first_seen INTEGER NOT NULL,
  PRIMARY KEY (host, type)
) STRICT, WITHOUT ROWID;

-- Append-only; each entry's hash covers the one before it.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  route TEXT,
  data TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_is_append_only_u BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_is_append_only_d BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

-- What happened, one row for each state change, written with it.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
