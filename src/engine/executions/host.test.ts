// Tests what a call that comes too late does to its run, and to a newer one of the same execution.
import { afterAll, expect, test } from "vitest"
import { executionRow } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { activeRun } from "../testing/samples.ts"
import { createCallsInFlight } from "./calls-in-flight.ts"
import { executionHost } from "./host.ts"
import type { HostContext } from "./host.ts"
import type { ExecutionJournal } from "./journal.ts"
import { openToolLogs } from "../programs/tool-logs.ts"
import { Cancellation, LeaseLost } from "./run-registry.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

test.each([new LeaseLost("The lease expired"), new Cancellation("revocation")])("%s ends the run of the call alone", async (reason) => {
  const parts = cluster.node()
  const row = executionRow(await cluster.human(), { run: 2 })
  const newer = activeRun(row)
  parts.runs.add(newer)
  const ended: Error[] = []
  const journal = { replay: () => ({ state: "new" }) } as unknown as ExecutionJournal
  // What else belongs to a context is not reached.
  const context = {
    journal,
    inFlight: createCallsInFlight(),
    endRun: (error: Error) => void ended.push(error),
    current: () => Promise.reject(reason),
  } as unknown as HostContext
  const host = executionHost(row.id, { journal, toolLogs: openToolLogs("[]", parts.limits) }, () => context, parts)
  expect(await host.call({ kind: "tool", key: "k:0", seq: 0, path: "notes.write", argsJson: "{}", line: 1 })).toEqual({ form: "pending" })
  expect(ended).toEqual([reason])
  expect(newer.abort.signal.aborted).toBe(false)
})
