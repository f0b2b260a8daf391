// Whether a model is offered `shell`, and who hears of it if not.
import { once } from "node:events"
import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { ToolRegistryBuilder } from "../registry-builder.ts"
import { addShellTools } from "./shell-tools.ts"

const noSandbox = { driver: null, tried: [{ driver: "landlock", works: false, reason: "this kernel has none" }] } as const

function offered(config: Parameters<typeof addShellTools>[1]): readonly string[] {
  const builder = new ToolRegistryBuilder()
  addShellTools(builder, config, () => noSandbox)
  const [specs] = builder.build()
  return specs.map(({ spec }) => spec.name)
}

test("without a sandbox there is no shell, and a warning says why, also if nobody asked for warnings", async () => {
  const warned = once(process, "warning") as Promise<[Error]>
  expect(offered({ workspace: tmpdir() })).toEqual([])
  const [{ name, message }] = await warned
  expect(name).toBe("ToolplaneWarning")
  expect(message).toContain("The tool 'shell' is left out: this machine has no sandbox for it. landlock: this kernel has none.")
})

test("who takes warnings gets it instead, and nobody who wants no shell", () => {
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  expect(offered({ workspace: tmpdir(), shell: "off", warn })).toEqual([])
  expect(warnings).toEqual([])
  expect(offered({ workspace: tmpdir(), warn })).toEqual([])
  expect(warnings).toHaveLength(1)
  expect(offered({ workspace: tmpdir(), shell: "unsandboxed", warn })).toEqual(["shell"])
})
