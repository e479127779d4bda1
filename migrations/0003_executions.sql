-- The params as they were asked for, so that the same request while one is open is recognised.
ALTER TABLE executions ADD COLUMN requested TEXT NOT NULL DEFAULT '{}';
-- When the job's folder was removed from its host, a week after the result was read.
ALTER TABLE executions ADD COLUMN cleaned_at INTEGER;
-- What preflight of a plan's step found, for the scope of the window that its approval opens.
ALTER TABLE plan_steps ADD COLUMN prepared TEXT NOT NULL DEFAULT '{}';
