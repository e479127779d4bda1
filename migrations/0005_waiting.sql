-- What an approved execution waits behind, as JSON, while it waits: another one acts on the same thing.
ALTER TABLE executions ADD COLUMN waits_for TEXT;
-- The execution that found its VMID taken and in whose place this one was requested.
ALTER TABLE executions ADD COLUMN retry_of TEXT;
-- A plan's step as it was proposed, before anything was picked for it.
ALTER TABLE plan_steps ADD COLUMN requested TEXT NOT NULL DEFAULT '{}';
