// A server that shows the key it was sent wherever an answer has room for it: an API, an MCP server and a search provider.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { listen } from "./listen.ts"

export type Leaky = {
  readonly url: string
  /** Paths and keys of the requests that it got. */
  readonly seen: { readonly path: string; readonly key: string }[]
  close(): Promise<void>
}

/** The forms in which a key may be echoed. */
export const echoesOf = (key: string): string[] => {
  const bytes = Buffer.from(key)
  return [
    key,
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    bytes.toString("hex").replaceAll(/../g, "%$&"),
    encodeURIComponent(key),
  ]
}

type Answer = (key: string, response: ServerResponse, body: string) => void

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

/** By the first segment of the path. */
const answers: Readonly<Record<string, Answer>> = {
  body: (key, response) => json(response, 200, { echoes: echoesOf(key), deep: [{ [key]: `<b>${key}</b>` }] }),
  header: (key, response) =>
    json(response, 200, {}, { "x-echo": key, "set-cookie": `k=${key}`, etag: `"${key}"`, link: `<${key}>; rel="next"` }),
  error: (key, response) => json(response, 500, { message: `bad key ${key}`, errors: echoesOf(key) }),
  refused: (key, response) => void response.writeHead(401, { "www-authenticate": `Bearer error="${key}"` }).end(`no such key: ${key}`),
  limited: (key, response) => json(response, 429, { error: { detail: key } }, { "retry-after": key }),
  reason: (key, response) => void response.writeHead(503, `No ${key}`).end(),
  cut: (key, response) => json(response, 400, { message: `${"x".repeat(960)} ${key} ${"x".repeat(4000)}` }),
  type: (key, response) => void response.writeHead(200, { "content-type": `text/plain; charset=${key}` }).end(key),
  broken: (key, response) => void response.writeHead(200, { "content-type": "application/json" }).end(`{"key": ${key}`),
  file: (key, response) =>
    void response
      .writeHead(200, { "content-type": "application/octet-stream", "content-disposition": `attachment; filename="${key}.bin"` })
      .end(Buffer.concat([Buffer.of(0, 255), Buffer.from(key), Buffer.of(0)])),
  compressed: (key, response) =>
    void response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync(`the key ${key}`)),
  redirect: (key, response) => void response.writeHead(302, { location: `http://localhost:9/?key=${key}` }).end(),
  /** In pieces, none of which has all of it. */
  split(key, response) {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const piece of [`data: {"key": "${key.slice(0, 7)}`, `${key.slice(7)}"}\n\n`]) response.write(piece)
    response.end()
  },
  gone(key, response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
    response.write(JSON.stringify({ key }), () => response.destroy())
  },
  search: (key, response) =>
    json(response, 200, {
      answerBox: { answer: echoesOf(key).join(" ") },
      organic: echoesOf(key).map((echo) => ({ title: echo, link: `https://t.test/?k=${echo}`, snippet: echo, date: echo })),
    }),
  mcp(key, response, body) {
    const { id, params } = JSON.parse(body) as { id: unknown; params: { arguments?: { how?: string } } }
    const content = echoesOf(key).map((echo) => ({ type: "text", text: echo }))
    const error = { code: -32000, message: `bad key ${key}`, data: echoesOf(key) }
    const results: Readonly<Record<string, unknown>> = {
      result: { result: { content, structuredContent: { key } } },
      failed: { result: { content, isError: true } },
      rpc: { error },
    }
    json(response, 200, {
      jsonrpc: "2.0",
      id,
      ...(results[params.arguments === undefined ? "rpc" : (params.arguments.how ?? "")] as object | undefined),
    })
  },
}

export const leaks = Object.keys(answers).filter((name) => name !== "mcp" && name !== "search")

/** A key begins with `planted`, in a header, the query or the body. */
export async function startLeaky(): Promise<Leaky> {
  const seen: { path: string; key: string }[] = []
  const keyIn = ({ headers, url = "" }: IncomingMessage, body: string): string =>
    /planted[\w-]+/.exec([headers["x-api-key"], headers.authorization, url, body].join(" "))?.[0] ?? ""
  const { close, url } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const { pathname } = new URL(request.url ?? "/", "http://leaky")
        const key = keyIn(request, body)
        seen.push({ path: pathname, key })
        const answer = answers[pathname.split("/")[1] ?? ""]
        if (answer === undefined) json(response, 200, { key })
        else answer(key, response, body)
      })
    }),
  )
  return { url, seen, close }
}
