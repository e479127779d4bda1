/** README of the project that the lab's operator wants to have; invented for the lab. */
export const typetypeReadme = `# TypeType

A self-hosted front end for video: search, subscriptions and playlists without an account, one small Node.js process, no database server.

## Features

- Search, channels, playlists, subscriptions kept in one SQLite file
- Proxies thumbnails and streams, so that viewers' addresses stay private
- Works behind any reverse proxy; speaks plain HTTP on one port
- About 120 MB of memory in use

## Requirements

- Debian 12 or later (an LXC container is fine; give it \`nesting=1\` for systemd)
- Node.js 18 or later
- 1 GB of memory, 8 GB of disk

## Install on Debian

\`\`\`sh
apt-get update
apt-get install -y nodejs curl
curl -fsSL -o /tmp/typetype.tar.gz https://github.com/Priveetee/TypeType/releases/latest/download/typetype.tar.gz
mkdir -p /opt/typetype
tar -xzf /tmp/typetype.tar.gz -C /opt/typetype --strip-components=1
\`\`\`

Then create \`/etc/systemd/system/typetype.service\`:

\`\`\`ini
[Unit]
Description=TypeType video front end
After=network-online.target

[Service]
WorkingDirectory=/opt/typetype
Environment=PORT=3000
ExecStart=/usr/bin/node /opt/typetype/server.js
Restart=on-failure

[Install]
WantedBy=multi-user.target
\`\`\`

and start it:

\`\`\`sh
systemctl daemon-reload
systemctl enable --now typetype.service
\`\`\`

TypeType now listens on port 3000.

## Behind a reverse proxy

With Caddy:

\`\`\`
tube.example.org {
  reverse_proxy typetype:3000
}
\`\`\`

## Configuration

| variable | default | meaning |
|---|---|---|
| \`PORT\` | 3000 | port to listen on |
| \`DATA\` | /opt/typetype/data | where subscriptions and playlists are kept |
| \`REGION\` | none | region for search results |

## License

AGPL-3.0
`
