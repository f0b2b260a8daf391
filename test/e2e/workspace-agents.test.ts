// An agent with a workspace: it is told of the local tools, calls them through the gate, and loses them with the command.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { AgentRunReply } from "../../src/core/agents/agent.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"

let bench: AgentBench
let cli: Cli
let folder: string
beforeAll(async () => {
  bench = await startAgents()
  await bench.agent("editor")
  cli = openCli(bench.product.dataDir)
  folder = mkdtempSync(join(tmpdir(), "executor-workspace-agent-"))
  writeFileSync(join(folder, "a.txt"), "first\n")
})
afterAll(async () => {
  await bench.stop()
  rmSync(folder, { recursive: true, force: true })
})

test("reads and, with a rule that allows it, writes files of the folder", async () => {
  const { client } = bench.product
  const told: string[][] = []
  const outputs: string[] = []
  bench.model.script((request) => {
    told.push([...request.tools])
    outputs.push(...request.outputs.map(({ text }) => text))
    const named = (tool: string): string => request.tools.find((name) => name.endsWith(tool)) ?? tool
    if (told.length === 1) return { calls: [{ name: named("read_file"), arguments: { file_path: "a.txt" } }] }
    if (told.length === 2) return { calls: [{ name: named("write_file"), arguments: { file_path: "b.txt", content: "second" } }] }
    return { text: "Done." }
  })
  const allow = await client.policies.create({ owner: "org", pattern: "local.write_file", action: "allow" })
  try {
    const { stdout } = await cli.run(["agents", "run", "editor", "Copy it.", "--workspace", folder, "--json"])
    const { reply } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as { reply: AgentRunReply } // the last event
    expect(reply).toMatchObject({ status: "completed", structured: { result: "Done." } })
    expect(told[0]?.filter((name) => name.includes("local")).length).toBeGreaterThanOrEqual(4)
    expect(outputs.join("\n")).toContain("L1: first")
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("second")
    const { calls } = await client.executions.get(reply.executionId)
    expect(calls.map(({ address }) => address).filter((address) => address.startsWith("local."))).toEqual([
      "local.read_file",
      "local.write_file",
    ])
  } finally {
    await client.policies.remove(allow.id)
  }
})

test("without a workspace it is told of none, and a workspace of nobody is refused", async () => {
  const told: string[][] = []
  const reply = await bench.run("editor", (request) => {
    told.push([...request.tools])
    return { text: "Nothing." }
  })
  expect(reply.status).toBe("completed")
  expect(told[0]?.filter((name) => name.includes("local"))).toEqual([])
  await expect(bench.product.client.agents.run("editor", { text: "x", workspace: "wsp_none" })).rejects.toMatchObject({ code: "not_found" })
})
