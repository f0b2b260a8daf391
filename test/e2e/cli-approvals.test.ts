// Approvals at a terminal and in scripts: y and n mean what they say, any id will do, and it is said what was answered.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ApprovalReply, ApprovalView, ExecutionReply } from "../../src/core/execution.ts"
import type { Page } from "../../src/core/page.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let product: Product
let cli: Cli
beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct({ dataDir: mkdtempSync(join(tmpdir(), "executor-approvals-")) })
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  cli = openCli(product.dataDir)
})
afterEach(() => void (ledger.entries.length = 0))
afterAll(async () => {
  await product.kill("SIGTERM")
  await ledger.close()
  rmSync(product.dataDir, { recursive: true, force: true })
})

const names = (): string[] => ledger.entries.map((entry) => entry.name)
const pause = async (...items: readonly string[]): Promise<ExecutionReply> =>
  product.client.run(`return await Promise.all(${JSON.stringify(items)}.map((name) => tools.ledger.items.create({ name }).unwrap()))`)
const waiting = async (executionId: string): Promise<readonly ApprovalView[]> =>
  (await product.client.approvals.list({ executionId })).items
const idOf = async (executionId: string): Promise<string> => (await waiting(executionId))[0]?.approvalId ?? ""

describe.skipIf(!hasTerminal)("at a terminal", () => {
  test.each([
    ["n\r", []],
    ["\r", []],
    ["no\r", []],
    ["y\r", ["x"]],
    ["YES\r", ["x"]],
  ])("resume with %j", async (keys, made) => {
    const { executionId } = await pause("x")
    const terminal = openTerminal(product.dataDir, ["resume", executionId])
    await terminal.until("It changes data: POST")
    await terminal.until("Approve? [y/N]")
    terminal.type(keys)
    await terminal.ended
    expect(names()).toEqual(made)
    expect(terminal.shown()).not.toContain("it happens")
    expect(terminal.shown()).toContain(`${made.length === 0 ? "Declined" : "Approved"} ledger.org.main.items.create {"name":"x"}`)
  })

  test("call asks, goes on, and prints the data", async () => {
    const yes = openTerminal(product.dataDir, ["call", "ledger.items.create", "name=here"])
    await yes.until("Approve? [y/N]")
    yes.type("y\r")
    expect(await yes.ended).toBe(0)
    expect(yes.shown()).toContain('"name": "here"')
    const no = openTerminal(product.dataDir, ["call", "ledger.items.create", "name=not-here"])
    await no.until("Approve? [y/N]")
    no.type("maybe\r")
    await no.until("Type y or n; Ctrl-C leaves the question unanswered. Approve? [y/N]")
    no.type("n\r")
    expect(await no.ended).toBe(5)
    expect(names()).toEqual(["here"])
  })

  test("run asks about each question of each pause", async () => {
    const file = join(product.dataDir, "two.ts")
    const code = `const made = await Promise.all(["a", "b"].map((name) => tools.ledger.items.create({ name })))
      await tools.ledger.items.create({ name: "c" })
      return made.map((one) => one.ok)`
    await cli.type(`cat > '${file}'`, { stdin: code })
    const terminal = openTerminal(product.dataDir, ["run", file])
    for (const [name, key] of [
      ["a", "y"],
      ["b", "n"],
      ["c", "y"],
    ]) {
      await terminal.until(`"name":"${name}"`)
      await terminal.until("Approve? [y/N]")
      terminal.type(`${key}\r`)
    }
    expect(await terminal.ended).toBe(0)
    expect(names()).toEqual(["a", "c"])
    expect(terminal.shown()).toMatch(/true,\s+false/)
  })

  test("the question shows the lines of code around the call, and nothing in them moves the cursor", async () => {
    const comment = "// \u001b[2J\u202egone"
    const code = [
      ...Array.from({ length: 20 }, (_, at) => `const unused${at} = ${at}`),
      comment,
      `const made = await tools.ledger.items.create({ name: "marked" }).unwrap()`,
      `return [made, "${"x".repeat(500)}"]`,
    ].join("\n")
    const { executionId } = await product.client.run(code)
    const terminal = openTerminal(product.dataDir, ["resume", executionId], { columns: 300 })
    await terminal.until("Approve? [y/N]")
    terminal.type("n\r")
    await terminal.ended
    const lines = terminal.shown().split("\n")
    expect(lines).toContain(`  > 22  const made = await tools.ledger.items.create({ name: "marked" }).unwrap()`)
    expect(lines).toContain("    21  // \\u001b[2J\\u202egone")
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}23 {2}return \[made, "x{100,150}…$/))
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}… 19 more lines: \S*executor approvals show apr_\w+$/))
    expect(terminal.shown()).not.toContain("unused3")
    // What the refusal meant to the code is for its author; whoever refused is told where it stopped.
    expect(terminal.shown()).toContain(`The code of ${executionId} stopped at line 22, because the call was declined`)
    expect(terminal.shown()).not.toContain("ToolError")
  })

  test("Ctrl-C leaves the question waiting, and says how to answer it", async () => {
    const terminal = openTerminal(product.dataDir, ["call", "ledger.items.create", "name=left"])
    await terminal.until("Approve? [y/N]")
    terminal.type("\u0003")
    expect(await terminal.ended).toBe(3)
    expect(terminal.shown()).toMatch(/resume exe_\w+ --action accept/)
    expect(names()).toEqual([])
  })

  test("a removal asks the same way", async () => {
    await product.client.integrations.add({ slug: "spare", kind: "openapi", config: { spec: ledger.document } })
    const terminal = openTerminal(product.dataDir, ["integrations", "remove", "spare"])
    await terminal.until("credentials? [y/N]")
    terminal.type("n\r")
    expect(await terminal.ended).toBe(2)
    expect((await product.client.integrations.get("spare")).slug).toBe("spare")
    const rule = await product.client.policies.create({ owner: "org", pattern: "spare.**", action: "block" })
    const policy = openTerminal(product.dataDir, ["policies", "remove", rule.id])
    await policy.until("Remove the rule 'block spare.**'?")
    policy.type("n\r")
    expect(await policy.ended).toBe(2)
    await product.client.policies.remove(rule.id)
  })

  test("tokens create asks who the token is for", async () => {
    const terminal = openTerminal(product.dataDir, ["tokens", "create"])
    await terminal.until("Who is it for?")
    await terminal.until("A human")
    terminal.type("\r")
    expect(await terminal.ended).toBe(0)
    expect(terminal.shown()).toMatch(/exa_\w+/)
  })
})

