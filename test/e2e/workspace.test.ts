// A folder of the command line's machine, whose tools an execution has at `local.*`: real server, real command, real sandbox.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { watch } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { chooseSandbox } from "../../src/agent-tools/shell-sandbox/choose.ts"
import type { ApprovalView, ExecutionReply } from "../../src/core/execution.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const hasSandbox = chooseSandbox().driver !== null

let product: Product
let cli: Cli
let around: string
let folder: string
beforeAll(async () => {
  product = await startProduct()
  cli = openCli(product.dataDir)
})
beforeEach(() => {
  if (around !== undefined) rmSync(around, { recursive: true, force: true })
  around = realpathSync(mkdtempSync(join(tmpdir(), "executor-workspace-")))
  folder = join(around, "project")
  mkdirSync(folder)
  writeFileSync(join(folder, "a.txt"), "first\nsecond\n")
})
afterAll(async () => {
  await product.stop()
  rmSync(around, { recursive: true, force: true })
})

const codeFile = (code: string): string => {
  const path = join(around, "code.ts")
  writeFileSync(path, code)
  return path
}
const runIn = (code: string, ...options: string[]): Promise<unknown> => cli.json(["run", codeFile(code), "--workspace", folder, ...options])
const resultOf = (reply: unknown): unknown => {
  const { structured } = reply as ExecutionReply
  return "result" in structured ? structured.result : structured
}
const writeCode = `return await tools.local.write_file({ file_path: "new/b.txt", content: "written" })`
const written = (): string => readFileSync(join(folder, "new/b.txt"), "utf8")

/** The first approval of the folder that is pending. */
async function pendingApproval(where = folder): Promise<ApprovalView> {
  const over = new AbortController()
  try {
    for await (const _ of product.client.approvals.events(over.signal)) {
      const { items } = await product.client.approvals.list()
      const found = items.find(({ message }) => message.includes(where))
      if (found !== undefined) return found
    }
  } finally {
    over.abort()
  }
  throw new Error("The server stopped telling of approvals")
}

/** The command as a process that a test can end. */
function startCli(args: readonly string[]) {
  const child = spawn(process.execPath, [join(product.dataDir, "bin", "main.mjs"), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], HOME: product.dataDir, EXECUTOR_DATA_DIR: product.dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  )
  return { child, ended }
}

/** Resolves when the file is there. */
async function appeared(path: string): Promise<void> {
  const over = new AbortController()
  try {
    const events = watch(folder, { signal: over.signal })
    if (existsSync(path)) return
    for await (const _ of events) if (existsSync(path)) return
  } finally {
    over.abort()
  }
}

async function endOf(executionId: string): Promise<ExecutionReply> {
  for await (const event of product.client.executions.events(executionId))
    if (event.type === "end" || event.type === "pause") return event.reply
  throw new Error("The server stopped telling of the execution")
}

describe("reading", () => {
  test("files and folders are read without asking, and the journal has every call", async () => {
    const reply = await runIn(`
      const text = await tools.local.read_file({ file_path: "a.txt" })
      const found = await tools.local.search({ pattern: "second" })
      return [text, found]`)
    expect(resultOf(reply)).toEqual([
      { ok: true, data: "L1: first\nL2: second" },
      { ok: true, data: expect.stringContaining("a.txt:2:second") },
    ])
    const { calls } = await product.client.executions.get((reply as ExecutionReply).executionId)
    expect(calls).toMatchObject([
      { address: "local.read_file", status: "done", args: { file_path: "a.txt" } },
      { address: "local.search", status: "done" },
    ])
  })

  test("a path that leaves the folder is refused, also through a link", async () => {
    writeFileSync(join(around, "secret.txt"), "a secret")
    symlinkSync(join(around, "secret.txt"), join(folder, "link.txt"))
    const reply = await runIn(`return await Promise.all(["../secret.txt", "link.txt", ${JSON.stringify(join(product.dataDir, "token"))}]
      .map((file_path) => tools.local.read_file({ file_path })))`)
    expect(resultOf(reply)).toMatchObject([1, 2, 3].map(() => ({ ok: false, error: { code: "upstream_error" } })))
    expect(JSON.stringify(reply)).not.toContain("a secret")
    expect(JSON.stringify(reply)).not.toContain(product.token)
  })

  test("arguments are checked before anything reaches the folder", async () => {
    const reply = await runIn(`return await tools.local.read_file({ path: "a.txt" })`)
    expect(resultOf(reply)).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })

  test("its tools are found by search where it is attached, and nowhere else", async () => {
    const search = (more: string): string =>
      `return (await tools.search({ query: "read a text file"${more} })).items.map(({ path }) => path)`
    expect(resultOf(await runIn(search("")))).toContain("local.read_file")
    expect(resultOf(await runIn(search(', namespace: "local"')))).toContain("local.read_file")
    expect(resultOf(await product.client.run(search("")))).not.toContain("local.read_file")
  })

  test("its tools can be described, and one that it has not is told with those it has", async () => {
    const reply = await runIn(`return [await tools.describe.tool({ path: "local.read_file" }), await tools.local.format_disk({})]`)
    expect(resultOf(reply)).toMatchObject([
      { path: "local.read_file", requiresApproval: false, inputTypeScript: expect.stringContaining("file_path: string") },
      { error: { code: "tool_not_found", details: { suggestions: expect.arrayContaining(["local.read_file"]) } } },
    ])
  })
})

