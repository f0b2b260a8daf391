// Broadcasts through an SQLite file: a row for each text, which every process that listens looks for.
//
// A process looks at once when it has sent something itself, and otherwise a few times a second. The position of a row is its
// place in the order that all hear.
import type { Broadcasts } from "../broadcasts.ts"
import type { Reader } from "../../session.ts"
import type { Statement } from "../../statement.ts"

type Listener = Parameters<Broadcasts["listen"]>[0]
type Change = (statements: readonly Statement<unknown>[]) => Promise<unknown>

const lookEveryMs = 250
/** Whoever is further behind has missed something. */
const rowsKept = 1000

export function sqliteBroadcasts(reader: Reader, change: Change): Broadcasts {
  const listeners = new Set<Listener>()
  let heard: number | null = null
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> = Promise.resolve()
  const tell = (text: string | null): void => listeners.forEach((listener) => listener(text))

  async function lookOnce(): Promise<void> {
    if (listeners.size === 0) return
    if (heard === null) {
      heard = (await reader.all(lastPosition))[0]?.position ?? 0
      return
    }
    const rows = await reader.all(rowsAfter(heard))
    const [first] = rows
    if (first === undefined) return
    if (first.position > heard + 1) tell(null)
    heard = rows.at(-1)?.position ?? heard
    rows.forEach(({ text }) => tell(text))
  }

  /** One look after the other, so that nothing is told twice. What cannot be read now is found by the next one. */
  const look = (): Promise<void> => {
    const next = looking.then(lookOnce)
    looking = next.catch(() => {})
    return next
  }

  function lookLater(): void {
    if (listeners.size === 0) return
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(lookLater),
      lookEveryMs,
    )
    timer.unref()
  }

  return {
    async send(text) {
      await change([insertOf(text), pruning])
      await look().catch(() => {})
    },
    async listen(listener) {
      listeners.add(listener)
      if (listeners.size === 1) {
        heard = null
        lookLater()
      }
      await look()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && timer !== null) clearTimeout(timer)
      }
    },
  }
}

const insertOf = (text: string): Statement<unknown> => ({
  sql: "insert into broadcasts (text) values (?)",
  parameters: [text],
  use: "reused",
})
const pruning: Statement<unknown> = {
  sql: `delete from broadcasts where position <= (select max(position) from broadcasts) - ${rowsKept}`,
  parameters: [],
  use: "reused",
}
const lastPosition: Statement<{ position: number }> = {
  sql: "select coalesce(max(position), 0) as position from broadcasts",
  parameters: [],
  use: "reused",
}
const rowsAfter = (position: number): Statement<{ position: number; text: string }> => ({
  sql: "select position, text from broadcasts where position > ? order by position",
  parameters: [position],
  use: "reused",
})
