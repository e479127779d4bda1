import { v7 } from 'uuid'

/** A new UUIDv7: unique, and ordered by the time of its making. */
export const newId = (): string => v7()