describe("tokens create", () => {
  test("says what is missing where nobody can be asked, and makes nothing", async () => {
    const before = (await product.client.tokens.list()).items.length
    const refused = await cli.run(["tokens", "create", "--name", "whose"])
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toMatch(/--agent, or --human/)
    expect((await cli.run(["tokens", "create", "--agent", "--human"])).code).toBe(2)
    expect((await product.client.tokens.list()).items).toHaveLength(before)
    for (const body of [{ name: "whose" }, { name: "whose", kind: "admin" }])
      expect(await product.request("POST", "/tokens", body)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  })

  test("says what a human's token may do, and the kind for machines", async () => {
    const human = await cli.run(["tokens", "create", "--human"])
    expect(human.stdout).toMatch(/^exh_/)
    expect(human.stderr).toMatch(/can do all that you can, such as approve calls and change settings/)
    expect(await cli.json(["tokens", "create", "--agent"])).toMatchObject({
      kind: "agent",
      token: expect.stringMatching(/^exa_/),
      name: expect.stringMatching(/^agent \d{4}-\d\d-\d\d$/),
    })
  })
})

describe("ids", () => {
  test("resume and approvals take an execution or an approval, whole or by a beginning that is unique", async () => {
    const byExecution = await pause("one")
    expect(await cli.run(["approvals", "approve", byExecution.executionId])).toMatchObject({ code: 0 })
    const byApproval = await pause("two")
    expect(await cli.run(["resume", await idOf(byApproval.executionId), "--action", "accept"])).toMatchObject({ code: 0 })
    const byPrefix = await pause("three")
    expect(await cli.run(["resume", byPrefix.executionId.slice(0, 20), "--action", "accept"])).toMatchObject({ code: 0 })
    const declined = await pause("four")
    const shown = await cli.run(["approvals", "show", (await idOf(declined.executionId)).slice(4, 20)])
    expect(shown.stdout).toContain('"name":"four"')
    expect(await cli.run(["approvals", "decline", (await idOf(declined.executionId)).slice(0, 20)])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(
        /^Declined ledger\.org\.main\.items\.create \{"name":"four"\}\nThe code of exe_\w+ stopped.* because the call was declined\n$/,
      ),
    })
    const again = await cli.run(["resume", byExecution.executionId, "--action", "accept"])
    expect(again).toMatchObject({ code: 0, stderr: `Nothing was answered: ${byExecution.executionId} is completed already\n` })
    const old = await pause("five")
    expect(await cli.run(["resume", "--execution-id", old.executionId, "--action", "accept"])).toMatchObject({ code: 0 })
    expect(names()).toEqual(["one", "two", "three", "five"])
  })

  test("one that fits several lists them, one that fits nothing says where to look", async () => {
    const [first, second] = [await pause("p"), await pause("q")]
    const several = await cli.run(["executions", "show", "exe_0"])
    expect(several.code).toBe(2)
    for (const { executionId } of [first, second]) expect(several.stderr).toContain(executionId)
    const nothing = await cli.run(["executions", "cancel", "exe_zzz"])
    expect(nothing).toMatchObject({ code: 4, stderr: expect.stringMatching(/no execution 'exe_zzz'; see \S*executor executions list/) })
    expect((await cli.run(["policies", "remove", "tok_1"])).stderr).toMatch(/'tok_1' is the id of a token; .* policy/)
    for (const { executionId } of [first, second]) await product.client.executions.cancel(executionId)
  })

  test("policies and tokens go by their beginning too", async () => {
    const rule = await product.client.policies.create({ owner: "org", pattern: "ledger.**", action: "block" })
    expect(await cli.run(["policies", "remove", rule.id.slice(0, 22)])).toMatchObject({ code: 0, stdout: `Removed ${rule.id}\n` })
    const token = await product.client.tokens.create({ name: "short", kind: "agent" })
    expect(await cli.run(["tokens", "revoke", token.id.slice(0, 22)])).toMatchObject({ code: 0 })
    expect((await product.client.tokens.list()).items.map(({ id }) => id)).not.toContain(token.id)
  })

  test("an agent completes only the ids of what it may see", async () => {
    const { executionId } = await pause("hidden")
    const { token, id } = await product.client.tokens.create({ name: "curious", kind: "agent" })
    const find = async (prefix: string) =>
      ((await product.request("GET", `/ids?prefix=${prefix}`, undefined, token)).body as Page<string>).items
    for (const prefix of ["exe_", "apr_", "pol_", "tok_", executionId, id]) expect(await find(prefix)).toEqual([])
    for (const prefix of ["xyz", "constructor_x", "__proto___x"])
      expect((await product.request("GET", `/ids?prefix=${prefix}`)).status).toBe(400)
    await product.client.executions.cancel(executionId)
  })
})

