// Tests that the runs of this node are found, followed and forgotten, each by itself.
import { expect, test } from "vitest"
import type { ExecutionEvent } from "../../core/execution.ts"
import { executionRow } from "../../store/executions/testing/samples.ts"
import { activeRun } from "../testing/samples.ts"
import { createRunRegistry } from "./run-registry.ts"

const row = executionRow({ tenant: "t", user: "alice" })

test("a run is removed only while no later one has taken its place", () => {
  const runs = createRunRegistry()
  const [first, second] = [activeRun(row), activeRun(row)]
  runs.add(first)
  runs.add(second)
  runs.remove(first)
  expect(runs.get(row.id)).toBe(second)
  runs.remove(second)
  expect([runs.get(row.id), runs.all()]).toEqual([undefined, []])
})

test("a run that waits for answers is forgotten only by itself", () => {
  const runs = createRunRegistry()
  const asking = () => ({ pending: () => ["apr_1"], restart: () => {} })
  const [first, second] = [asking(), asking()]
  const stopFirst = runs.onAnswer(row.id, first)
  const stopSecond = runs.onAnswer(row.id, second)
  stopFirst()
  expect(runs.awaitingAnswer(row.id)).toBe(second)
  stopSecond()
  expect(runs.awaitingAnswer(row.id)).toBeUndefined()
})

test("an event is made only when somebody follows, once for all of them", () => {
  const runs = createRunRegistry()
  let made = 0
  const event = (): ExecutionEvent => {
    made += 1
    return { type: "log", line: { level: "log", text: String(made) } }
  }
  runs.publish(row.id, event)
  const heard: string[] = []
  const stops = ["a", "b"].map((name) => runs.follow(row.id, (one) => void heard.push(`${name} ${one.type}`)))
  runs.publish(row.id, event)
  runs.publish("exe_other", event)
  stops[0]?.()
  runs.publish(row.id, event)
  stops[1]?.()
  runs.publish(row.id, event)
  expect([made, heard]).toEqual([2, ["a log", "b log", "b log"]])
})

test("a call is open until it is answered, whichever way", async () => {
  const runs = createRunRegistry()
  const [good, bad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  runs.trackCall(good.promise)
  runs.trackCall(bad.promise)
  expect(runs.openCalls()).toHaveLength(2)
  good.resolve()
  bad.reject(new Error("on purpose"))
  await Promise.allSettled([good.promise, bad.promise])
  expect(runs.openCalls()).toEqual([])
})
