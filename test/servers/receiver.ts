// A real receiver of webhooks with a ledger of what it was sent, which answers as a test tells it to.
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { listen } from "./listen.ts"

export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

/** How one request is answered; what it does not end stays open. */
export type Answering = (response: ServerResponse, received: Received) => void

export type Receiver = {
  readonly url: string
  readonly ledger: Received[]
  /** Answers the following requests; until then and afterwards it answers 204. */
  answer(path: string, ...answers: Answering[]): void
  /** Resolves when this many requests have come to the path. */
  seen(path: string, count: number): Promise<Received[]>
  close(): Promise<void>
}

export const withStatus =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(status, headers).end()

export async function startReceiver(): Promise<Receiver> {
  const ledger: Received[] = []
  const answers = new Map<string, Answering[]>()
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const received = { path: request.url ?? "", headers, body, json: JSON.parse(body || "{}") as Record<string, unknown> }
      ledger.push(received)
      const answer = answers.get(received.path)?.shift() ?? withStatus(204)
      answer(response, received)
      waiting.forEach((check) => check())
    })
  })
  const address = await listen(server)
  const at = (path: string): Received[] => ledger.filter((one) => one.path === path)
  return {
    url: address.url,
    ledger,
    answer: (path, ...given) => void answers.set(path, [...(answers.get(path) ?? []), ...given]),
    seen(path, count) {
      return new Promise((resolve) => {
        const check = (): void => {
          const found = at(path)
          if (found.length < count) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
      })
    },
    close: () => address.close(),
  }
}