describe("what is said after an answer", () => {
  test("which call it was, and how many wait, in one line", async () => {
    const { executionId } = await pause("a", "b", "c")
    const [first] = await waiting(executionId)
    const approved = await cli.run(["approvals", "approve", first?.approvalId ?? ""])
    expect(approved).toMatchObject({ code: 3, stdout: "" })
    expect(approved.stderr.split("\n").filter((line) => line !== "")).toEqual([
      'Approved ledger.org.main.items.create {"name":"a"}',
      expect.stringMatching(/^2 more approvals are open: \S*executor approvals list --execution-id exe_\w+$/),
    ])
    const several = await cli.run(["approvals", "approve", executionId])
    expect(several).toMatchObject({ code: 2, stderr: expect.stringMatching(/has 2 open approvals/) })
    const declined = await cli.run(["resume", executionId, "--action", "decline"])
    expect(declined.stderr).toContain('Declined ledger.org.main.items.create {"name":"b"}')
    expect(names()).toEqual(["a"])
  })

  test("which rule --remember always made, how far it goes, and what it goes beyond", async () => {
    const near = await product.client.policies.create({
      owner: "org",
      pattern: "ledger.*.*.items.create",
      action: "allow",
      when: [{ arg: "delay", op: "lte", value: 10 }],
    })
    const bounded = await cli.run([
      "approvals",
      "approve",
      (await pause("bounded")).executionId,
      "--remember",
      "always",
      "--when",
      "delay lte 20",
    ])
    expect(bounded.stderr).toMatch(
      /Made rule pol_\w+\. From now on 'ledger\.org\.main\.items\.create' is allowed for you and your agents, when delay lte 20\./,
    )
    expect(await pause("more")).toMatchObject({ status: "paused" })
    const passes = await product.client.run(`return (await tools.ledger.items.create({ name: "less", delay: 15 })).ok`)
    expect(passes.structured).toMatchObject({ result: true })
    const { executionId } = await pause("any")
    const any = await product.request("POST", `/approvals/${await idOf(executionId)}`, { action: "accept", remember: "always" })
    const { remembered = [] } = any.body as ApprovalReply
    expect(remembered).toMatchObject([
      { pattern: "ledger.org.main.items.create", when: [], message: expect.stringContaining("with any arguments") },
    ])
    expect(remembered[0]?.message).toContain(
      `(${near.id}) allows it only when delay lte 10; the new rule also allows the calls for which that rule requires approval`,
    )
    expect(await product.client.policies.list()).toContainEqual(expect.objectContaining({ id: remembered[0]?.id, owner: "user", when: [] }))
    expect(await pause("now")).toMatchObject({ status: "completed" })
    for (const { id } of await product.client.policies.list()) await product.client.policies.remove(id)
  })

  test("a bound needs a rule, and a rule needs a sound bound", async () => {
    const { executionId } = await pause("kept")
    expect(await cli.run(["approvals", "approve", executionId, "--when", "delay lte 10"])).toMatchObject({ code: 2 })
    const path = `/approvals/${await idOf(executionId)}`
    for (const body of [
      { action: "accept", when: [{ arg: "delay", op: "lte", value: 10 }] },
      { action: "accept", remember: "always", when: [{ arg: "delay", op: "below", value: 10 }] },
      { action: "accept", remember: "always", when: [{ arg: "delay", op: "lte", value: [1] }] },
    ])
      expect(await product.request("POST", path, body)).toMatchObject({ status: 400 })
    expect(names()).toEqual([])
    await product.client.executions.cancel(executionId)
  })
})