describe("writing", () => {
  test("waits for a human, who answers elsewhere, and the command stays until then", async () => {
    const { ended } = startCli(["run", codeFile(writeCode), "--workspace", folder])
    const approval = await pendingApproval()
    expect(approval).toMatchObject({ address: "local.write_file", effect: "write", args: { file_path: "new/b.txt", content: "written" } })
    expect(existsSync(join(folder, "new"))).toBe(false)
    await product.client.approvals.answer(approval.approvalId, { action: "accept" })
    const { code, stderr, stdout } = await ended
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("Waiting for an answer at http") })
    expect(stdout).toContain("A new/b.txt")
    expect(written()).toBe("written")
  })

  test("a refusal writes nothing", async () => {
    const { ended } = startCli(["run", codeFile(writeCode), "--workspace", folder, "--json"])
    const approval = await pendingApproval()
    await product.client.approvals.answer(approval.approvalId, { action: "decline" })
    expect(resultOf(JSON.parse((await ended).stdout))).toMatchObject({ ok: false, error: { code: "approval_declined" } })
    expect(existsSync(join(folder, "new"))).toBe(false)
  })

  test("goes on in another command with --workspace, and asks again where that has another folder", async () => {
    const left = async (): Promise<ApprovalView> => {
      const { child, ended } = startCli(["run", codeFile(writeCode), "--workspace", folder])
      const approval = await pendingApproval()
      child.kill("SIGKILL")
      await ended
      return approval
    }
    const { executionId } = await left()
    const resumed = await cli.run(["resume", executionId ?? "", "--workspace", folder, "--action", "accept"])
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining("A new/b.txt") })
    expect(written()).toBe("written")

    const other = join(around, "other")
    mkdirSync(other)
    const second = await left()
    const { ended } = startCli(["resume", second.executionId ?? "", "--workspace", other, "--action", "accept"])
    const asked = await pendingApproval(other)
    expect(asked).toMatchObject({ executionId: second.executionId, reason: expect.stringContaining("the earlier answer does not count") })
    expect(existsSync(join(other, "new"))).toBe(false)
    await product.client.approvals.answer(asked.approvalId, { action: "accept" })
    expect(await ended).toMatchObject({ code: 0 })
    expect(readFileSync(join(other, "new/b.txt"), "utf8")).toBe("written")

    const { executionId: without } = await product.client.run("return 1")
    expect(await cli.run(["resume", without, "--workspace", folder, "--action", "accept"])).toMatchObject({
      stderr: expect.stringContaining("without a workspace"),
    })
  })

  test.skipIf(!hasTerminal)("is asked in place at a terminal", async () => {
    const terminal = openTerminal(product.dataDir, ["run", codeFile(writeCode), "--workspace", folder])
    await terminal.until("local.write_file")
    await terminal.until("Approve? [y/N]")
    terminal.type("y\r")
    expect(await terminal.ended).toBe(0)
    expect(written()).toBe("written")
  })

  test("patches are applied with --yes", async () => {
    const patch = ["*** Begin Patch", "*** Update File: a.txt", "@@", "-first", "+1st", " second", "*** End Patch"].join("\n")
    const reply = await runIn(`return await tools.local.apply_patch({ input: ${JSON.stringify(patch)} })`, "--yes")
    expect(resultOf(reply)).toMatchObject({ ok: true, data: expect.stringContaining("M a.txt") })
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("1st\nsecond\n")
  })

  test("a rule blocks or allows a local tool like every other", async () => {
    const block = await product.client.policies.create({ owner: "org", pattern: "local.read_file", action: "block" })
    const allow = await product.client.policies.create({ owner: "org", pattern: "local.write_file", action: "allow" })
    expect([block.pattern, allow.pattern]).toEqual(["local.read_file", "local.write_file"])
    try {
      expect(resultOf(await runIn(writeCode))).toMatchObject({ ok: true })
      expect(resultOf(await runIn(`return await tools.local.read_file({ file_path: "a.txt" })`))).toMatchObject({
        error: { code: "tool_blocked" },
      })
    } finally {
      await product.client.policies.remove(block.id)
      await product.client.policies.remove(allow.id)
    }
  })
})

