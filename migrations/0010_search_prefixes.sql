-- What is typed is mostly two to four letters at first: such beginnings are in the index as words are,
-- so that looking for one does not merge the lists of all words that begin so.

DROP TABLE documents_text;
CREATE VIRTUAL TABLE documents_text USING fts5 (
  title, body, content = 'documents', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3 4'
);
INSERT INTO documents_text (documents_text) VALUES ('rebuild');
