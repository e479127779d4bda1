-- The operator's own skills that the agent may read, each as it was when it was allowed.
CREATE TABLE skill_allowances (
  name TEXT PRIMARY KEY,
  -- SHA-256 of SKILL.md; a file with another one waits to be allowed anew.
  hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
