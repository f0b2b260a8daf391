// The client for the suite's scenarios of authorization: the whole product, with a human who consents at once.
//
// Such a scenario is a server that wants a token, and a provider that sends the browser back as soon as it comes. The
// human connects, lets the tools be called, and connects again when the server wants more than was granted.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"

const url = process.argv.at(-1) ?? ""
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context // what the suite documents

type Context = { readonly client_id?: string; readonly client_secret?: string }

/** A human gives up at some point. */
const consentsMax = 3
const slug = "suite"

// The suite's servers are all on this machine.
process.env["EXECUTOR_ALLOW_PRIVATE_HOSTS"] = "localhost,127.0.0.0/8,::1"
process.env["EXECUTOR_LOG"] ??= "error"
const dataDir = mkdtempSync(join(tmpdir(), "executor-conformance-"))
const executor: Executor = await createExecutor({ dataDir })

/** Follows the provider to where it sends the browser back. Answers what was asked for, and whether there are tools now. */
async function consent(scopes: readonly string[]): Promise<{ scopes: string[]; isReady: boolean }> {
  const started = await executor.oauth.start({ integration: slug, ...(scopes.length === 0 ? {} : { scopes }) })
  if (started.status === "connected" || started.providerUrl === null) return { scopes: [...scopes], isReady: true }
  const answer = await fetch(started.providerUrl, { redirect: "manual" })
  const callbackUrl = answer.headers.get("location")
  if (callbackUrl === null) throw new Error(`The provider answered ${answer.status} and sent nobody back`)
  const { status, error } = await executor.oauth.complete({ callbackUrl })
  if (status !== "ready") process.stderr.write(`${error ?? status}\n`)
  const asked = new URL(started.providerUrl).searchParams.get("scope")?.split(" ") ?? []
  return { scopes: asked, isReady: status === "ready" }
}

/** Calls every tool once. Answers the scopes that a refusal asks for; null where nothing was refused. */
async function callTools(): Promise<readonly string[] | null> {
  for (const tool of await executor.tools.list({ integration: slug })) {
    if (/^(resources|prompts)\./.test(tool.name)) continue
    const result = await executor.execute(tool.address, {}, { approve: "auto" })
    if (!result.ok && result.error.code === "auth_required")
      return (result.error.details as { scopes?: string[] } | undefined)?.scopes ?? []
  }
  return null
}

async function play(): Promise<void> {
  await executor.integrations.add({ slug, kind: "mcp", config: { transport: "http", url } })
  if (context.client_id !== undefined) {
    const probe = await executor.oauth.probe({ integration: slug })
    const issuer = probe.servers[0]?.issuer ?? undefined
    await executor.oauth.clients.create({
      clientId: context.client_id,
      integration: slug,
      ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
      ...(issuer === undefined ? {} : { issuer }),
    })
  }
  let scopes: readonly string[] = []
  for (let consents = 0; consents < consentsMax; consents += 1) {
    const given = await consent(scopes)
    const missing = given.isReady ? await callTools() : []
    if (missing === null) return
    // What was granted before is asked for again, or it would be lost.
    scopes = missing.length === 0 ? scopes : [...new Set([...given.scopes, ...missing])]
  }
}

try {
  await play()
} finally {
  await executor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
