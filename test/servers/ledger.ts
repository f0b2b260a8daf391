// An API whose writes are counted: what happened, how often and in which order, whatever the caller believes.
import { createServer } from "node:http"
import { listen } from "./listen.ts"

export type LedgerEntry = { readonly method: string; readonly name: string }
export type Ledger = {
  readonly url: string
  /** The document to import; its only server is this one. */
  readonly document: Record<string, unknown>
  readonly entries: LedgerEntry[]
  /** The names of the requests that are neither answered nor broken off. */
  underWay(): string[]
  /** Answers the requests of this name that are waiting for the end of their delay. */
  release(name: string): void
  close(): Promise<void>
}

/** `delay` in milliseconds is part of every operation, so that a test can be in the middle of one until it releases it. */
export async function startLedger(): Promise<Ledger> {
  const entries: LedgerEntry[] = []
  const open = new Set<LedgerEntry>()
  const delayed = new Map<LedgerEntry, () => void>()
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", "http://ledger")
      let text = ""
      for await (const chunk of request) text += String(chunk)
      const body = text === "" ? {} : (JSON.parse(text) as { name?: string; delay?: number })
      const name = body.name ?? decodeURIComponent(url.pathname.split("/")[2] ?? "")
      const entry = { method: request.method ?? "", name }
      entries.push(entry)
      open.add(entry)
      response.once("close", () => open.delete(entry))
      const count = entries.filter((one) => one.name === name && one.method === entry.method).length
      await new Promise<void>((resolve) => {
        delayed.set(entry, resolve)
        setTimeout(resolve, body.delay ?? Number(url.searchParams.get("delay") ?? 0)).unref()
      })
      delayed.delete(entry)
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ name, count }))
    })().catch(() => response.destroy())
  })
  const address = await listen(server)
  return {
    url: address.url,
    document: documentFor(address.url),
    entries,
    underWay: () => [...open].map((entry) => entry.name),
    release(name) {
      for (const [entry, answer] of delayed) if (entry.name === name) answer()
    },
    close: () => address.close(),
  }
}

function documentFor(url: string): Record<string, unknown> {
  const answer = {
    200: {
      description: "ok",
      content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" }, count: { type: "integer" } } } } },
    },
  }
  const name = { name: "name", in: "path", required: true, schema: { type: "string" } }
  const delay = { name: "delay", in: "query", schema: { type: "integer" } }
  return {
    openapi: "3.1.0",
    info: { title: "Ledger", version: "1" },
    servers: [{ url }],
    paths: {
      "/items/{name}": {
        get: { operationId: "items/get", summary: "Read an item", parameters: [name, delay], responses: answer },
        delete: { operationId: "items/remove", summary: "Remove an item", parameters: [name, delay], responses: answer },
      },
      "/items": {
        post: {
          operationId: "items/create",
          summary: "Create an item",
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: { type: "object", required: ["name"], properties: { name: { type: "string" }, delay: { type: "integer" } } },
              },
            },
          },
          responses: answer,
        },
      },
    },
  }
}
