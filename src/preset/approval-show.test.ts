// Which pages open by themselves, and for whom.
import { expect, test } from "vitest"
import { localHuman } from "../core/principal.ts"
import { hasDesktop } from "../io/open-browser.ts"
import { silentLog } from "../io/log.ts"
import { createApprovalShow } from "./approval-show.ts"

const agent = { ...localHuman, kind: "agent" as const, tokenId: "tok_1" }

function watch(pagesUrl: string | null) {
  const opened: string[] = []
  const invited: string[] = []
  let nowMs = 0
  const show = createApprovalShow({
    browserSessions: {
      invite: ({ tenant, user }, lifeMs) => {
        invited.push(`${tenant} ${user} ${lifeMs}`)
        return Promise.resolve({ code: `exc_${invited.length}`, expiresAt: "" })
      },
    },
    pagesUrl: () => pagesUrl,
    openBrowser: (url) => {
      opened.push(url)
      return Promise.resolve(true)
    },
    clock: { now: () => new Date(0), monotonicMs: () => nowMs },
    log: silentLog,
  })
  return { show, opened, invited, pass: (ms: number) => (nowMs += ms) }
}

test("a page opens for the agent's own human, with a code that lives a minute", async () => {
  const { show, opened, invited } = watch("http://127.0.0.1:4788")
  show(agent, "exe_1")
  await expect.poll(() => opened).toEqual(["http://127.0.0.1:4788/signin?code=exc_1&next=%2Fapprove%2Fexe_1"])
  expect(invited).toEqual(["default local 60000"])
})

test("an agent that asks for much opens one page, not many, and none twice", async () => {
  const { show, opened, pass } = watch("http://127.0.0.1:4788")
  for (let asked = 0; asked < 100; asked += 1) show(agent, `exe_${asked}`)
  pass(11_000)
  show(agent, "exe_0")
  show(agent, "exe_new")
  await expect.poll(() => opened.map((url) => url.split("exe_")[1])).toEqual(["0", "new"])
})

test("nothing opens for agents of anybody else: it would sign in the human of this machine as them", async () => {
  const { show, opened, invited } = watch("http://127.0.0.1:4788")
  for (const other of [{ user: "bob" }, { tenant: "acme" }]) show({ ...agent, ...other }, "exe_other")
  show(agent, "exe_own")
  await expect.poll(() => opened.length).toBe(1)
  expect([invited, opened]).toEqual([["default local 60000"], [expect.stringContaining("exe_own")]])
})

test("nothing opens before the server listens", () => {
  const { show, opened } = watch(null)
  show(agent, "exe_1")
  expect(opened).toEqual([])
})

test.each([
  [{ EXECUTOR_OPEN_BROWSER: "0", DISPLAY: ":0" }, false],
  [{ EXECUTOR_OPEN_BROWSER: "1" }, true],
  [{ DISPLAY: ":0", VITEST: "true" }, false],
  [{ DISPLAY: ":0", CI: "1" }, false],
  [{ DISPLAY: ":0", SSH_CONNECTION: "1.2.3.4" }, false],
])("%j has a desktop: %s", (env, expected) => {
  expect(hasDesktop(env)).toBe(expected)
})
