/** What may be sent beside a message. */
export const attachmentLimits = {
  /** Characters of one attachment. */
  characters: 1_000_000,
  perMessage: 10,
  /** Characters of its name. */
  name: 200,
  /** Characters of one attachment that the model is given; of a longer one it reads the beginning and the end. */
  toModel: 60_000
} as const

/** A text that the operator sends beside a message. Its text is fetched when it is opened. */
export interface AttachmentView {
  readonly id: string
  readonly name: string
  /** Size in UTF-8. */
  readonly bytes: number
  readonly lines: number
}

export interface AttachmentDetail extends AttachmentView {
  readonly text: string
}