describe.skipIf(!hasSandbox)("shell, in the sandbox of this machine", () => {
  test("a command that only reads asks nobody, and answers with its exit code", async () => {
    const reply = await runIn(
      `return [await tools.local.shell({ command: ["cat", "a.txt"] }), await tools.local.shell({ command: ["ls", "nowhere"] })]`,
    )
    expect(resultOf(reply)).toMatchObject([
      { ok: true, data: { output: "first\nsecond\n", metadata: { exit_code: 0 } } },
      { ok: true, data: { metadata: { exit_code: 2 } } },
    ])
  })

  test("what else it does is asked, and cannot leave the folder", async () => {
    const outside = join(around, "outside.txt")
    const code = `return await tools.local.shell({ command: ["bash", "-lc", "echo in > in.txt; echo out > ${outside}"] })`
    const { ended } = startCli(["run", codeFile(code), "--workspace", folder, "--json"])
    const approval = await pendingApproval()
    expect(approval).toMatchObject({ address: "local.shell", effect: "destroy" })
    await product.client.approvals.answer(approval.approvalId, { action: "accept" })
    expect(resultOf(JSON.parse((await ended).stdout))).toMatchObject({ ok: true })
    expect(readFileSync(join(folder, "in.txt"), "utf8")).toBe("in\n")
    expect(existsSync(outside)).toBe(false)
  })

  test("no call can ask to leave the sandbox", async () => {
    const code = `return await tools.local.shell({ command: ["ls"], sandbox_permissions: "require_escalated" })`
    expect(resultOf(await runIn(code, "--yes"))).toMatchObject({ error: { code: "invalid_arguments" } })
  })

  test("the command is killed in the middle: the write is uncertain, and from then on nobody is there", async () => {
    const code = `
      const slow = await tools.local.shell({ command: ["bash", "-lc", "touch started; sleep 600"], timeout_ms: 600000 })
      const after = await tools.local.read_file({ file_path: "a.txt" })
      const write = await tools.local.write_file({ file_path: "late.txt", content: "x" })
      return [slow, after, write]`
    const { child, ended } = startCli(["run", codeFile(code), "--workspace", folder, "--yes"])
    await appeared(join(folder, "started"))
    const { items } = await product.client.executions.list({ status: "running" })
    const [running] = items
    if (running === undefined) throw new Error("Nothing runs")
    const settled = endOf(running.executionId)
    child.kill("SIGKILL")
    await ended
    expect(resultOf(await settled)).toMatchObject([
      { ok: false, error: { code: "outcome_unknown" } },
      { ok: false, error: { code: "upstream_unreachable", message: expect.stringContaining("--workspace") } },
      { ok: false, error: { code: "upstream_unreachable" } },
    ])
    expect(existsSync(join(folder, "late.txt"))).toBe(false)
  })
})

describe("without a sandbox", () => {
  test("EXECUTOR_SHELL=unsandboxed offers the shell, and even a read asks", async () => {
    const code = codeFile(`return await tools.local.shell({ command: ["cat", "a.txt"] })`)
    const allow = await product.client.policies.create({ owner: "org", pattern: "local.shell", action: "allow" })
    try {
      const running = cli.json(["run", code, "--workspace", folder], { env: { EXECUTOR_SHELL: "unsandboxed" } })
      const approval = await pendingApproval()
      expect(approval).toMatchObject({ effect: "destroy", message: expect.stringContaining("without a sandbox") })
      await product.client.approvals.answer(approval.approvalId, { action: "accept" })
      expect(resultOf(await running)).toMatchObject({ ok: true, data: { output: "first\nsecond\n" } })
    } finally {
      await product.client.policies.remove(allow.id)
    }
  })

  test("a setting or a folder that is none is told before anything runs", async () => {
    const file = codeFile("return 1")
    expect(await cli.run(["run", file, "--workspace", folder], { env: { EXECUTOR_SHELL: "yes" } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("EXECUTOR_SHELL must be"),
    })
    expect(await cli.run(["run", file, "--workspace", join(folder, "nowhere")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--workspace"),
    })
  })
})

test("without a server the product in the command's own process serves it", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-workspace-own-"))
  try {
    const own = openCli(dataDir)
    const reply = await own.json(["run", codeFile(`return await tools.local.read_file({ file_path: "a.txt" })`), "--workspace", folder])
    expect(resultOf(reply)).toMatchObject({ ok: true, data: "L1: first\nL2: second" })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