test("agents are called by their token's name, and decisions by one word, in every table", async () => {
  const agent = await product.client.tokens.create({ name: "restocker", kind: "agent" })
  const env = { EXECUTOR_TOKEN: agent.token, EXECUTOR_ORIGIN: `${product.url}/api` }
  const paused = await cli.run(["run", "-", "--json"], { stdin: `return tools.ledger.items.create({ name: "x" })`, env })
  const { executionId } = JSON.parse(paused.stdout) as ExecutionReply
  const tables = await Promise.all(
    [
      ["approvals", "list"],
      ["executions", "list"],
      ["executions", "show", executionId],
      ["approvals", "show", executionId],
    ].map((words) => cli.run(words)),
  )
  for (const { stdout } of tables) {
    expect(stdout).toContain("restocker")
    expect(stdout).not.toContain("(agent)")
  }
  await cli.run(["approvals", "decline", executionId])
  const audit = await cli.run(["audit", "list", "--action", "call"])
  expect(audit.stdout).toMatch(/restocker .*\basks\b/)
  expect((await cli.run(["tools", "list", "--integration", "ledger"])).stdout).toMatch(/items\.create +asks/)
  expect((await cli.run(["tools", "search", "create an item"])).stdout).toMatch(/items\.create.* asks/)
  for (const { stdout } of [...tables, audit]) expect(stdout).not.toContain("require_approval")
})
