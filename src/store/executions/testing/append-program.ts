// A process that appends executions until it is killed: `node append-program.ts <path or URL> <first number>`.
//
// It prints what was acknowledged, so that a test knows what must not be lost. Each execution is a call that is no
// read, durable before it starts and after it is done, and an outcome that nobody waits for.
import { openPostgresStores } from "../../postgres.ts"
import { openSqliteStores } from "../../sqlite.ts"
import type { ExecutionStore } from "../../execution-store.ts"
import { callRow, doneCall, eventRow, executionRow, outcomeRecord } from "./samples.ts"

export const appendScope = { tenant: "default", user: "local" }
export const appendId = (number: number): string => `exe_${number}`
const writers = 8

async function appendForEver({ journal }: ExecutionStore, first: number): Promise<never> {
  for (let number = first; ; number += writers) {
    const row = executionRow(appendScope, { id: appendId(number) })
    const say = (what: string): void => console.log(`${what} ${number}`)
    void journal.append([{ kind: "execution", row }], "soon")
    await journal.append([{ kind: "call", row: callRow(row) }], "now")
    say("started")
    await journal.append(
      [
        { kind: "call", row: doneCall(row) },
        { kind: "event", row: eventRow(row, 0) },
      ],
      "now",
    )
    say("done")
    void journal.append([outcomeRecord(row)], "soon").then(() => say("ended"))
  }
}

const [place, first] = process.argv.slice(2)
if (import.meta.main && place !== undefined) {
  const { executions } = place.startsWith("postgres:") ? await openPostgresStores({ url: place }) : await openSqliteStores({ path: place })
  await Promise.all(Array.from({ length: writers }, (_, index) => appendForEver(executions, Number(first) + index)))
}
