// Tests how log lines and notices share their room.
import { describe, expect, test } from "vitest"
import type { LogLine } from "../../sandbox.ts"
import { reportLogs } from "./run-logs.ts"

const line = (text: string): LogLine => ({ level: "log", text })
const limits = { logLinesMax: 4, logBytesMax: 1000 }

describe("reported logs", () => {
  test("are the lines themselves when nothing else is to be said", () => {
    const lines = ["a", "b", "c", "d"].map(line)
    expect(reportLogs(lines, [], 0, limits)).toEqual({ logs: lines, dropped: 0 })
  })

  test("end with the notices", () => {
    expect(reportLogs([line("a")], [line("n")], 0, limits)).toEqual({ logs: [line("a"), line("n")], dropped: 0 })
  })

  test("make room for notices, and say so", () => {
    const { logs, dropped } = reportLogs(["a", "b", "c", "d"].map(line), [line("n")], 2, limits)
    expect([logs.map(({ text }) => text), dropped]).toEqual([
      ["a", "b", "n", "… 4 more lines were dropped: log less, or return the values."],
      4,
    ])
  })

  test("keep within their bytes", () => {
    const { logs, dropped } = reportLogs(["x".repeat(500), "x".repeat(490)].map(line), [], 1, limits)
    expect([logs.map(({ text }) => text.length), dropped]).toEqual([
      [500, "… 2 more lines were dropped: log less, or return the values.".length],
      2,
    ])
  })

  test("always hold the notices", () => {
    const { logs } = reportLogs([line("a")], [line("n"), line("m")], 1, { logLinesMax: 1, logBytesMax: 1 })
    expect(logs.map(({ text }) => text)).toEqual(["n", "m", "… 2 more lines were dropped: log less, or return the values."])
  })
})
