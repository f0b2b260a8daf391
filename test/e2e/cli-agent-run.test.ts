// `executor agents run` at a terminal and in scripts: what is shown while it runs, approvals in place, Ctrl-C, events as JSON.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../servers/mcp-npm.ts"
import { create, get, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"

let bench: AgentBench
let cli: Cli
beforeAll(async () => {
  bench = await startAgents()
  await bench.agent("keeper")
  cli = openCli(bench.product.dataDir)
})
afterAll(() => bench.stop())

const read = (name: string) => ({ name: get, arguments: { name } })
const write = (name: string) => ({ name: create, arguments: { name } })
const made = (name: string): number => bench.ledger.entries.filter((entry) => entry.method === "POST" && entry.name === name).length
const terminal = (...args: string[]) => openTerminal(bench.product.dataDir, ["agents", "run", ...args])

describe.skipIf(!hasTerminal)("at a terminal", () => {
  test("words are shown as they arrive, and each call with how it ended", async () => {
    const [said, called] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let asked = 0
    bench.model.script(async () => {
      asked += 1
      if (asked === 1)
        return { text: "One moment.", calls: [read("shown")], hold: ({ part }) => (part === "call" ? said.promise : undefined) }
      await called.promise
      return { text: "All is well." }
    })
    const shown = terminal("keeper", "Go.")
    await shown.until("One moment.")
    said.resolve()
    await shown.until('✓ ledger.org.main.items.get {"name":"shown"}')
    expect(shown.shown()).not.toContain("All is well.")
    called.resolve()
    await shown.until("All is well.")
    await shown.until("2 steps, 1 call, ")
    expect(await shown.ended).toBe(0)
    expect(shown.shown().match(/All is well\./g)).toHaveLength(1)
  })

  test("approvals are asked for in place, and the run goes on in view", async () => {
    const answered = Promise.withResolvers<void>()
    bench.model.script([
      { text: "I write.", calls: [write("asked"), write("refused")] },
      { text: "One was written.", before: () => answered.promise },
    ])
    const shown = terminal("keeper", "Write.")
    await shown.until("It changes data: POST")
    expect(shown.shown()).not.toContain("Code:")
    await shown.until("Approve? [y/N]")
    shown.type("y\r")
    await shown.until("Approve? [y/N]")
    shown.type("n\r")
    await shown.until('Approved ledger.org.main.items.create {"name":"asked"}')
    await shown.until('Declined ledger.org.main.items.create {"name":"refused"}')
    answered.resolve()
    await shown.until("One was written.")
    expect(await shown.ended).toBe(0)
    expect([made("asked"), made("refused")]).toEqual([1, 0])
    expect(shown.shown()).toMatch(/✓ ledger\.org\.main\.items\.create \{"name":"asked"\}/)
  })

  test("a question that is left waits, with code 3", async () => {
    bench.model.script([{ calls: [write("left")] }])
    const shown = terminal("keeper", "Write.")
    await shown.until("Approve? [y/N]")
    shown.type("\u0003")
    expect(await shown.ended).toBe(3)
    expect(shown.shown()).toContain("is waiting for a human")
  })

  test("Ctrl-C cancels the run, and the question to the model", async () => {
    bench.model.script(() => ({ fail: "hang" }))
    const before = bench.model.requests.length
    const shown = terminal("keeper", "Go.")
    const { gone } = await bench.model.request(before + 1)
    shown.type("\u0003")
    await shown.until("Stopping the run")
    expect(await shown.ended).toBe(1)
    if (!gone.aborted) await new Promise((resolve) => gone.addEventListener("abort", resolve))
    expect((await bench.product.client.executions.list()).items[0]).toMatchObject({ status: "cancelled", program: "agent" })
  })

  test("what a model says cannot steer the terminal", async () => {
    bench.model.script([{ text: "\u001b]0;owned\u0007Hello." }])
    const shown = terminal("keeper", "Go.")
    expect(await shown.ended).toBe(0)
    expect(shown.shown()).toContain("\\u001b]0;owned\\u0007Hello.")
  })
})

describe("in a script", () => {
  test("the answer alone is on stdout", async () => {
    bench.model.script([{ text: "I look.", calls: [read("piped")] }, { text: "It is there." }])
    const before = bench.model.requests.length
    const { code, stdout, stderr } = await cli.run(["agents", "run", "keeper", "Look", "after", "it."])
    expect(bench.model.requests[before]?.userText).toBe("Look after it.")
    expect([code, stdout]).toEqual([0, "It is there.\n"])
    expect(stderr).toMatch(/✓ ledger\.org\.main\.items\.get \{"name":"piped"\}.*\n.*2 steps, 1 call, \d+ tokens in, \d+ out\n$/s)
  })

  test("a call that was not made is shown as the model wrote it", async () => {
    bench.model.script(() => ({ calls: [read("again")] }))
    const { code, stderr } = await cli.run(["agents", "run", "keeper", "Go."])
    expect(code).toBe(1)
    expect(stderr).toMatch(/✗ ledger\.org\.main\.items\.get \{"name":"again"\} .*Not made/)
  })

  test("--json prints events, and the last has the reply", async () => {
    bench.model.script([{ calls: [read("as_json")] }, { text: "Listed." }])
    const { code, stdout } = await cli.run(["agents", "run", "keeper", "Look.", "--json"])
    expect(code).toBe(0)
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string }) // one event a line
    expect(events.at(-1)).toMatchObject({ type: "end", reply: { status: "completed", output: "Listed.", runId: expect.any(String) } })
    expect(events.filter(({ type }) => type === "end" || type === "pause")).toHaveLength(1)
  })

  test("what waits ends with 3, and says how to go on", async () => {
    bench.model.script([{ calls: [write("scripted")] }, { text: "Written." }])
    const run = await cli.run(["agents", "run", "keeper", "Write.", "--json"])
    expect(run.code).toBe(3)
    const { reply } = JSON.parse(run.stdout.trimEnd().split("\n").at(-1) ?? "") as { reply: { executionId: string } } // the last event
    expect(run.stderr).toContain(`resume ${reply.executionId} --action accept`)
    expect(await cli.run(["resume", reply.executionId, "--action", "accept"])).toMatchObject({ code: 0, stdout: "Written.\n" })
    expect(made("scripted")).toBe(1)
  })

  test("a run that fails ends with 1, an unknown agent with 4, and a draft says how it can run", async () => {
    bench.model.script(() => ({ fail: "status", status: 400 }))
    expect(await cli.run(["agents", "run", "keeper", "Go."])).toMatchObject({ code: 1, stdout: "" })
    bench.model.script(() => ({ fail: "status", status: 401 }))
    expect((await cli.run(["agents", "run", "keeper", "Go."])).stderr).toMatch(/Set another one with \S+ models edit <provider>/)
    expect((await cli.run(["agents", "run", "nobody", "Go."])).code).toBe(4)
    const making = ["agents", "create", "sketch", "--instructions", "Wait.", "--model"]
    expect(await cli.run([...making, "nowhere/x"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--model: there is no model provider 'nowhere'; \S+ models list/),
    })
    await cli.run([...making, "local/scripted"])
    const draft = await cli.run(["agents", "run", "sketch", "Go."])
    expect(draft).toMatchObject({ code: 4, stderr: expect.stringMatching(/is a draft: .* agents publish sketch.* --debug/) })
    await cli.run(["agents", "remove", "sketch", "--yes"])
  })

  test("a server that dies in the middle is waited for, and the run goes on in view", async () => {
    const [dataDir, port] = [mkdtempSync(join(tmpdir(), "executor-dies-")), await freePort()]
    const start = () =>
      startProduct({ dataDir, args: ["--port", String(port)], env: { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }) } })
    const dies = await start()
    await dies.client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: bench.model.baseUrl })
    const begun = Promise.withResolvers<void>()
    let isDead = false
    bench.model.script(() => ({
      text: "All of it was said, and said once.",
      hold: ({ index }) => (index < 3 || isDead ? undefined : (begun.resolve(), new Promise(() => {}))),
    }))
    const running = openCli(dataDir).run(["agents", "run", "--model", "local/scripted", "--tools", "ledger.none", "Go."])
    await begun.promise
    isDead = true
    await dies.kill("SIGKILL")
    const next = await start()
    expect(await running).toMatchObject({
      code: 0,
      stdout: "All of it was said, and said once.\n",
      stderr: expect.stringContaining("The server is gone"),
    })
    await next.stop()
  })
})

