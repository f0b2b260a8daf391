// Four eyes from outside: whom a rule names approves, on another node and in a browser, and every way around that is closed.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openPostgresStore } from "../../src/store/postgres.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store } from "../../src/store/store.ts"
import { roleRow, userRow } from "../../src/store/testing/samples.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { buildConsole } from "../console/console.ts"
import { keepShots, startStrictBrowser } from "./browser.ts"
import { openCli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const tenant = "default"
const finance = "somebody with the role 'finance', other than alice"
const code = `return (await tools.ledger.items.create({ name: "refund" })).ok`

describe.each(["sqlite", "postgres"] as const)("on %s", (dialect) => {
  let ledger: Ledger
  let first: Product
  let second: Product
  const dataDirs = [mkdtempSync(join(tmpdir(), "executor-eyes-")), mkdtempSync(join(tmpdir(), "executor-eyes-"))]
  const tokens: Record<string, string> = {}
  const as = (who: string, node: Product): Client => createClient({ origin: `${node.url}/api`, token: tokens[who] ?? "" })

  beforeAll(async () => {
    buildConsole()
    ledger = await startLedger()
    const databaseUrl = dialect === "postgres" ? await (await sharedPostgres()).createDatabase() : null
    const env = {
      EXECUTOR_SECRET_KEY: "one key for both of the nodes",
      EXECUTOR_LIMITS: JSON.stringify({ mcpAnswerWaitMs: 300 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl }),
    }
    first = await startProduct({ dataDir: dataDirs[0] ?? "", env })
    second = databaseUrl === null ? first : await startProduct({ dataDir: dataDirs[1] ?? "", env })
    await first.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await first.client.connections.create({ integration: "ledger" })
    const store =
      databaseUrl === null
        ? await openSqliteStore({ path: join(first.dataDir, "executor.db") })
        : await openPostgresStore({ url: databaseUrl })
    await makePeople(store, tokens)
    await store.close()
    await first.client.policies.create({
      owner: "org",
      pattern: "ledger.**",
      action: "require_approval",
      by: { role: "finance", notRequester: true },
    })
  })
  afterAll(async () => {
    await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true })
  })

  const writes = (): number => ledger.entries.filter((entry) => entry.method === "POST").length

  test("the requester, their second token and an admin are refused with who may; finance approves on another node", async () => {
    const before = writes()
    const reply = await as("alice", first).run(code)
    expect(reply.status).toBe("paused")
    for (const token of [tokens["alice"], tokens["alice-2"], first.token]) {
      const answer = await second.request("POST", `/approvals/${idOf(reply)}`, { action: "accept" }, token)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining("role 'finance', other than alice") } },
      })
    }
    expect((await as("alice", second).approvals.list()).items).toEqual([])
    expect((await as("bob", second).approvals.list()).items).toMatchObject([{ approvalId: idOf(reply), isOwn: false, mayAnswer: true }])
    expect(writes()).toBe(before)
    expect(await as("bob", second).approvals.answer(idOf(reply), { action: "accept" })).toMatchObject({ executionId: "" })
    await vi.waitFor(async () => expect(await as("alice", first).executions.get(reply.executionId)).toMatchObject({ status: "completed" }))
    expect(writes()).toBe(before + 1)
  })

  test("autoApprove, the SDK's approve, remember and an own rule that allows stand in for nobody", async () => {
    const before = writes()
    await as("alice", first).policies.create({ owner: "user", pattern: "ledger.items.create", action: "allow" })
    expect((await as("alice", first).run(code, { autoApprove: true })).status).toBe("paused")
    const call = as("alice", first).execute("ledger.items.create", { name: "x" }, { approve: async () => true })
    await expect(call).rejects.toMatchObject({ code: "forbidden" })
    const reply = await as("alice", first).run(code)
    for (const remember of ["execution", "always"])
      expect((await first.request("POST", `/approvals/${idOf(reply)}`, { action: "accept", remember }, tokens["bob"])).status).toBe(409)
    expect(writes()).toBe(before)
  })

  test("MCP clients relay nothing for somebody who may not answer, and say who may", async () => {
    const before = writes()
    for (const mode of ["native", "model"] as const) {
      let asked = 0
      const client = await connectMcp(`${first.url}/mcp?elicitation_mode=${mode}`, {
        era: "modern",
        token: tokens["agent"] ?? "",
        human: () => {
          asked += 1
          return { action: "accept", content: {} }
        },
      })
      const paused = await callTool(client, "execute", { code })
      const { structured } = paused
      expect(structured.status).toBe("waiting_for_interaction")
      expect(textOf(paused)).toContain("The user cannot approve this: it needs somebody with the role 'finance', other than alice")
      if (mode === "model") {
        const resumed = await callTool(client, "resume", { executionId: structured["executionId"], action: "accept" })
        expect(textOf(resumed)).toContain("You may not answer this")
      }
      expect(asked).toBe(0)
      await client.close()
    }
    expect(writes()).toBe(before)
  })

  test("the command line and the page say who may, and take the answer of whom it is for", async () => {
    const cli = openCli(first.dataDir)
    const reply = await as("alice", first).run(code)
    const refused = await cli.run(["approvals", "approve", idOf(reply)], { env: { EXECUTOR_TOKEN: tokens["alice"] ?? "" } })
    expect(refused.stderr).toContain("You may not answer this: it needs somebody with the role 'finance', other than alice")
    const listed = await cli.run(["approvals", "list"], { env: { EXECUTOR_TOKEN: tokens["bob"] ?? "" } })
    expect(listed.stdout).toContain("alice")
    const shown = await cli.run(["approvals", "show", idOf(reply)], { env: { EXECUTOR_TOKEN: tokens["bob"] ?? "" } })
    expect(shown.stdout).toContain(code)
    const browser = await startStrictBrowser()
    for (const [who, text] of [
      ["alice", "You may not answer this: it needs somebody with the role 'finance', other than alice."],
      ["bob", "ledger.org.main.items.create"],
    ] as const) {
      const { code: signIn } = await as(who, first).sessions.create()
      const page = await (await browser.newContext()).newPage()
      await page.goto(`${first.url}/signin?code=${signIn}&next=/approve/${idOf(reply)}`)
      await page.getByText(text).first().waitFor()
      const approve = page.getByRole("button", { name: "Approve", exact: true })
      await expect.poll(() => approve.getAttribute("aria-disabled")).toBe(who === "bob" ? "false" : "true")
      if (who === "alice") continue
      expect(await page.getByRole("region", { name: "Code", exact: true }).innerText()).toContain(code)
      await approve.press("Enter")
      await page.getByRole("heading", { name: "Approved" }).waitFor()
      await page.getByText("The execution goes on with this answer.").waitFor()
    }
    await browser.close()
    expect(await cli.run(["access", "explain", "alice", "ledger.items.create"])).toMatchObject({
      stdout: expect.stringContaining("needs approval"),
    })
  })

  test("whoever asked reads who must answer and what goes on by itself, and finds it beside their inbox", async () => {
    const cli = openCli(first.dataDir)
    const env = { EXECUTOR_TOKEN: tokens["alice"] ?? "" }
    const ran = await cli.run(["run", "-"], { env, stdin: code })
    const [executionId = ""] = /exe_\w+/.exec(ran.stderr) ?? []
    const [approvalId = ""] = /apr_\w+/.exec(ran.stderr) ?? []
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`You cannot answer this yourself: it needs ${finance}. Ask them to`),
    })
    expect(ran.stderr).toContain(`approvals approve ${approvalId}`)
    expect(ran.stderr).not.toContain("resume")
    const { text } = await as("alice", second).executions.get(executionId)
    expect(text).toContain(
      `It needs ${finance}, who can answer at ${second.pagesUrl}/approve/${executionId}. The execution then goes on by itself.`,
    )

    const listed = await cli.run(["approvals", "list", "--execution-id", executionId], { env })
    expect(listed.stdout).toMatch(new RegExp(`for others to answer:\\n.*NEEDS[^]*${approvalId}[^]*finance`))
    const asked = { approvalId, executionId, isOwn: true, mayAnswer: false, answerers: finance }
    expect(await cli.json(["approvals", "list", "--execution-id", executionId], { env })).toMatchObject({
      items: [],
      nextCursor: null,
      waitingForOthers: { items: [asked], nextCursor: null },
    })
    const forOthers = async (who: string) => (await as(who, second).approvals.list({ executionId, waitingFor: "others" })).items
    expect(await forOthers("alice")).toMatchObject([asked])
    for (const who of ["bob", "carl", "agent"]) expect(await forOthers(who)).toEqual([])
    expect((await second.request("GET", "/approvals?waitingFor=all", undefined, tokens["alice"])).status).toBe(400)

    expect((await cli.run(["approvals", "approve", executionId], { env })).stderr).toContain(`You may not answer this: it needs ${finance}`)
    expect(await cli.run(["approvals", "approve", approvalId], { env: { EXECUTOR_TOKEN: tokens["bob"] ?? "" } })).toMatchObject({ code: 0 })
    await vi.waitFor(async () => expect((await as("alice", first).executions.get(executionId)).status).toBe("completed"))
    expect((await cli.run(["executions", "show", executionId], { env })).stdout).toContain("true")
    expect(await forOthers("alice")).not.toMatchObject([asked])
  })

  test("the execution's link shows whom it is for what they may answer, and anybody else nothing", async () => {
    const reply = await as("alice", first).run(code)
    const url = reply.structured.status === "waiting_for_interaction" ? (reply.structured.approvalUrl ?? "") : ""
    const browser = await startStrictBrowser()
    for (const [who, text] of [
      ["bob", "ledger.org.main.items.create"],
      ["dora", "Nothing to answer here"],
    ] as const) {
      const { code: signIn } = await as(who, first).sessions.create()
      const page = await (await browser.newContext()).newPage()
      await page.goto(`${first.url}/signin?code=${signIn}&next=${new URL(url).pathname}`)
      await page.getByRole("heading", { name: text }).waitFor()
      if (who === "dora") {
        await page.getByText("ask them who has to answer").waitFor()
        await keepShots(page, "approve-not-yours")
        continue
      }
      await page.getByText("1 waiting in this execution").waitFor()
      await page.getByRole("button", { name: "Approve", exact: true }).click()
      await page.getByText("Approved 1 call.").first().waitFor()
      // It is not theirs to read.
      expect(await page.getByRole("link", { name: "See the execution" }).count()).toBe(0)
    }
    await browser.close()
  })

  test.skipIf(!hasTerminal)("at a terminal, the requester is not asked what they cannot answer, and may withdraw it", async () => {
    const env = { EXECUTOR_TOKEN: tokens["alice"] ?? "" }
    const terminal = openTerminal(first.dataDir, ["call", "ledger.items.create", "name=x"], { env })
    expect(await terminal.ended).toBe(3)
    expect(terminal.shown()).not.toContain("[y/N]")
    expect(terminal.shown()).toContain("You cannot answer this yourself")
    const [executionId = ""] = /exe_\w+/.exec(terminal.shown()) ?? []
    expect((await openCli(first.dataDir).run(["approvals", "cancel", executionId], { env })).stderr).toContain("Cancelled ledger.")
  })

  test("a holder of the role does not approve their own call", async () => {
    const before = writes()
    const reply = await as("carl", first).run(code)
    expect((await first.request("POST", `/approvals/${idOf(reply)}`, { action: "accept" }, tokens["carl"])).status).toBe(403)
    expect(writes()).toBe(before)
  })
})

function idOf({ structured }: ExecutionReply): string {
  if (structured.status !== "waiting_for_interaction") throw new Error(`It does not wait: ${JSON.stringify(structured)}`)
  return structured.interactions[0]?.approvalId ?? ""
}

/** Straight into the store, as the routes of people are tried elsewhere. */
async function makePeople(store: Store, tokens: Record<string, string>): Promise<void> {
  await store.roles.put(tenant, roleRow({ id: "finance", patterns: ["*"] }))
  for (const [user, role] of [
    ["alice", "member"],
    ["bob", "finance"],
    ["carl", "finance"],
    ["dora", "member"],
  ] as const)
    await store.users.put(userRow({ tenant, user }, { roles: [{ role, from: "given" }] }))
  for (const [name, user, kind] of [
    ["alice", "alice", "human"],
    ["alice-2", "alice", "human"],
    ["bob", "bob", "human"],
    ["carl", "carl", "human"],
    ["dora", "dora", "human"],
    ["agent", "alice", "agent"],
  ] as const) {
    const { row, token } = newToken({ tenant, user }, { name, kind, elicitation: ["browser", "native", "model"] }, systemClock)
    await store.tokens.put(row)
    tokens[name] = token
  }
}
