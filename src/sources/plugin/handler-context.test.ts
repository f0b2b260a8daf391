// What a handler works with: tokens, questions, logs, and a fetch behind the guard.
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import type { Credential } from "../../core/auth.ts"
import type { CallNotice } from "../../core/call/notice.ts"
import type { Elicit } from "../../core/call/elicit.ts"
import type { ToolResult } from "../../core/result.ts"
import type { AuthProvider } from "../../plugin/definition.ts"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { call, closedNetwork, openNetwork } from "./testing/call.ts"
import type { Setup } from "./testing/call.ts"

let upstream: Listening
beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      if (request.url === "/silent") return
      if (request.url === "/large") return void response.end("x".repeat(200_000))
      if (request.url === "/empty") return void response.writeHead(204).end()
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ method: request.method, headers: request.headers, body })),
      )
    }),
  )
})
afterAll(async () => {
  await upstream.close()
  await openNetwork.close()
  await closedNetwork.close()
})

describe("the context", () => {
  const bearer: AuthProvider = { id: "svc", type: "bearer" }
  const credential = (placements: Credential["placements"]): Credential => ({ placements, origins: [], secrets: ["tok-12345"] })

  test("getToken finds what the connection bound, whatever it was called", async () => {
    const token = (provider: AuthProvider, name: string, value: string) =>
      call((ctx) => ctx.auth.getToken(provider.id), { providers: [provider], credential: credential([{ in: "header", name, value }]) })
    expect(await token(bearer, "svc", "tok-12345")).toEqual({ ok: true, data: "tok-12345" })
    expect(await token({ id: "svc", type: "oauth2" }, "Authorization", "Bearer tok-12345")).toEqual({ ok: true, data: "tok-12345" })
    expect(await token({ id: "svc", type: "basic" }, "Authorization", "Basic dTpw")).toEqual({ ok: true, data: "dTpw" })
    expect(await token(bearer, "other", "x")).toMatchObject({ ok: false, error: { code: "auth_required" } })
    expect(await token({ id: "svc", type: "api_key" }, "Authorization", "Bearer x")).toMatchObject({
      ok: false,
      error: { code: "auth_required" },
    })
  })

  test("a consent's token is for the one provider of consents", async () => {
    const granted = { ...credential([{ in: "header", name: "Authorization", value: "Bearer x" }]), connectUrl: "https://here/connect" }
    const get = (id: string, providers: AuthProvider[]) => call((ctx) => ctx.auth.getToken(id), { providers, credential: granted })
    const oauth: AuthProvider = { id: "two", type: "oauth2" }
    const refused = { ok: false, error: { code: "auth_required", details: { connectUrl: "https://here/connect" } } }
    expect(await get("two", [bearer, oauth])).toEqual({ ok: true, data: "x" })
    expect(await get("svc", [bearer, oauth])).toMatchObject(refused)
    expect(await get("two", [oauth, { id: "three", type: "oauth2" }])).toMatchObject(refused)
    expect(await get("svc", [bearer, { id: "three", type: "bearer" }])).toMatchObject(refused)
  })

  test("an unknown provider is named with those that there are", async () => {
    expect(await call((ctx) => ctx.auth.getToken("x"), { providers: [bearer] })).toMatchObject({
      error: { message: "The plugin 'odd' has no auth provider 'x'; it has svc" },
    })
  })

  test("logs and progress are told without secrets", async () => {
    const notices: CallNotice[] = []
    await call(
      (ctx) => {
        ctx.log.warn("token is tok-12345")
        ctx.progress(1, 2, "half of tok-12345")
        ctx.progress(Number.NaN)
      },
      { notices, credential: credential([]) },
    )
    expect(notices).toEqual([
      { type: "log", level: "warn", text: "token is ***" },
      { type: "progress", progress: 1, total: 2, message: "half of ***" },
    ])
  })

  test("half a secret is not shown either, and a question shows none", async () => {
    const notices: CallNotice[] = []
    const asked: unknown[] = []
    const elicit: Elicit = (request) => (asked.push(request), Promise.resolve({ action: "decline" }))
    const setup = { notices, credential: credential([]), elicit }
    const failed = await call(async (ctx) => {
      ctx.log.info(`${"x".repeat(1995)}tok-12345`)
      ctx.progress(1, 1, `${"x".repeat(1995)}tok-12345`)
      const requestedSchema = { type: "object", properties: { token: { type: "string", default: "tok-12345" } } }
      await ctx.elicit({ message: `${"x".repeat(1995)}tok-12345`, requestedSchema })
      await ctx.elicit({ message: "Open", url: "https://a.example/?t=tok-12345" })
      throw new Error(`${"x".repeat(995)}tok-12345`)
    }, setup)
    expect(asked).toHaveLength(2)
    const shown = JSON.stringify([notices, asked, failed])
    expect(shown).toContain("***")
    expect(shown).not.toContain("tok-")
  })

  test("a schema checks the answer, asks again where it does not fit, and makes of it what the handler gets", async () => {
    const requestedSchema = z.object({
      count: z.string().transform(Number).refine(Number.isInteger, "whole numbers only"),
      unit: z.string().default("kg"),
    })
    const messages: string[] = []
    const answering = (contents: unknown[]): Elicit => {
      const left = [...contents]
      return (request) => (messages.push(request.message), Promise.resolve({ action: "accept", content: left.shift() ?? { count: "?" } }))
    }
    const run = (contents: unknown[]) =>
      call((ctx) => ctx.elicit({ message: "How many?", requestedSchema }), { elicit: answering(contents) })
    expect(await run([{ count: "1.5" }, { count: "3" }])).toEqual({
      ok: true,
      data: { action: "accept", content: { count: 3, unit: "kg" } },
    })
    expect(messages).toEqual(["How many?", "How many? (count: whole numbers only)"])
    expect(await run([])).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
    expect(messages).toHaveLength(7)
  })

  test("a pause is not waited through, and a handler that swallows it stays paused", async () => {
    const ask: Elicit = () => Promise.reject(new Error("paused"))
    const question = { message: "Sure?", requestedSchema: z.object({ yes: z.boolean() }) }
    expect(await call((ctx) => ctx.elicit(question).catch(() => new Promise(() => {})), { elicit: ask })).toMatchObject({
      ok: false,
      error: { code: "approval_required" },
    })
  })

  test.each<[unknown, string]>([
    [{ message: "", requestedSchema: {} }, "needs a message"],
    [{ message: "x" }, "needs a requestedSchema"],
    [{ message: "x", url: "javascript:alert(1)" }, "http or https"],
  ])("elicit refuses %j", async (question, message) => {
    expect(await call((ctx) => ctx.elicit(question as never))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    })
  })
})

