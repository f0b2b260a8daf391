// The port by which processes on one database tell each other what happened.

/** Short texts for every process on the database, the sender's included, which all hear them in one order. */
export interface Broadcasts {
  /** At most `broadcastBytesMax` of UTF-8. */
  send(text: string): Promise<void>
  /** Hears whatever is sent once this has answered how to stop. Null: some may have been missed. */
  listen(listener: (text: string | null) => void): Promise<() => void>
}
/** PostgreSQL takes less than 8000. */
export const broadcastBytesMax = 7500
