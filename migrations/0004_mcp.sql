-- What the operator has confirmed and allowed of external MCP servers.

-- A server is started or connected to only while its configuration has this hash.
CREATE TABLE mcp_consents (
  server TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- A tool is served only while the server is the confirmed one and the tool's definition has this hash.
CREATE TABLE mcp_tools (
  server TEXT NOT NULL,
  name TEXT NOT NULL,
  launch TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- As it was allowed, to show beside what it became.
  description TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (server, name)
) STRICT;
