-- What the sentences of a signal and of a rule speak of, apart from their English words.
ALTER TABLE signals ADD COLUMN facts TEXT NOT NULL DEFAULT '{}';
ALTER TABLE approvals ADD COLUMN rule_said TEXT NOT NULL DEFAULT '[]';
