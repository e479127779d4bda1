/** Times in ms and limits; the defaults suit a real network. */
export interface SshTuning {
  readonly keepaliveInterval: number
  /** Unanswered keepalives after which a connection counts as lost. */
  readonly keepaliveCount: number
  /** For the name, TCP, the handshake and the login together. */
  readonly connectTimeout: number
  /** For opening a channel and starting the command. */
  readonly channelTimeout: number
  /** A connection that nobody used for so long is closed. */
  readonly idleTimeout: number
  /** First and longest wait before connecting again after a loss, and how often. */
  readonly retryFirst: number
  readonly retryLongest: number
  readonly retries: number
  /** How long a refusal that waits for the operator is remembered without asking the host again. */
  readonly holdOff: number
  /** Commands at once on a connection; sshd allows 10 sessions unless set otherwise. */
  readonly channels: number
}

export const defaultTuning: SshTuning = {
  keepaliveInterval: 15_000,
  keepaliveCount: 3,
  connectTimeout: 15_000,
  channelTimeout: 20_000,
  idleTimeout: 600_000,
  retryFirst: 1_000,
  retryLongest: 30_000,
  retries: 5,
  holdOff: 600_000,
  channels: 8
}
