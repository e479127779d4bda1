-- Whether the execution was asked for by a turn that had read text from outside, so that what is asked for in its place
-- is known to have been too. Of those asked for before this it is not known: they are taken to have been.
ALTER TABLE executions ADD COLUMN tainted INTEGER NOT NULL DEFAULT 1;
