-- What a session runs with and how much it holds.

-- Name of one of the further models of the configuration; null is the default one.
ALTER TABLE sessions ADD COLUMN model TEXT;
-- When it was read from a file; what it says before was never said here.
ALTER TABLE sessions ADD COLUMN imported_at INTEGER;
-- Bytes of its messages and of what its calls returned, as of its last turn.
ALTER TABLE sessions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;

UPDATE sessions SET bytes =
  (SELECT COALESCE(SUM(octet_length(text) + COALESCE(octet_length(data), 0)), 0) FROM message_parts
     WHERE message_id IN (SELECT id FROM messages WHERE session_id = sessions.id))
  + (SELECT COALESCE(SUM(octet_length(args) + COALESCE(octet_length(text), 0) + COALESCE(octet_length(structured), 0)), 0)
       FROM tool_calls WHERE message_id IN (SELECT id FROM messages WHERE session_id = sessions.id));
