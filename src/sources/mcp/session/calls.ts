// The calls in progress on one session, and which of them a server's message belongs to.
//
// Over streamable HTTP what arrives on the stream of a call is seen in that call's asynchronous context. Over a shared
// pipe (stdio, SSE) nothing says to which call a question belongs. There a question waits until it can be told: whoever
// asks is blocked by the question, so the other calls end before it, and new ones are held back meanwhile.
import { AsyncLocalStorage } from "node:async_hooks"
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { Limits } from "../../../core/limits.ts"
import { openAnswerTurn } from "../../../io/answer-turn.ts"
import type { AnswerTurn } from "../../../io/answer-turn.ts"
import type { StreamEnd } from "../http/body.ts"

export type CallInFlight = {
  /** As the server calls it. */
  readonly tool: string
  elicit(params: ElicitRequestParams): Promise<ElicitResult>
  log(level: string, text: string): void
  /** Whom to tell that the stream of an answer is over, when a request is sent for this call. */
  streamListener(): (end: StreamEnd) => void
  abort(reason: Error): void
  readonly answerTurn: AnswerTurn
  /** What has arrived waits for us: the time does not count until what this returns is called. */
  stopClock(): () => void
}

export type Asker =
  | { readonly kind: "call"; readonly call: CallInFlight }
  /** All of them ask at once. */
  | { readonly kind: "several"; readonly calls: readonly CallInFlight[] }
  | { readonly kind: "nobody" }

/** How messages of the server are received, whether or not they are known to be for a call. */
export type MessageTurns = {
  /** To be told of each piece of a message. Null: read on. Otherwise once this has resolved. Negative: so many are dealt with. */
  arrive(bytes: number): Promise<void> | null
  /** To be awaited before a large message is handed to the protocol's library, which parses it in one step. */
  take(): Promise<void>
}

export type Calls = {
  run<T>(call: CallInFlight, work: () => Promise<T>): Promise<T>
  /** Null where it is not certain. */
  current(): CallInFlight | null
  /** In whose context this runs, as it is where a request is sent. */
  sender(): CallInFlight | null
  asker(): Promise<Asker>
  /** Of the call in whose context this runs; where there is none, of the session. */
  messageTurns(): MessageTurns
}

/** Within this a message is parsed, and the call that it answers is over. */
const parseMs = 500

/** `label`: names the session among those who wait for turns. */
export function createCalls(label: string, limits: Limits): Calls {
  const context = new AsyncLocalStorage<CallInFlight>()
  const inFlight = new Set<CallInFlight>()
  let questions: ((asker: Asker) => void)[] = []
  let held: (() => void)[] = []
  /** Of the large message that was handed on last, where it is not known whose answer it is: of the next call that ends. */
  let lent: AnswerTurn | null = null

  const sender = (): CallInFlight | null => {
    const call = context.getStore()
    return call !== undefined && inFlight.has(call) ? call : null
  }
  const only = (): CallInFlight | null => {
    const [first] = inFlight
    return inFlight.size === 1 && first !== undefined ? first : null
  }
  /** Over a pipe that they share, all of them wait. */
  const withoutTimeout = async (call: CallInFlight | null, wait: Promise<void>): Promise<void> => {
    const ends = (call === null ? [...inFlight] : [call]).map((one) => one.stopClock())
    await wait.finally(() => ends.forEach((end) => end()))
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
    messageTurns() {
      const call = sender()
      return {
        arrive(bytes) {
          const room = call?.answerTurn.arrive(bytes) ?? null
          return room && withoutTimeout(call, room)
        },
        async take() {
          const known = call ?? only()
          if (known !== null) return withoutTimeout(known, known.answerTurn.lend(parseMs))
          const turn = openAnswerTurn(label, limits)
          await withoutTimeout(null, turn.lend(parseMs))
          lent = turn
        },
      }
    },
    async run(call, work) {
      while (questions.length > 0) await new Promise<void>((resolve) => held.push(resolve))
      inFlight.add(call)
      try {
        const answer = await context.run(call, work)
        if (lent !== null) call.answerTurn.adopt(lent)
        lent = null
        return answer
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
