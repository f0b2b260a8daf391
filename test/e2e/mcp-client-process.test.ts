// Programs of MCP servers: what they get, what becomes of them when they or we end, and what is told of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { stdioConfig } from "../servers/mcp-npm.ts"
import { becomes, openFiles, processesInGroups, processesWith } from "../servers/processes.ts"
import { startProduct } from "./product.ts"

const program = join(import.meta.dirname, "..", "servers", "mcp-stubborn.ts")
const folder = mkdtempSync(join(tmpdir(), "executor-mcp-process-"))
const isFull = process.env["EXECUTOR_CHAOS_FULL"] !== undefined
let executor: Executor
let count = 0

/** Every program gets a mark of its own on its command line, so that it can be told from others. */
function stubborn(...flags: string[]) {
  count += 1
  const mark = `mark-${process.pid}-${count}`
  const config = { transport: "stdio", command: process.execPath, args: [program, mark, ...flags], env: { SECRET_TOKEN: "hunter2hunter2" } }
  return { mark, slug: `stubborn${count}`, config }
}

const programsOf = (mark: string) => processesWith(mark)
const groupsOf = (mark: string): number[] => [...new Set(programsOf(mark).map((one) => one.group))]

beforeAll(async () => {
  executor = await createExecutor({
    dataDir: join(folder, "data"),
    limits: { callTimeoutMs: 10_000, responseBytesMax: 1_000_000, mcpServerStartMs: 60_000 },
  })
})
afterAll(async () => {
  await executor.close()
  rmSync(folder, { recursive: true })
})

async function connect({ slug, config }: ReturnType<typeof stubborn>): Promise<void> {
  await executor.integrations.add({ slug, kind: "mcp", config })
  expect(await executor.connections.create({ integration: slug })).toMatchObject({ status: "ready", error: null })
}

async function call(slug: string, tool: string): Promise<unknown> {
  const run = await executor.run(`return await tools.${slug}.${tool}({})`, { autoApprove: true })
  return run.structured.status === "completed" ? run.structured.result : run.structured
}

describe("a program", () => {
  test("gets only what it needs to know, and what its config says", async () => {
    const server = stubborn()
    await connect(server)
    const answer = (await call(server.slug, "env")) as { data: string }
    const { env, cwd } = JSON.parse(answer.data) as { env: Record<string, string>; cwd: string }
    const ours = Object.keys(env).filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))
    expect(ours.every((name) => ["PATH", "HOME", "USER", "LANG", "TMPDIR", "SECRET_TOKEN"].includes(name))).toBe(true)
    expect(cwd).toBe(process.env["HOME"])
    // What the config keeps secret does not come back, in an answer or in the config.
    expect(answer.data).not.toContain("hunter2hunter2")
    expect((await executor.integrations.get(server.slug)).config).toMatchObject({ env: { SECRET_TOKEN: "***" } })
  })

  test("may print what is no message", async () => {
    const server = stubborn()
    await connect(server)
    expect(await call(server.slug, "chatty")).toEqual({ ok: true, data: "said" })
  })

  test("that ends on a question it does not know is started again without it", async () => {
    const starts = join(folder, "starts")
    const server = stubborn("exit-on-probe", `starts=${starts}`)
    await connect(server)
    expect(await call(server.slug, "chatty")).toEqual({ ok: true, data: "said" })
    expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(2)
  })

  test("that crashes is named with its last words, cleaned of secrets, and started again by the next call", async () => {
    const server = stubborn()
    await connect(server)
    const crashed = await call(server.slug, "crash")
    expect(crashed).toMatchObject({
      ok: false,
      error: { code: "upstream_unreachable", retryable: true, message: expect.stringContaining("exit code 3") },
    })
    expect(JSON.stringify(crashed)).toContain("fatal: cannot go on with ***")
    const written = await call(server.slug, "write")
    expect(written).toMatchObject({
      ok: false,
      error: { code: "upstream_unreachable", message: expect.stringContaining("may or may not have taken effect") },
    })
    expect(written).not.toMatchObject({ error: { retryable: true } })
  })

  test("that keeps crashing is not started by every call", async () => {
    const starts = join(folder, "crashes")
    const server = stubborn(`starts=${starts}`)
    await connect(server)
    for (let n = 0; n < 6; n += 1) await call(server.slug, "crash")
    expect(readFileSync(starts, "utf8").trim().split("\n").length).toBeLessThan(6)
  })

  test("that does not answer costs its own call only", async () => {
    const server = stubborn()
    await connect(server)
    const run = await executor.run(
      `const [silent, said] = await Promise.all([tools.${server.slug}.silent({}), tools.${server.slug}.chatty({})])
       return [silent.error.code, said.data]`,
    )
    expect(run.structured).toMatchObject({ result: ["timeout", "said"] })
  })

  test("that sends too much is ended", async () => {
    const server = stubborn()
    await connect(server)
    expect(await call(server.slug, "big")).toMatchObject({ ok: false, error: { code: "response_too_large" } })
    expect(await becomes(() => programsOf(server.mark).length <= 1)).toBe(true)
  })

  test("that never gets ready is given up", async () => {
    const server = stubborn("mute")
    const own = await createExecutor({ dataDir: join(folder, "impatient"), limits: { callTimeoutMs: 1500, mcpServerStartMs: 1500 } })
    onTestFinished(() => own.close())
    await own.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
    const connection = await own.connections.create({ integration: server.slug })
    expect(connection).toMatchObject({ status: "error", error: expect.stringContaining("did not answer") })
    expect(await becomes(() => programsOf(server.mark).length === 0)).toBe(true)
  })

  test("that is not installed is named", async () => {
    await executor.integrations.add({ slug: "missing", kind: "mcp", config: { transport: "stdio", command: "no-such-server" } })
    expect(await executor.connections.create({ integration: "missing" })).toMatchObject({
      status: "error",
      error: expect.stringContaining("'no-such-server' was not found"),
    })
    await executor.integrations.add({
      slug: "nowhere",
      kind: "mcp",
      config: { transport: "stdio", command: "node", cwd: "/no/such/folder" },
    })
    expect(await executor.connections.create({ integration: "nowhere" })).toMatchObject({
      error: expect.stringContaining("/no/such/folder"),
    })
  })

  test("is started anew when its config changes", async () => {
    const server = stubborn()
    await connect(server)
    const [before] = programsOf(server.mark)
    await executor.integrations.update(server.slug, { config: { ...server.config, env: { SECRET_TOKEN: "anotherone99" } } })
    expect(await call(server.slug, "chatty")).toEqual({ ok: true, data: "said" })
    expect(await becomes(() => programsOf(server.mark).length === 1 && programsOf(server.mark)[0]?.pid !== before?.pid)).toBe(true)
  })
})

