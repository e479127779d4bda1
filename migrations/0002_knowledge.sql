-- One full-text index over notes, watched files, messages and executions.
-- Messages and executions come in by trigger, in the transaction that finishes them.

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('note', 'file', 'message', 'execution')),
  ref TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  -- The session of a message.
  session_id TEXT,
  updated_at INTEGER NOT NULL,
  UNIQUE (source, ref)
) STRICT;
CREATE INDEX documents_by_session ON documents (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX documents_by_time ON documents (updated_at);

CREATE VIRTUAL TABLE documents_text USING fts5 (
  title, body, content = 'documents', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '3'
);
CREATE TRIGGER documents_text_i AFTER INSERT ON documents BEGIN
  INSERT INTO documents_text (rowid, title, body) VALUES (NEW.id, NEW.title, NEW.body);
END;
CREATE TRIGGER documents_text_d AFTER DELETE ON documents BEGIN
  INSERT INTO documents_text (documents_text, rowid, title, body) VALUES ('delete', OLD.id, OLD.title, OLD.body);
END;
CREATE TRIGGER documents_text_u AFTER UPDATE OF title, body ON documents BEGIN
  INSERT INTO documents_text (documents_text, rowid, title, body) VALUES ('delete', OLD.id, OLD.title, OLD.body);
  INSERT INTO documents_text (rowid, title, body) VALUES (NEW.id, NEW.title, NEW.body);
END;

-- A user's message gets its text when it is written, an assistant's when it is finished.
CREATE TRIGGER messages_indexed_when_finished AFTER UPDATE OF state ON messages WHEN NEW.state IN ('done', 'error') BEGIN
  INSERT INTO documents (source, ref, title, body, session_id, updated_at)
  SELECT 'message', NEW.id, '', group_concat(text, char(10)), NEW.session_id, NEW.created_at
    FROM message_parts WHERE message_id = NEW.id AND type = 'text' HAVING count(*) > 0
  ON CONFLICT (source, ref) DO UPDATE SET body = excluded.body;
END;
CREATE TRIGGER parts_indexed AFTER INSERT ON message_parts WHEN NEW.type = 'text'
  AND (SELECT state FROM messages WHERE id = NEW.message_id) IN ('done', 'error', 'queued') BEGIN
  INSERT INTO documents (source, ref, title, body, session_id, updated_at)
  SELECT 'message', id, '', NEW.text, session_id, created_at FROM messages WHERE id = NEW.message_id AND true
  ON CONFLICT (source, ref) DO UPDATE SET body = documents.body || char(10) || excluded.body;
END;
CREATE TRIGGER messages_forgotten AFTER DELETE ON messages BEGIN
  DELETE FROM documents WHERE source = 'message' AND ref = OLD.id;
END;

CREATE TRIGGER executions_indexed AFTER UPDATE OF state ON executions
  WHEN NEW.state IN ('succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'lost', 'denied') BEGIN
  INSERT INTO documents (source, ref, title, body, updated_at) VALUES (
    'execution', NEW.id, NEW.title,
    NEW.action || ' ' || NEW.target || ' ' || NEW.state || char(10) || NEW.why || char(10)
      || coalesce(json_extract(NEW.error, '$.message'), '') || char(10)
      || coalesce(json_extract(NEW.verification, '$.summary'), ''),
    coalesce(NEW.ended_at, NEW.requested_at))
  ON CONFLICT (source, ref) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at;
END;
