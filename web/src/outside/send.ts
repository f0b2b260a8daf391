// Requests of whoever is not signed in yet: JSON to this server, and its refusals as errors.

export class Refusal extends Error {
  /** 0: no answer came. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const silence = "Executor is not responding. Try again in a moment."

async function answerOf<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch(() => {
    throw new Refusal(0, silence)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new Refusal(response.status, messageOf(answer) ?? `The server answered ${response.status}`)
  return answer as Answer // as this server's routes write it
}

function messageOf(answer: unknown): string | null {
  const error: unknown = typeof answer === "object" && answer !== null && "error" in answer ? answer.error : null
  const message: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : null
  return typeof message === "string" ? `${message}.` : null
}

export const read = <Answer>(path: string, headers: Record<string, string> = {}): Promise<Answer> => answerOf(path, { headers })

export const send = <Answer>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  answerOf(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) })
