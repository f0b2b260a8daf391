// Asks again where that is safe: the provider was busy or away, and nothing of an answer has arrived.
import { setTimeout as sleep } from "node:timers/promises"
import type { Limits } from "../core/limits.ts"
import type { ModelFailure, ModelFailureKind, ModelProvider, ModelRetry } from "./model.ts"

const passing: readonly ModelFailureKind[] = ["rate_limited", "server_error", "unreachable"]

type Failing<Answer> = () => Promise<Answer | ModelFailure>

export const withRetries = (provider: ModelProvider, limits: Limits): ModelProvider => ({
  async ask(question) {
    const retries: ModelRetry[] = []
    const answer = await retry(
      () => provider.ask(question),
      question.signal,
      limits,
      (one) => retries.push(one),
    )
    return answer.ok && retries.length > 0 ? { ...answer, retries } : answer
  },
  async embed(question) {
    const ask = (): ReturnType<ModelProvider["embed"]> => provider.embed(question)
    return question.isUrgent === true ? ask() : retry(ask, question.signal, limits)
  },
})

async function retry<Answer extends { readonly ok: true }>(
  work: Failing<Answer>,
  signal: AbortSignal,
  limits: Limits,
  onRetry: (retry: ModelRetry) => void = () => {},
): Promise<Answer | ModelFailure> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await work()
    if (answer.ok || answer.isPartial === true || !passing.includes(answer.kind)) return answer
    const waitMs = answer.retryAfterMs ?? limits.modelRetryMs * 2 ** (attempt - 1)
    if (waitMs > limits.modelRetryAfterMsMax)
      return { ...answer, message: `${answer.message}. It asks to wait ${Math.ceil(waitMs / 1000)} seconds; run it again then` }
    if (attempt >= limits.modelAttemptsMax) return { ...answer, message: `${answer.message} (asked ${attempt} times)` }
    try {
      await sleep(waitMs, undefined, { signal })
      onRetry({ kind: answer.kind, waitedMs: waitMs })
    } catch {
      return { ok: false, kind: "cancelled", message: "The question to the model was cancelled" }
    }
  }
}
