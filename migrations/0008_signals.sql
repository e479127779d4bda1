-- Conditions noticed on the fleet. One row for each condition of each thing; it is reopened when the condition comes back.
CREATE TABLE signals (
  id TEXT PRIMARY KEY,
  -- Kind, thing and what of it: `unit_failed homelab/102 vaultwarden`.
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- The thing a look covers as a whole: `homelab/102`, a host, a storage of a node.
  subject TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'critical')),
  target TEXT NOT NULL,
  host TEXT,
  title TEXT NOT NULL,
  detail TEXT NOT NULL,
  action TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
  count INTEGER NOT NULL DEFAULT 1,
  quiet INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  resolved_at INTEGER,
  execution_id TEXT,
  -- How often it acted by itself since `acting_since`; bounded for each day.
  acts INTEGER NOT NULL DEFAULT 0,
  acting_since INTEGER
) STRICT;
CREATE INDEX signals_unresolved ON signals (state) WHERE state <> 'resolved';

-- Looks that were made at least once: what the first one finds on a host is listed, not told.
CREATE TABLE signal_looks (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
