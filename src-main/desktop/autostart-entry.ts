/** What starts with the desktop session. */
export interface AutostartCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Set for it when the operator's data is not in the usual place. */
  readonly home: string | null
}

/**
 * An entry of `~/.config/autostart` as freedesktop.org's Desktop Application Autostart Specification has it.
 * Arguments are quoted as in its Desktop Entry Specification, "The Exec key".
 */
export function autostartEntry({ program, args, home }: AutostartCommand): string {
  const command = [...(home === null ? [] : ['env', `NOMOS_HOME=${home}`]), program, ...args]
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Nomos',
    'Comment=Operate Proxmox VE from a chat',
    `Exec=${command.map(quote).join(' ')}`,
    'Icon=nomos',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    ''
  ].join('\n')
}

/** True for an entry that the operator has turned off in the desktop's own settings: it stays so. */
export const isTurnedOff = (entry: string): boolean =>
  /^\s*(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(entry)

/** Quoted for Exec, then escaped as a string of the file; a percent sign stands for itself when it is doubled. */
function quote(argument: string): string {
  const plain = /^[A-Za-z0-9_./=:@,+-]+$/.test(argument)
  const quoted = plain ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`
  return quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\n', '\\n')
}
