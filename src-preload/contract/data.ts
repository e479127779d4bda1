/** A copy of the database in the backups folder. */
export interface BackupView {
  /** Its file's name, such as `nomos-2026-11-30.db`. */
  readonly name: string
  /** When it was written, in UTC milliseconds. */
  readonly at: number
  readonly bytes: number
}
