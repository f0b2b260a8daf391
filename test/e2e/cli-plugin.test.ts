// The command line with plugins: tools that need no connection, and questions that are forms.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const config = `
const any = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }
const tool = (path, handler) => ({ path, name: "One Thing", description: path, destructive: false, inputSchema: any, handler })
const plugin = (id, tools, more = {}) => ({ id, name: id, description: id, tools, ...more })
const form = {
  type: "object",
  properties: {
    size: { type: "string", enum: ["small", "it's"], description: "How large\\nit is" },
    count: { type: "integer", title: "How many" },
    gift: { type: "boolean" },
    "odd name": { type: "string" },
  },
  required: ["size", "count"],
}
export default {
  plugins: [
    plugin("desk", [tool("desk.forms.fill", async (ctx) => await ctx.elicit({ message: "What shall it be?", requestedSchema: form }))]),
    plugin("bank", [tool("bank.money.list", () => 1)], { authProviders: [{ id: "bank", type: "bearer" }] }),
  ],
}
`

let product: Product
let cli: Cli

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-cli-plugin-"))
  writeFileSync(join(dataDir, "executor.config.mjs"), config)
  product = await startProduct({ dataDir })
  cli = openCli(dataDir)
})
afterAll(() => product.stop())

test("a plugin without authentication needs no connection, one with it does", async () => {
  const { stdout } = await cli.run(["tools", "sources"])
  expect(stdout).toMatch(/^desk +plugin +1 +needs none/m)
  expect(stdout).toMatch(/^bank +plugin +0 +none: \S*executor connections add bank/m)
})

const resumeLine = (text: string): string => /^ {2}\S*(executor resume .*)$/m.exec(text)?.[1] ?? ""

test("a form is shown field by field, with a line that answers it", async () => {
  const paused = await cli.run(["call", "desk.forms.fill"])
  expect(paused.code).toBe(3)
  expect(paused.stderr).toContain(
    [
      "  The form asks for:",
      `    size      "small" or "it's", required  How large it is`,
      "    count     integer, required            How many",
      "    gift      boolean",
      "    odd name  string",
    ].join("\n"),
  )
  expect(paused.stderr).not.toContain("properties")
  const answered = await cli.type(resumeLine(paused.stderr))
  expect(answered.code).toBe(0)
  expect(JSON.parse(answered.stdout)).toEqual({ action: "accept", content: { size: "small", count: 1 } })
})

test("without a terminal all that must be answered is named", async () => {
  const paused = await cli.run(["call", "desk.forms.fill"])
  const id = /resume (exe_\S+)/.exec(paused.stderr)?.[1] ?? ""
  const silent = await cli.run(["resume", "--execution-id", id, "--action", "accept"])
  expect(silent).toMatchObject({ code: 2, stdout: "" })
  expect(silent.stderr).toContain(
    `'size', 'count' must be answered, but this is not a terminal. Pass --content '{"size":"small","count":1}'`,
  )
  const partial = await cli.run(["resume", "--execution-id", id, "--action", "accept", "--content", "{}"])
  expect(partial.code).toBe(2)
  for (const name of ["size", "count"]) expect(partial.stderr).toContain(`'${name}'`)
  const { items } = (await cli.json(["approvals", "list"])) as { items: { approvalId: string }[] }
  const approval = items[0]?.approvalId ?? ""
  expect((await cli.run(["approvals", "show", approval])).stdout).toContain(
    `approvals approve ${approval} --content '{"size":"small","count":1}'`,
  )
  const accepted = await cli.run(["approvals", "accept", approval, "--content", '{"size":"it\'s","count":2}'])
  expect(JSON.parse(accepted.stdout)).toEqual({ action: "accept", content: { size: "it's", count: 2 } })
})