describe("fetch", () => {
  const reading = (path: string, init?: RequestInit, setup: Setup = {}): Promise<ToolResult> =>
    call(async (ctx) => {
      const response = await ctx.fetch(`${upstream.url}${path}`, init)
      return {
        status: response.status,
        url: response.url,
        body: response.headers.get("content-type")?.includes("json") ? await response.json() : await response.text(),
      }
    }, setup)

  test("sends what fetch sends", async () => {
    expect(await reading("/x", { method: "POST", body: new URLSearchParams({ a: "1" }), headers: { "X-A": "b" } })).toMatchObject({
      ok: true,
      data: {
        status: 200,
        url: `${upstream.url}/x`,
        body: { method: "POST", body: "a=1", headers: { "x-a": "b", "content-type": expect.stringContaining("urlencoded") } },
      },
    })
    expect(await reading("/empty")).toMatchObject({ ok: true, data: { status: 204, body: "" } })
  })

  test("reaches no private host that the operator did not allow", async () => {
    expect(await reading("/x", {}, { network: closedNetwork })).toMatchObject({ ok: false, error: { code: "upstream_unreachable" } })
  })

  test("is limited in size and time", async () => {
    expect(await reading("/large")).toMatchObject({ ok: false, error: { code: "response_too_large" } })
    expect(await reading("/silent", {}, { timeoutMs: 100 })).toMatchObject({ ok: false, error: { code: "timeout" } })
  })

  test("an abort of the handler's own is its own error", async () => {
    expect(await reading("/silent", { signal: AbortSignal.timeout(20) })).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: expect.stringContaining("timeout") },
    })
  })

  test("says what it does not do", async () => {
    expect(await reading("/x", { redirect: "manual" })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("redirect") },
    })
    expect(await call((ctx) => ctx.fetch("file:///etc/passwd"))).toMatchObject({ ok: false })
  })
})