describe("ends", () => {
  test("a program that ignores everything goes with its helper when we close", async () => {
    const server = stubborn("stubborn", "helper")
    const own = await createExecutor({ dataDir: join(folder, "closing") })
    await own.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
    await own.connections.create({ integration: server.slug })
    const groups = groupsOf(server.mark)
    expect(
      processesInGroups(groups)
        .map((one) => one.command)
        .join(),
    ).toContain("sleep 987654")
    await own.close()
    expect(await becomes(() => processesInGroups(groups).length === 0)).toBe(true)
  })

  test("kill -9 of the server leaves no program behind, however it behaves", async () => {
    const product = await startProduct()
    const servers = [stubborn("stubborn", "helper"), stubborn("helper"), stubborn()]
    for (const server of servers) {
      await product.client.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
      expect(await product.client.connections.create({ integration: server.slug })).toMatchObject({ status: "ready" })
    }
    const groups = servers.flatMap((server) => groupsOf(server.mark))
    expect(processesInGroups(groups).length).toBeGreaterThanOrEqual(5)
    await product.kill("SIGKILL")
    expect(await becomes(() => processesInGroups(groups).length === 0)).toBe(true)
    await product.stop()
  })

  test("a program that nobody uses is ended, and started again by the next call", async () => {
    const server = stubborn()
    const own = await createExecutor({ dataDir: join(folder, "idle"), limits: { mcpServerIdleMs: 300 } })
    await own.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
    await own.connections.create({ integration: server.slug })
    expect(await becomes(() => programsOf(server.mark).length === 0)).toBe(true)
    const run = await own.run(`return (await tools.${server.slug}.chatty({})).data`)
    expect(run.structured).toMatchObject({ result: "said" })
    await own.close()
  })

  test("a program whose integration is removed is ended", async () => {
    const server = stubborn()
    await connect(server)
    expect(programsOf(server.mark)).toHaveLength(1)
    await executor.integrations.remove(server.slug)
    expect(await becomes(() => programsOf(server.mark).length === 0)).toBe(true)
  })

  test("many starts and stops leak no process and no file", { timeout: 900_000 }, async () => {
    const rounds = isFull ? 100 : 10
    const marks: string[] = []
    const round = async (): Promise<void> => {
      const server = stubborn("helper")
      marks.push(server.mark)
      await executor.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
      await executor.integrations.preview({ kind: "mcp", config: server.config })
      await executor.integrations.remove(server.slug)
    }
    await round()
    const before = openFiles(process.pid)
    for (let n = 0; n < rounds; n += 1) await round()
    expect(await becomes(() => marks.every((mark) => programsOf(mark).length === 0))).toBe(true)
    expect(await becomes(() => openFiles(process.pid) <= before + 2)).toBe(true)
  })
})

test("stderr is in the log, without secrets and bounded", async () => {
  const product = await startProduct({ env: { EXECUTOR_LOG: "info" } })
  const server = stubborn()
  await product.client.integrations.add({ slug: server.slug, kind: "mcp", config: server.config })
  await product.client.connections.create({ integration: server.slug })
  await product.client.run(`return await tools.${server.slug}.noise({})`)
  expect(await becomes(() => product.output().includes("starting with ***"))).toBe(true)
  expect(product.output()).not.toContain("hunter2hunter2")
  expect(
    product
      .output()
      .split("\n")
      .filter((line) => line.includes("noise ")).length,
  ).toBeLessThan(1000)
  await product.stop()
})

test("programs are started only where the operator allows it", async () => {
  const dataDir = join(folder, "refused")
  const config = stdioConfig("memory")
  const product = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_STDIO: "0" } })
  await expect(product.client.integrations.add({ slug: "memory", kind: "mcp", config })).rejects.toThrow("EXECUTOR_ALLOW_STDIO")
  await product.kill("SIGTERM")
  // One that was added when it was allowed is not started any more.
  const allowed = await startProduct({ dataDir })
  await allowed.client.integrations.add({ slug: "memory", kind: "mcp", config })
  await allowed.client.connections.create({ integration: "memory" })
  await allowed.kill("SIGTERM")
  const refused = await startProduct({ dataDir, env: { EXECUTOR_ALLOW_STDIO: "off" } })
  const run = await refused.client.run(`return await tools.memory.read_graph({})`, { autoApprove: true })
  expect(run.structured).toMatchObject({ result: { ok: false, error: { code: "forbidden" } } })
  await refused.stop()
})