describe("without a stored agent", () => {
  test("a model runs with the tools and instructions that are given", async () => {
    bench.model.script([{ calls: [read("once")] }, { text: "Once." }])
    const before = bench.model.requests.length
    const args = ["--model", "local/scripted", "--tools", "ledger.items.get", "--instructions", "Look it up.", "Go."]
    expect(await cli.run(["agents", "run", ...args])).toMatchObject({ code: 0, stdout: "Once.\n" })
    expect(bench.model.requests[before]).toMatchObject({ system: "Look it up.", userText: "Go.", tools: [get] })
    expect((await bench.product.client.agents.list()).items.map(({ slug }) => slug)).toEqual(["keeper"])
  })

  test.each([
    [["--model", "nowhere/x", "Go."], "there is no model provider 'nowhere'"],
    [["--model", "local/scripted", "keeper", "Go."], "With --model no agent is named"],
    [["--tools", "ledger.**", "keeper", "Go."], "belong to --model"],
    [["--model", "scripted", "Go."], "--model takes a provider and a name"],
    [[], "Name an agent"],
  ])("%j is wrong usage", async (args, message) => {
    const run = await cli.run(["agents", "run", ...args])
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) })
  })

  test("is for whoever may run working copies", async () => {
    const { token } = await bench.product.client.tokens.create({ name: "bot", kind: "agent" })
    const body = { agent: { model: { provider: "local", name: "scripted" } }, text: "Go." }
    expect((await bench.product.request("POST", "/agents/runs", body, token)).status).toBe(403)
  })
})

test("its history names the agent and its input, not the form in which they are stored", async () => {
  bench.model.script([{ text: "Done." }])
  const run = await cli.run(["agents", "run", "keeper", "Keep the books."])
  const id = /exe_\w+/.exec(run.stderr)?.[0] ?? ""
  const shown = await cli.run(["executions", "show", id])
  expect(shown.stdout).toMatch(/Agent keeper, version [^\n]*\n\nInput:\nKeep the books\.\n\nInstructions:\n/)
  expect((await cli.run(["executions", "list"])).stdout).not.toContain("agentId")
})

test("what is not there is told with the command that lists what is", async () => {
  expect(await cli.run(["agents", "show", "nobody"])).toMatchObject({ code: 4, stderr: expect.stringContaining("agents list") })
  expect(await cli.run(["models", "test", "nobody"])).toMatchObject({ code: 4, stderr: expect.stringContaining("models list") })
})
