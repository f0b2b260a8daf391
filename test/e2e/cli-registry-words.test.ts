// What the command line says about the registry: warnings, and refusals in its own words instead of the API's.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let cli: Cli
beforeAll(async () => {
  product = await startProduct()
  cli = openCli(product.dataDir)
})
afterAll(() => product.stop())

const typed = async (...words: readonly string[]): Promise<CliRun> => {
  const run = await cli.run(words)
  expect([words, run.code, run.stderr]).toEqual([words, 0, expect.any(String)])
  return run
}
const described = (name: string): string[] => ["--name", name, "--description", `The tool ${name}`]

describe("publishing", () => {
  test("warns of what breaks calls, and of nothing where only the implementation changed", async () => {
    await typed("registry", "create", ...described("Greet"), "--code", "return input.who", "--param", "who:string")
    await typed("registry", "publish", "greet")
    await typed("registry", "edit", "greet", "--code", "return `Hi ${input.who}`")
    expect((await typed("registry", "diff", "greet")).stdout).toContain("implementation: calls that were right before still are")
    expect((await typed("registry", "publish", "greet")).stderr).not.toContain("warning")
    await typed(
      "registry",
      "edit",
      "greet",
      "--input",
      '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}',
    )
    const { stderr } = await typed("registry", "publish", "greet")
    expect(stderr).toContain("warning: this breaks calls that were right for version 1.0.1:")
    expect(stderr).toContain("  inputSchema.required: The property 'name' is required now\n")
    expect(stderr).toContain("registry rollback greet 1.0.1")
  })

  test("what replaces a tool can be called, and is named by its path", async () => {
    await typed("registry", "create", ...described("Successor"), "--code", "return 1")
    const refused = await cli.run(["registry", "deprecate", "greet", "--replaced-by", "successor"])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--replaced-by: nobody can call 'successor', which is a draft: publish it first with .*registry publish/),
    ])
    await typed("registry", "publish", "successor")
    await typed("registry", "deprecate", "greet", "--replaced-by", "successor")
    const { structured } = await product.client.run(`return (await tools.registry.greet({ name: "x" })).notice.replacedBy`)
    expect(structured).toMatchObject({ result: "registry.successor" })
  })
})

test("a test shows what the tool's code logs", async () => {
  await typed("registry", "create", ...described("Chatty"), "--code", "console.log('thinking'); return 1")
  const run = await typed("registry", "test", "chatty")
  expect([run.stdout, run.stderr]).toEqual(["1\n", expect.stringContaining("registry.chatty: thinking")])
})

test("an artifact that calls a tool is told where it could", async () => {
  await typed("artifacts", "create", "--name", "Caller", "--code", "return await tools.registry.chatty({})")
  await typed("registry", "create", ...described("Calls"), "--artifact", "caller")
  const run = await cli.run(["registry", "test", "calls"])
  expect([run.code, run.stderr]).toEqual([
    1,
    expect.stringContaining("The code of an artifact has no tools; put it into a tool of the type `custom`"),
  ])
})

test("a service account is said to have no use for rights, where it gets them and where it is refused", async () => {
  await typed("roles", "add", "maker", "--pattern", "registry.**", "--right", "registry.write")
  expect((await typed("users", "add", "Robot", "--service", "--role", "maker")).stderr).toContain(
    "robot never uses registry.write: rights are for humans",
  )
  expect((await typed("users", "update", "robot", "--role", "maker")).stderr).toContain("never uses registry.write")
  const { token } = await product.client.tokens.create({ name: "robot", kind: "agent", user: "robot" })
  const { status, body } = await product.request(
    "POST",
    "/tools",
    { name: "X", description: "Y", implementationType: "custom", implementationConfig: { code: "return 1" } },
    token,
  )
  expect([status, body]).toMatchObject([403, { error: { message: expect.stringContaining("rights of roles are for humans alone") } }])
})

describe("lists", () => {
  test("a filter that matches nothing says so, and unknown values are refused with those that there are", async () => {
    expect((await typed("tools", "list", "--query", "nothing-at-all")).stderr).toContain("No tool matches")
    expect((await typed("tools", "list", "--type", "agent_call")).stderr).toContain("No tool matches")
    expect((await typed("registry", "list", "--status", "disabled")).stderr).toContain("No tool matches")
    for (const [words, allowed] of [
      [["tools", "list", "--type", "nothing"], "rag_retrieval"],
      [["tools", "list", "--status", "nothing"], "deprecated"],
      [["registry", "list", "--type", "nothing"], "rag_retrieval"],
    ] as const) {
      const run = await cli.run(words)
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("Allowed choices are")])
      expect(run.stderr).toContain(allowed)
    }
  })
})

