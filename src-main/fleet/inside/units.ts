/**
 * Rows of `systemctl list-units --plain --no-legend`, failed ones first. What systemd knows no such name for
 * (systemd.unit(5): 255 of these characters) was not printed by it, and is left out.
 */
export function parseUnits(text: string) {
  const rank = { failed: 0, active: 1 } as Readonly<Record<string, number>>
  return text
    .split('\n')
    .flatMap((line) => {
      const found =
        /^[●*\s]*([A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]{0,246}\.service)\s+(\S+)\s+(\S+)\s+(\S+)\s*(.*?)\s*$/.exec(
          line
        )
      const [, name, load, active, sub, description = ''] = found ?? []
      return name && load && active && sub
        ? [{ name: name.replace(/\.service$/, ''), load, active, sub, description }]
        : []
    })
    .filter((service) => service.load !== 'not-found')
    .sort((a, b) => (rank[a.active] ?? 2) - (rank[b.active] ?? 2) || a.name.localeCompare(b.name))
}
