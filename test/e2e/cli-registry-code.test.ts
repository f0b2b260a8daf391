// Code, artifacts and built-ins of the registry on the command line: what is wrong with them, and what follows from them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let dataDir: string
let product: Product
let cli: Cli

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "executor-cli-registry-code-"))
  product = await startProduct()
  cli = openCli(product.dataDir)
})
afterAll(async () => {
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const typed = async (...words: readonly string[]): Promise<CliRun> => {
  const run = await cli.run(words)
  expect([words, run.code, run.stderr]).toEqual([words, 0, expect.any(String)])
  return run
}
const refused = async (...words: readonly string[]): Promise<string> => {
  const run = await cli.run(words)
  expect([words, run.code, run.stdout]).toEqual([words, expect.any(Number), ""])
  expect(run.code).not.toBe(0)
  return run.stderr
}
const json = (...words: readonly string[]): Promise<Record<string, unknown>> => cli.json(words) as Promise<Record<string, unknown>> // every command prints an object
const described = (name: string): string[] => ["--name", name, "--description", `The tool ${name}`]

test("code that cannot be read is refused with its place, in the words of the command", async () => {
  expect(await refused("registry", "create", ...described("Bad"), "--code", "return (")).toMatch(
    /--code cannot be read as TypeScript at line 1/,
  )
  expect(await refused("artifacts", "create", "--name", "Bad", "--code", "const a = = 1")).toMatch(
    /--code cannot be read as TypeScript at line 1, column 11/,
  )
})

test("a tool of a built-in takes the arguments of the built-in", async () => {
  await typed("registry", "create", ...described("Shape"), "--builtin", "json_transform")
  expect(await json("registry", "show", "shape")).toMatchObject({
    schema: { input: { properties: { data: {}, expression: {} }, required: ["data", "expression"] } },
  })
  expect((await typed("registry", "test", "shape", '{"data":{"a":[1,2]},"expression":"sum(a)"}')).stdout).toBe("3\n")
})

test("a tool moves to the latest version of its artifact when it is told to, and drops the inputs that are gone", async () => {
  await typed(
    "artifacts",
    "create",
    "--name",
    "Greet",
    "--input",
    "who:string:required",
    "--input",
    "old:string",
    "--code",
    "return `Hi ${input.who}`",
  )
  await typed("registry", "create", ...described("Greeting"), "--artifact", "greet")
  await typed("registry", "publish", "greeting")
  const edited = await typed("artifacts", "edit", "greet", "--input", "who:string:required", "--code", "return `Hello ${input.who}`")
  expect(edited.stderr).toContain("--artifact-version latest")
  const again = await typed("registry", "publish", "greeting")
  expect(again.stderr).toMatch(
    /It runs version 1 of greet, which has a version 2 now\. To use that: .*registry edit greeting --artifact-version latest/,
  )
  await typed("registry", "edit", "greeting", "--artifact-version", "latest")
  expect((await typed("registry", "publish", "greeting")).stderr).not.toContain("which has a version")
  expect((await typed("call", "registry.greeting", "who=Ada")).stdout).toBe("Hello Ada\n")
  expect(await json("registry", "show", "greeting")).toMatchObject({
    artifactVersion: "2",
    schema: { input: { properties: { who: { type: "string" } }, additionalProperties: false } },
  })
  expect(JSON.stringify(await json("registry", "show", "greeting"))).not.toContain('"old"')
})

test("an artifact is removed once no tool uses it, and only if that is meant", async () => {
  expect(await refused("artifacts", "remove", "greet", "--yes")).toContain("is used by greeting")
  await typed("artifacts", "create", "--name", "Spare", "--code", "return 1")
  expect(await refused("artifacts", "remove", "spare")).toContain("This is not a terminal, so pass --yes")
  expect((await typed("artifacts", "remove", "spare", "--yes")).stdout).toBe("Removed spare\n")
  expect((await typed("artifacts", "list")).stdout).not.toContain("spare")
})

test("an export has the artifacts, and an import links tools to them", async () => {
  const file = join(dataDir, "registry.json")
  expect((await typed("registry", "export", "-o", file)).stdout).toMatch(/^Wrote \d+ tools and 1 artifact to /)
  const other = openCli(join(dataDir, "other"))
  const imported = await other.run(["registry", "import", file])
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringMatching(/^Imported \d+ tools and 1 artifact\n$/)])
  const called = await other.run(["call", "registry.greeting", "who=Bo"])
  expect([called.code, called.stdout]).toEqual([0, "Hello Bo\n"])
})

test.each([
  ["registry delete shape", "Delete shape? This is not a terminal, so pass --yes"],
  ["credentials remove spared", "This is not a terminal, so pass --yes"],
])("%s needs --yes where nobody can be asked, and changes nothing without it", async (line, message) => {
  if (line.startsWith("credentials"))
    await product.client.credentials.create({ category: "custom", providerKey: "x", label: "spared", values: { api_key: "k" } })
  expect(await refused(...line.split(" "))).toContain(message)
  expect(await json(...(line.startsWith("credentials") ? ["credentials", "list"] : ["registry", "list"]))).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining(line.startsWith("credentials") ? { label: "spared" } : { slug: "shape" })]),
  })
})