test("a credential whose label is taken is a conflict that says what to do", async () => {
  const add = () => cli.run(["credentials", "add", "serper", "--secret-stdin"], { stdin: "planted-key" })
  expect((await add()).code).toBe(0)
  const again = await add()
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(
      /There already is a credential 'serper' \(cred_\w+\): change it with .*credentials edit cred_\w+, or choose another label/,
    ),
  ])
  expect(again.stderr).not.toContain("planted-key")
})

const code = ["--code", "return 1"]
test.each([
  ["a slug that is taken", ["registry", "create", ...described("Chatty"), ...code], "registry edit"],
  ["an artifact's slug that is taken", ["artifacts", "create", "--name", "Taken", ...code], "artifacts edit"],
  ["a bad slug", ["registry", "create", ...described("X"), "--slug", "A B", ...code], "--slug:"],
  ["a bad address", ["registry", "create", ...described("X"), "--url", "ftp://x"], "--url must begin"],
  [
    "a name in braces that is no argument",
    ["registry", "edit", "requests", "--config", '{"method":"GET","url":"https://example.com/{no}"}'],
    "--input",
  ],
  [
    "an unknown method",
    ["registry", "create", ...described("X"), "--url", "https://example.com", "--method", "FETCH"],
    "--method must be one of",
  ],
  ["an unknown built-in", ["registry", "create", ...described("X"), "--builtin", "nothing"], "There is no built-in"],
  ["an unknown function", ["registry", "create", ...described("X"), "--function", "nothing"], "is not registered"],
  ["an unknown pipeline", ["registry", "create", ...described("X"), "--pipeline", "nothing", "--param", "query:string"], "--pipeline"],
  ["an unknown agent", ["registry", "create", ...described("X"), "--agent", "nothing"], "--agent"],
  [
    "an unknown field",
    ["registry", "create", ...described("X"), "--url", "https://example.com", "--config", '{"nope":1}'],
    "--config has no field 'nope'",
  ],
  [
    "an unknown setting",
    ["registry", "create", ...described("X"), ...code, "--execution", '{"nope":1}'],
    "--execution has no field 'nope'",
  ],
  [
    "a schema of nothing",
    ["registry", "create", ...described("X"), ...code, "--input", '{"type":"string"}'],
    '--input.type must be "object"',
  ],
  [
    "an unknown version of an artifact",
    ["registry", "create", ...described("X"), "--artifact", "taken", "--artifact-version", "9"],
    "The artifact 'taken' has no version '9'",
  ],
  [
    "an option of two other types",
    ["registry", "create", ...described("X"), ...code, "--url", "https://example.com"],
    "--code is for tools of the type artifact or custom, and this one is http",
  ],
  ["a tool of nothing", ["registry", "create", ...described("X")], "--pipeline"],
  ["a folder that there is not", ["registry", "export", "-o", "/nowhere/at/all.json"], "there is no such directory"],
  [
    "a file that is no export",
    ["registry", "import", join(import.meta.dirname, "../../package.json")],
    'The file must be { "tools": […] }',
  ],
  ["publishing what is disabled", ["registry", "publish", "retired"], "registry enable retired first"],
  ["chunks that are too small", ["pipelines", "create", "Crumbs", "--tokens", "1"], "--tokens must be"],
  ["asking a pipeline that there is not", ["pipelines", "query", "nothing", "x"], "pipelines list"],
  ["publishing what is deprecated", ["registry", "publish", "greet"], "registry disable"],
  ["deprecating a draft", ["registry", "deprecate", "chatty"], "registry publish chatty"],
  ["disabling a draft", ["registry", "disable", "chatty"], "registry delete chatty"],
  ["a version that there is not", ["registry", "diff", "greet", "7.0.0"], "registry versions greet"],
])("%s is refused in the words of the command line", async (_name, words, message) => {
  if (words.includes("Taken") || words.includes("taken")) await cli.run(["artifacts", "create", "--name", "Taken", ...code])
  if (words.includes("requests"))
    await cli.run(["registry", "create", "--name", "Requests", "--description", "D", "--url", "https://example.com"])
  if (words.includes("retired")) {
    await cli.run(["registry", "create", ...described("Retired"), ...code])
    for (const step of ["publish", "disable"]) await cli.run(["registry", step, "retired"])
  }
  const run = await cli.run(words)
  expect([run.code === 0, run.stdout, run.stderr]).toEqual([false, "", expect.stringContaining(message)])
  expect(run.stderr).not.toMatch(
    /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\bwith PUT\b|implementationConfig|executionConfig|artifactId|artifactVersion|replacedBy|schema\.input/,
  )
})
