-- Texts that the operator sends beside a message. They lie beside the parts, so that reading a page of messages
-- never reads them, and are found by the search as part of their message.
CREATE TABLE attachments (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (message_id, idx)
) STRICT;

CREATE TRIGGER attachments_indexed AFTER INSERT ON attachments BEGIN
  INSERT INTO documents (source, ref, title, body, session_id, updated_at)
  SELECT 'message', id, '', NEW.name || char(10) || NEW.text, session_id, created_at
    FROM messages WHERE id = NEW.message_id AND true
  ON CONFLICT (source, ref) DO UPDATE SET body = documents.body || char(10) || excluded.body;
END;

-- As before, and with the attachments.
DROP TRIGGER messages_indexed_when_finished;
CREATE TRIGGER messages_indexed_when_finished AFTER UPDATE OF state ON messages WHEN NEW.state IN ('done', 'error') BEGIN
  INSERT INTO documents (source, ref, title, body, session_id, updated_at)
  SELECT 'message', NEW.id, '', group_concat(text, char(10)), NEW.session_id, NEW.created_at
    FROM (SELECT text FROM message_parts WHERE message_id = NEW.id AND type = 'text'
          UNION ALL
          SELECT name || char(10) || text FROM attachments WHERE message_id = NEW.id)
    HAVING count(*) > 0
  ON CONFLICT (source, ref) DO UPDATE SET body = excluded.body;
END;
