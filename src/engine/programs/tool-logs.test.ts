// Tests where the lines of tools stand among those of an execution, over several runs of it.
import { expect, test } from "vitest"
import { openToolLogs, readLogs } from "./tool-logs.ts"

const limits = { logLinesMax: 3, logBytesMax: 100 }
const line = (text: string, tool?: string) => ({ level: "log", text, ...(tool === undefined ? {} : { tool }) })
const texts = (stored: string) => readLogs(stored).map(({ text }) => text)

test("the lines of tools stand where they came, and those of calls that are done stay when the code is replayed", () => {
  const first = openToolLogs("[]", limits)
  first.own()
  first.begin("a")
  first.add("a", line("of a", "registry.a"))
  first.own()
  first.begin("b")
  first.add("b", line("of b, waiting", "registry.b"))
  const stored = JSON.stringify(first.with([line("one"), line("two")]))
  expect(texts(stored)).toEqual(["one", "of a", "two", "of b, waiting"])
  expect(readLogs(stored)[1]).toEqual({ level: "log", text: "of a", tool: "registry.a" })

  // Only `b` runs again; own lines of the replay are not told again.
  const second = openToolLogs(stored, limits)
  second.begin("b")
  second.add("b", line("of b, waiting", "registry.b"))
  second.add("b", line("of b, done", "registry.b"))
  second.own()
  expect(texts(JSON.stringify(second.with([line("one"), line("two"), line("three")])))).toEqual([
    "one",
    "of a",
    "two",
    "of b, waiting",
    "of b, done",
    "three",
  ])
})

test("what is over the limit is counted, and the note is not kept as a line of its own", () => {
  const logs = openToolLogs("[]", limits)
  for (let at = 0; at < 5; at += 1) logs.add("a", line(`line ${at}`, "registry.a"))
  const stored = JSON.stringify(logs.with([]))
  expect(texts(stored)).toEqual(["line 0", "line 1", "line 2", "2 more lines that tools logged are left out; log less"])
  const again = openToolLogs(stored, limits)
  again.begin("a")
  expect(again.with([])).toEqual([])
})
