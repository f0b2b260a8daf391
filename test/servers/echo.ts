// A real HTTP API that answers with what it was sent, and keeps a ledger of it, so that a test can also say what must not arrive.
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { listen } from "./listen.ts"

export type SeenRequest = {
  readonly method: string
  /** Path and query, as they were on the wire. */
  readonly path: string
  /** Lower-case names; repeated ones joined as Node does. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Echo = { readonly url: string; readonly port: number; readonly ledger: SeenRequest[]; close(): Promise<void> }

type Exchange = {
  readonly seen: SeenRequest
  readonly url: URL
  readonly response: ServerResponse
  readonly ledger: readonly SeenRequest[]
}
type Route = (exchange: Exchange) => void

/** `/status/404`, `/slow?ms=`, `/binary`, `/ndjson?n=`, `/sse?n=`, … ; everything else is echoed as JSON. */
export async function startEcho(): Promise<Echo> {
  const ledger: SeenRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = await readSeen(request)
    if (seen === null) return
    ledger.push(seen)
    const url = new URL(`http://echo${seen.path}`)
    const [, name = ""] = url.pathname.split("/")
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined
    if (route) route({ seen, url, response, ledger })
    else echoRoute({ seen, url, response, ledger })
  }
  const address = await listen(createServer((request, response) => void answer(request, response)))
  return { ...address, ledger }
}

/** Null when the client went away while it was sending. */
async function readSeen(request: IncomingMessage): Promise<SeenRequest | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding yields buffers
  } catch {
    return null
  }
  const headers = Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")])
  return { method: request.method ?? "", path: request.url ?? "", headers: Object.fromEntries(headers), body: Buffer.concat(chunks) }
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}

const plain = (response: ServerResponse, contentType: string, body: string | Buffer, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { "content-type": contentType, ...headers }).end(body)
}

const count = (url: URL, name: string, fallback: number): number => Number(url.searchParams.get(name) ?? fallback)

const echoRoute: Route = ({ seen, response }) =>
  json(
    response,
    200,
    { method: seen.method, path: seen.path, headers: seen.headers, body: seen.body.toString("utf8") },
    { "set-cookie": "session=1" },
  )

const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate-raw": deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
}

const routes: Readonly<Record<string, Route>> = {
  status({ url, response }) {
    const status = Number(url.pathname.split("/")[2] ?? 200)
    const retryAfter = url.searchParams.get("retryAfter")
    const headers: Record<string, string> = retryAfter === null ? {} : { "retry-after": retryAfter }
    if (status === 204 || status === 205 || status === 304) response.writeHead(status, headers).end()
    else json(response, status, { message: `This is status ${status}` }, headers)
  },
  /** Fails so often before it answers. */
  flaky({ seen, url, response, ledger }) {
    const tries = ledger.filter((request) => request.path === seen.path).length
    if (tries > count(url, "failures", 1)) json(response, 200, { tries })
    else json(response, count(url, "status", 503), { message: "Not now" }, { "retry-after": url.searchParams.get("retryAfter") ?? "0" })
  },
  slow({ url, response }) {
    const timer = setTimeout(() => json(response, 200, { slept: true }), count(url, "ms", 10_000))
    response.on("close", () => clearTimeout(timer))
  },
  redirect({ url, response }) {
    response.writeHead(count(url, "status", 302), { location: url.searchParams.get("to") ?? "/" }).end()
  },
  loop({ url, response }) {
    response.writeHead(302, { location: `/loop?n=${count(url, "n", 0) + 1}` }).end()
  },
  empty: ({ response }) => void response.writeHead(204).end(),
  text: ({ response }) => plain(response, "text/plain; charset=utf-8", "Grüße"),
  latin1: ({ response }) => plain(response, "text/plain; charset=iso-8859-1", Buffer.from("Grüße", "latin1")),
  xml: ({ response }) => plain(response, "application/xml", "<note><to>you</to></note>"),
  binary: ({ response }) =>
    plain(response, "application/octet-stream", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), {
      "content-disposition": 'attachment; filename="all bytes.bin"',
    }),
  ndjson: ({ url, response }) =>
    plain(response, "application/x-ndjson", Array.from({ length: count(url, "n", 3) }, (_, id) => `${JSON.stringify({ id })}\n`).join("")),
  sse: ({ url, response }) =>
    plain(
      response,
      "text/event-stream",
      Array.from({ length: count(url, "n", 3) }, (_, id) => `id: ${id}\nevent: tick\ndata: ${JSON.stringify({ id })}\n\n`).join(""),
    ),
  /** Never ends by itself. */
  ticks({ url, response }) {
    response.writeHead(200, { "content-type": url.searchParams.get("type") ?? "text/event-stream" })
    let id = 0
    const timer = setInterval(() => response.write(`data: ${JSON.stringify({ id: id++ })}\n\n`), count(url, "ms", 5))
    response.on("close", () => clearInterval(timer))
  },
  large({ url, response }) {
    const chunk = Buffer.alloc(64 * 1024, "a")
    let left = count(url, "bytes", 1e9)
    response.writeHead(200, { "content-type": "text/plain", ...(url.searchParams.has("honest") ? { "content-length": String(left) } : {}) })
    const push = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length
        if (!response.write(chunk)) return void response.once("drain", push)
      }
      response.end()
    }
    push()
  },
  encoded({ url, response }) {
    const encoding = url.searchParams.get("as") ?? "gzip"
    const encode = encoders[encoding] ?? ((body) => body)
    plain(response, "application/json", encode(Buffer.from(JSON.stringify({ encoding }))), {
      "content-encoding": encoding.replace("-raw", ""),
    })
  },
  bomb: ({ response }) => plain(response, "text/plain", bombOf100Mb(), { "content-encoding": "gzip" }),
}

let bomb: Buffer | null = null
const bombOf100Mb = (): Buffer => (bomb ??= gzipSync(Buffer.alloc(100 * 1024 * 1024)))
