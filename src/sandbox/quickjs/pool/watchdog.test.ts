// Tests what the watchdog decides about a worker, by what it sees.
import { describe, expect, test } from "vitest"
import type { WatchedWorker } from "./watchdog.ts"
import { judge } from "./watchdog.ts"

const watched = (change: Partial<WatchedWorker>): WatchedWorker => ({
  run: { lane: "fast" },
  insideMs: 0,
  computedMs: null,
  silentMs: 0,
  someoneWaits: true,
  ...change,
})
const cpuMs = 10_000

describe("the watchdog", () => {
  test("leaves a short stay alone", () => expect(judge(watched({ insideMs: 20 }), cpuMs)).toBe("fine"))
  test("leaves a long stay alone when nobody waits", () =>
    expect(judge(watched({ insideMs: 9000, someoneWaits: false }), cpuMs)).toBe("fine"))
  test("asks a long stay to move when somebody waits", () => expect(judge(watched({ insideMs: 60 }), cpuMs)).toBe("ask_to_move"))
  test("ends a thread that does not hear", () => expect(judge(watched({ insideMs: 400, silentMs: 400 }), cpuMs)).toBe("terminate_and_move"))
  test("is patient with a thread that still polls", () =>
    expect(judge(watched({ insideMs: 400, silentMs: 20 }), cpuMs)).toBe("ask_to_move"))
  test("lets the slow lane compute", () =>
    expect(judge(watched({ run: { lane: "slow" }, insideMs: 9000, silentMs: 9000 }), cpuMs)).toBe("fine"))
  test("ends the slow lane far behind the limit", () => {
    expect(judge(watched({ run: { lane: "slow" }, insideMs: 25_000, silentMs: 9000 }), cpuMs)).toBe("terminate_and_stop")
  })
  test("ends the slow lane at the limit where the thread's own time is known", () => {
    const slow = watched({ run: { lane: "slow" }, insideMs: 12_000, silentMs: 9000 })
    expect(judge({ ...slow, computedMs: 10_600 }, cpuMs)).toBe("terminate_and_stop")
    expect(judge({ ...slow, insideMs: 60_000, computedMs: 9000 }, cpuMs)).toBe("fine")
  })
  test("leaves the exact limit to whoever polls", () => {
    expect(judge(watched({ run: { lane: "slow" }, insideMs: 25_000, silentMs: 10 }), cpuMs)).toBe("fine")
  })
  test("throws out a run that has ended", () => {
    expect(judge(watched({ run: null, insideMs: 5 }), cpuMs)).toBe("ask_to_drop")
    expect(judge(watched({ run: null, insideMs: 400, silentMs: 400 }), cpuMs)).toBe("terminate")
  })
})
