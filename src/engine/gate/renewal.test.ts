// Tests what a call holds while its credential is renewed.
import { expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import type { SourceCall } from "./call.ts"
import { callRenewing } from "./renewal.ts"

type Arguments = Parameters<typeof callRenewing>

test("a large refusal gives its turn back before the credential is renewed, so that others are read meanwhile", async () => {
  const turn = openAnswerTurn("ada", defaultLimits)
  const other = openAnswerTurn("ben", defaultLimits)
  let requests = 0
  const adapter = {
    async callTool() {
      requests += 1
      await turn.take()
      return requests === 1 ? { ok: false, error: { code: "upstream_error", message: "expired", status: 401 } } : { ok: true, data: "read" }
    },
  }
  const credential = { secrets: [] }
  const renew = async () => {
    await other.take()
    other.end()
    return credential
  }
  const call = { args: {}, effect: "read", signal: new AbortController().signal, timeoutMs: 1000, answerTurn: turn }
  const found = { tool: {}, connection: {}, integration: { kind: "openapi" } }
  const opened = { credential: { ...credential, renew }, integration: { adapter, config: {}, outbound: {} } }
  // Only what the stage reads of each is there.
  const answer = callRenewing(
    call as unknown as SourceCall,
    found as unknown as Arguments[1],
    opened as unknown as Arguments[2],
    { tenant: "acme", user: "ada" },
    { limits: defaultLimits } as Arguments[4],
  )
  expect(await answer).toEqual({ ok: true, data: "read" })
  turn.end()
})
