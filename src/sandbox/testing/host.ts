// A host for tests of a sandbox: answers calls by a script, and keeps a ledger of everything it was told.
import type {
  Sandbox,
  SandboxAnswer,
  SandboxCall,
  SandboxHost,
  SandboxOutcome,
  SandboxOutput,
  SandboxRun,
  SettleEvent,
} from "../sandbox.ts"

export type Script = (call: SandboxCall) => SandboxAnswer | Promise<SandboxAnswer>

export type LedgerHost = SandboxHost & {
  readonly calls: SandboxCall[]
  readonly events: SettleEvent[]
  readonly outputs: SandboxOutput[]
}

export const envelope = (data: unknown): SandboxAnswer => ({ form: "envelope", json: JSON.stringify({ ok: true, data }) })
export const failure = (code: string, message: string, extra: object = {}): SandboxAnswer => ({
  form: "envelope",
  json: JSON.stringify({ ok: false, error: { code, message, ...extra } }),
})
export const value = (data: unknown): SandboxAnswer => ({ form: "value", json: JSON.stringify(data) })
export const rejection = (code: string, message: string): SandboxAnswer => ({ form: "reject", json: JSON.stringify({ code, message }) })
export const pending: SandboxAnswer = { form: "pending" }

/** Answers with the path and the arguments of the call. */
export const echo: Script = (call) => envelope({ path: call.path, args: JSON.parse(call.argsJson) as unknown })

export const after = async (delayMs: number, answer: SandboxAnswer): Promise<SandboxAnswer> => {
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  return answer
}

export function createLedgerHost(script: Script = echo): LedgerHost {
  const host: LedgerHost = {
    calls: [],
    events: [],
    outputs: [],
    async call(call) {
      host.calls.push(call)
      return script(call)
    },
    record: (event) => void host.events.push(event),
    output: (output) => void host.outputs.push(output),
  }
  return host
}

let lastRun = 0

export const newRun = (code: string, change: Partial<SandboxRun> = {}): SandboxRun => ({
  id: `exec_${++lastRun}`,
  principal: "tester",
  code,
  results: "envelope",
  seed: new Uint8Array(32).fill(7),
  startedAtMs: 1_750_000_000_000,
  wallMs: 240_000,
  replay: [],
  outputsSeen: 0,
  signal: new AbortController().signal,
  ...change,
})

export const runWith = (
  sandbox: Sandbox,
  code: string,
  host: SandboxHost = createLedgerHost(),
  change: Partial<SandboxRun> = {},
): Promise<SandboxOutcome> => sandbox.run(newRun(code, change), host)

/** The value a run returned; undefined when it returned nothing. An outcome of another kind fails the test with all it says. */
export function resultOf(outcome: SandboxOutcome): unknown {
  if (outcome.status !== "returned") throw new Error(`The run did not return: ${JSON.stringify(outcome)}`)
  return outcome.resultJson === null ? undefined : (JSON.parse(outcome.resultJson) as unknown)
}

/** What ended a run that did not return: its error or its reason. */
export function failureOf(outcome: SandboxOutcome): {
  code: string
  message: string
  name?: string
  line?: number | undefined
  column?: number | undefined
} {
  if (outcome.status === "threw") return outcome.error
  if (outcome.status === "stopped") return { code: outcome.reason, message: outcome.message }
  throw new Error(`The run did not fail: ${JSON.stringify(outcome)}`)
}
