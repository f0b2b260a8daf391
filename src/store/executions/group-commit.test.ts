// Tests how jobs become groups.
import { setImmediate, setTimeout } from "node:timers/promises"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import type { Settlement } from "./group-commit.ts"
import { createGroupCommit } from "./group-commit.ts"

/** Commits that end when the test says so. */
function slowCommits(inFlightMax: number) {
  const begun: { readonly jobs: readonly number[]; end(settlements?: readonly Settlement<string>[]): void; fail(error: Error): void }[] = []
  const groups = createGroupCommit<number, string>({
    inFlightMax,
    commit: (jobs) =>
      new Promise((resolve, reject) =>
        begun.push({
          jobs,
          end: (settlements) => resolve(settlements ?? jobs.map((job) => ({ status: "committed", result: `did ${job}` }))),
          fail: reject,
        }),
      ),
  })
  return { groups, begun, sizes: () => begun.map(({ jobs }) => jobs.length) }
}

const turn = (): Promise<void> => setTimeout(1)

describe("groups", () => {
  it("take together what one turn adds", async () => {
    const { groups, begun } = slowCommits(1)
    const added = [1, 2, 3].map((job) => groups.add(job, "now"))
    expect(begun).toHaveLength(0)
    await turn()
    expect(begun.map(({ jobs }) => jobs)).toEqual([[1, 2, 3]])
    begun[0]?.end()
    expect(await Promise.all(added)).toEqual(["did 1", "did 2", "did 3"])
  })

  it("gather what comes while as many as may be are under way", async () => {
    const { groups, begun, sizes } = slowCommits(2)
    for (const job of [1, 2]) {
      void groups.add(job, "now")
      await turn()
    }
    for (const job of [3, 4, 5]) {
      void groups.add(job, "now")
      await turn()
    }
    expect(sizes()).toEqual([1, 1])
    begun[0]?.end()
    await turn()
    expect(begun.map(({ jobs }) => jobs)).toEqual([[1], [2], [3, 4, 5]])
  })

  it("wait a little for what nobody waits for", async () => {
    const { groups, begun } = slowCommits(1)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    void groups.add(1, "soon")
    vi.advanceTimersByTime(1)
    await setImmediate()
    expect(begun).toHaveLength(0)
    void groups.add(2, "soon")
    vi.advanceTimersByTime(60)
    await setImmediate()
    expect(begun.map(({ jobs }) => jobs)).toEqual([[1, 2]])
  })

  it("begin at once with what nobody waits for when somebody asks whether all is settled", async () => {
    const { groups, begun } = slowCommits(1)
    void groups.add(1, "soon")
    let isSettled = false
    const settled = groups.settled().then(() => (isSettled = true))
    await turn()
    expect([begun.length, isSettled]).toEqual([1, false])
    begun[0]?.end()
    await settled
    await groups.settled()
  })

  it("are settled when a failure is, too", async () => {
    const { groups, begun } = slowCommits(1)
    const added = groups.add(1, "now")
    const settled = groups.settled()
    await turn()
    begun[0]?.fail(new Error("on purpose"))
    await expect(added).rejects.toThrow("on purpose")
    await settled
  })

  it("fail as a whole or job by job, and go on", async () => {
    const { groups, begun } = slowCommits(1)
    const first = Promise.allSettled([groups.add(1, "now"), groups.add(2, "now")])
    await turn()
    const second = Promise.allSettled([groups.add(3, "now"), groups.add(4, "now")])
    begun[0]?.fail(new Error("on purpose"))
    expect((await first).map(({ status }) => status)).toEqual(["rejected", "rejected"])
    await turn()
    begun[1]?.end([
      { status: "failed", error: new Error("this one") },
      { status: "committed", result: "fine" },
    ])
    expect(await second).toEqual([
      { status: "rejected", reason: new Error("this one") },
      { status: "fulfilled", value: "fine" },
    ])
  })

  it("are bounded", async () => {
    const { groups, begun, sizes } = slowCommits(1)
    for (let job = 0; job < 1200; job += 1) void groups.add(job, "now")
    for (let group = 0; group < 3; group += 1) {
      await turn()
      begun[group]?.end()
    }
    await groups.settled()
    expect(sizes()).toEqual([500, 500, 200])
    expect(begun.flatMap(({ jobs }) => jobs)).toEqual(Array.from({ length: 1200 }, (_, index) => index))
  })
})
