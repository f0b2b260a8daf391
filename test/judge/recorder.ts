// An API that accepts everything, and keeps each request as it was on the wire for a judge to read.
import { createServer } from "node:http"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { listen } from "../servers/listen.ts"

export type Recorded = {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Recorder = {
  readonly url: string
  /** The requests since the last time it was asked. */
  take(): Recorded[]
  close(): Promise<void>
}

export async function startRecorder(): Promise<Recorder> {
  const ledger: Recorded[] = []
  const record = async (request: IncomingMessage): Promise<void> => {
    const { method = "", url = "", headers } = request
    ledger.push({ method, target: url, headers, body: await buffer(request) })
  }
  const server = createServer((request, response) => {
    void record(request).then(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  })
  const { url, close } = await listen(server)
  return { url, close, take: () => ledger.splice(0) }
}
