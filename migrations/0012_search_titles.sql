-- The words of the titles alone, so that looking for them does not walk the lists of words that every text has;
-- and the words there are, so that the beginning of a word can be asked for as the few words that begin so.

CREATE VIRTUAL TABLE documents_titles USING fts5 (
  title, content = 'documents', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3 4'
);
INSERT INTO documents_titles (rowid, title) SELECT id, title FROM documents WHERE title <> '';
CREATE TRIGGER documents_titles_i AFTER INSERT ON documents WHEN NEW.title <> '' BEGIN
  INSERT INTO documents_titles (rowid, title) VALUES (NEW.id, NEW.title);
END;
CREATE TRIGGER documents_titles_d AFTER DELETE ON documents WHEN OLD.title <> '' BEGIN
  INSERT INTO documents_titles (documents_titles, rowid, title) VALUES ('delete', OLD.id, OLD.title);
END;
CREATE TRIGGER documents_titles_u AFTER UPDATE OF title ON documents WHEN NEW.title <> OLD.title BEGIN
  INSERT INTO documents_titles (documents_titles, rowid, title) VALUES ('delete', OLD.id, OLD.title);
  INSERT INTO documents_titles (rowid, title) VALUES (NEW.id, NEW.title);
END;

CREATE VIRTUAL TABLE documents_words USING fts5vocab (documents_text, instance);
