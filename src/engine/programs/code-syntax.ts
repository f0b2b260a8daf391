// Reads code as the sandbox will, without running it.
import { ExecutorError } from "../../core/errors.ts"
import type { CodeSyntax } from "../../core/registry/code-syntax.ts"
import type { Clock } from "../../io/clock.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { newId } from "../../io/ids.ts"
import type { Sandbox, SandboxHost } from "../../sandbox/sandbox.ts"

/** Reading takes milliseconds; the rest is for waiting behind others. */
const wallMs = 30_000

const host: SandboxHost = {
  call: () => Promise.resolve({ form: "reject", json: '{"code":"internal","message":"Nothing runs"}' }),
  record: () => {},
  output: () => {},
}

export const createCodeSyntax = ({ sandbox, clock }: { readonly sandbox: Sandbox; readonly clock: Clock }): CodeSyntax => ({
  async problemIn(scope, code) {
    const outcome = await sandbox.run(
      {
        id: newId("prg"),
        principal: principalKey({ ...scope, tokenId: null }),
        code,
        results: "envelope",
        seed: new Uint8Array(32),
        startedAtMs: clock.now().getTime(),
        wallMs,
        replay: [],
        outputsSeen: 0,
        signal: new AbortController().signal,
        isOnlyParsed: true,
      },
      host,
    )
    switch (outcome.status) {
      case "returned":
      case "waiting":
        return null
      case "threw": {
        const { message, line, column } = outcome.error
        return { message, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
      }
      case "stopped":
        if (outcome.reason === "timeout") throw busy("it waited too long behind other code")
        return { message: outcome.message }
      case "refused":
        throw busy(outcome.message)
      case "killed":
        throw new ExecutorError("internal", `The code could not be checked: ${outcome.message}`)
    }
  },
})

const busy = (reason: string): ExecutorError =>
  new ExecutorError("rate_limited", `The code could not be checked now: ${reason}. Nothing was changed; try again in a moment`)
