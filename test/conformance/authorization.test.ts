// The official conformance suite for authorization servers, with a human who consents.
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { signInWithCode } from "../e2e/oauth-consent.ts"
import type { SignedIn } from "../e2e/oauth-consent.ts"
import { startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
import { listen } from "../servers/listen.ts"
import { suiteProgram } from "./server-suite.ts"

let server: McpTestServer
let human: SignedIn
beforeAll(async () => {
  server = await startMcpServer()
  const { body } = await server.call("POST", "/api/sessions")
  human = await signInWithCode(server.url, (body as { code: string }).code) // as documented
})
afterAll(() => server.close())

/** The suite listens where it is told to, so that the port is free when it starts. */
async function freePort(): Promise<number> {
  const taken = await listen(createServer())
  await taken.close()
  return taken.port
}

/** What the consent page does when its human clicks. */
async function consent(link: string): Promise<void> {
  const asked = (await (await fetch(link, { headers: human })).json()) as { request: { shown: string } } // as the page reads it
  const answer = await fetch(link, {
    method: "POST",
    headers: { ...human, "content-type": "application/json" },
    body: JSON.stringify({ action: "allow", shown: asked.request.shown, patterns: null, elicitation: ["browser"] }),
  })
  const { redirectTo } = (await answer.json()) as { redirectTo: string } // as the page reads it
  await fetch(redirectTo)
}

test("metadata and the authorization code grant", { timeout: 120_000 }, async () => {
  const port = await freePort()
  const registered = await fetch(`${server.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "suite", redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string } // RFC 7591
  const args = ["--url", server.url, "--client-id", client_id, "--resource", `${server.url}/mcp`, "--port", String(port)]
  const { exitCode, output } = await new Promise<{ exitCode: number; output: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [suiteProgram, "authorization", ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    let link: string | undefined
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      if (link !== undefined) return
      link = /^(http:\S+\/authorize\?\S+)$/m.exec(text)?.[1]
      if (link !== undefined) consent(link).catch(reject)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    child.once("close", (code) => resolve({ exitCode: code ?? 1, output: text }))
  })
  expect(output).toMatch(/authorization-code-grant/)
  expect({ exitCode, failed: /FAILURE|✗/.test(output), output: exitCode === 0 ? "" : output.slice(-3000) }).toEqual({
    exitCode: 0,
    failed: false,
    output: "",
  })
})
