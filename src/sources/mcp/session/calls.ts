// The calls in progress on one session, and which of them a server's message belongs to.
//
// Over streamable HTTP what arrives on the stream of a call is seen in that call's asynchronous context. Over a shared
// pipe (stdio, SSE) nothing says to which call a question belongs. There a question waits until it can be told: whoever
// asks is blocked by the question, so the other calls end before it, and new ones are held back meanwhile.
import { AsyncLocalStorage } from "node:async_hooks"
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { StreamEnd } from "../http/body.ts"

export type CallInFlight = {
  /** As the server calls it. */
  readonly tool: string
  elicit(params: ElicitRequestParams): Promise<ElicitResult>
  log(level: string, text: string): void
  /** Whom to tell that the stream of an answer is over, when a request is sent for this call. */
  streamListener(): (end: StreamEnd) => void
  abort(reason: Error): void
}

export type Asker =
  | { readonly kind: "call"; readonly call: CallInFlight }
  /** All of them ask at once. */
  | { readonly kind: "several"; readonly calls: readonly CallInFlight[] }
  | { readonly kind: "nobody" }

export type Calls = {
  run<T>(call: CallInFlight, work: () => Promise<T>): Promise<T>
  /** Null where it is not certain. */
  current(): CallInFlight | null
  /** In whose context this runs, as it is where a request is sent. */
  sender(): CallInFlight | null
  asker(): Promise<Asker>
}

export function createCalls(): Calls {
  const context = new AsyncLocalStorage<CallInFlight>()
  const inFlight = new Set<CallInFlight>()
  let questions: ((asker: Asker) => void)[] = []
  let held: (() => void)[] = []

  const sender = (): CallInFlight | null => {
    const call = context.getStore()
    return call !== undefined && inFlight.has(call) ? call : null
  }
  const only = (): CallInFlight | null => {
    const [first] = inFlight
    return inFlight.size === 1 && first !== undefined ? first : null
  }
  const settle = (): void => {
    if (questions.length === 0 || questions.length < inFlight.size) return
    const call = only()
    const asker: Asker =
      call !== null ? { kind: "call", call } : inFlight.size === 0 ? { kind: "nobody" } : { kind: "several", calls: [...inFlight] }
    for (const answer of questions) answer(asker)
    questions = []
    for (const go of held) go()
    held = []
  }

  return {
    sender,
    current: () => sender() ?? only(),
    async run(call, work) {
      while (questions.length > 0) await new Promise<void>((resolve) => held.push(resolve))
      inFlight.add(call)
      try {
        return await context.run(call, work)
      } finally {
        inFlight.delete(call)
        settle()
      }
    },
    asker() {
      const call = sender()
      if (call !== null) return Promise.resolve({ kind: "call", call })
      return new Promise((resolve) => {
        questions.push(resolve)
        settle()
      })
    },
  }
}
