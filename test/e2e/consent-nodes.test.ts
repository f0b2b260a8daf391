// Two servers on one PostgreSQL: a client registers at one, is allowed at the other, and is let in and kept out by both.
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sharedPostgres } from "../servers/postgres.ts"
import { legacySession } from "./mcp-wire.ts"
import { signInByHand } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let first: Product
let second: Product
const dataDirs = [mkdtempSync(join(tmpdir(), "executor-node-")), mkdtempSync(join(tmpdir(), "executor-node-"))]

beforeAll(async () => {
  const env = {
    EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase(),
    EXECUTOR_SECRET_KEY: "one key for both of the nodes",
  }
  first = await startProduct({ dataDir: dataDirs[0] ?? "", env })
  second = await startProduct({ dataDir: dataDirs[1] ?? "", env })
})
afterAll(async () => {
  await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")])
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
})

type Json = Record<string, string>
const redirectUri = "http://127.0.0.1:5999/callback"
const verifier = "v".repeat(50)

const send = async (url: string, init: RequestInit): Promise<Json> => (await (await fetch(url, init)).json()) as Json // all are text here
const json = (body: unknown, headers: object = {}) => ({
  method: "POST",
  headers: { ...headers, "content-type": "application/json" },
  body: JSON.stringify(body),
})
const form = (fields: Json) => ({ method: "POST", body: new URLSearchParams(fields) })

async function mcpStatus(node: Product, token: string): Promise<number> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" }
  const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" }
  // Whoever is let in is told that this is no request of any revision.
  return (await fetch(`${node.url}/mcp`, json(body, headers))).status
}

test("what was allowed at one node counts at the other, and ends at both", async () => {
  const { client_id } = await send(`${first.url}/register`, json({ client_name: "Roaming", redirect_uris: [redirectUri] }))
  if (client_id === undefined) throw new Error("The client was not registered")
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  })
  const human = await signInByHand(second)
  const link = `${second.url}/authorize?${query.toString()}`
  const asked = (await (await fetch(link, { headers: human })).json()) as { request: { shown: string } } // as the page reads it
  const { shown } = asked.request
  const { redirectTo = "" } = await send(link, json({ action: "allow", shown, patterns: null, elicitation: [] }, human))
  const code = new URL(redirectTo).searchParams.get("code") ?? ""

  const redeem = { grant_type: "authorization_code", client_id, code, code_verifier: verifier }
  const { access_token: access = "", refresh_token: refresh = "" } = await send(`${first.url}/token`, form(redeem))
  for (const node of [first, second]) expect(await mcpStatus(node, access)).not.toBe(401)

  const renew = form({ grant_type: "refresh_token", client_id, refresh_token: refresh })
  const answers = await Promise.all([first, second, first, second].map((node) => send(`${node.url}/token`, renew)))
  expect(new Set(answers.map(({ access_token }) => access_token)).size).toBe(1)
  const next = answers[0]?.["access_token"] ?? ""
  for (const node of [first, second]) expect(await mcpStatus(node, next)).not.toBe(401)
  for (const node of [first, second]) await expect.poll(() => mcpStatus(node, access)).toBe(401)

  const token = (await first.client.tokens.list()).items.find(({ name }) => name === "Roaming")
  const session = await legacySession({ url: `${second.url}/mcp`, token: next })
  const stream = await fetch(`${second.url}/mcp`, {
    headers: { authorization: `Bearer ${next}`, accept: "text/event-stream", "mcp-session-id": session.id },
  })
  expect(stream.status).toBe(200)
  await first.client.tokens.remove(token?.id ?? "")
  // It ends by itself.
  await stream.text()
  for (const node of [first, second]) await expect.poll(() => mcpStatus(node, next)).toBe(401)
  const late = form({ grant_type: "refresh_token", client_id, refresh_token: answers[0]?.["refresh_token"] ?? "" })
  for (const node of [first, second]) expect(await send(`${node.url}/token`, late)).toMatchObject({ error: "invalid_grant" })
})
