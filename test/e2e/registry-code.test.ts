// Code and artifacts of registry tools over HTTP: what cannot be read is refused with its place, and arguments follow from what a tool is made of.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ArtifactView } from "../../src/core/registry/artifact.ts"
import type { RegistryExport, RegistryToolView } from "../../src/core/registry/tool.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

type Refused = { readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } }
/** What the routes answer between them. */
type Body = RegistryToolView & ArtifactView & RegistryExport & Refused & { readonly warnings: readonly string[] }
const ask = (method: string, path: string, body?: unknown) =>
  product.request(method, path, body) as Promise<{ readonly status: number; readonly body: Body }>
const custom = (slug: string, code: string) => ({
  name: slug,
  slug,
  description: `The tool ${slug}`,
  schema: { input: { type: "object" } },
  implementationType: "custom",
  implementationConfig: { code },
})
const broken = "const a = 1\nconst b = = 2\nreturn a"
const place = { code: "invalid_request", details: { line: 2, column: 11 } }

describe("code that cannot be read is refused with line and column", () => {
  test("of a custom tool, when it is made and when it is changed", async () => {
    const made = await ask("POST", "/tools", custom("unread", broken))
    expect(made).toMatchObject({ status: 400, body: { error: place } })
    expect(made.body.error.message).toMatch(/^implementationConfig\.code cannot be read as TypeScript at line 2, column 11: .*Fix it there/)
    const { body: tool } = await ask("POST", "/tools", custom("read", "return 1"))
    const changed = await ask("PUT", `/tools/${tool.id}`, { implementationConfig: { code: broken } })
    expect(changed).toMatchObject({ status: 400, body: { error: place } })
    expect((await ask("GET", `/tools/${tool.id}`)).body.configSchema.implementation).toEqual({ code: "return 1" })
  })
  test("of an artifact, and of code in a tool's own config", async () => {
    expect(await ask("POST", "/artifacts", { name: "Broken", code: broken })).toMatchObject({ status: 400, body: { error: place } })
    const { body: artifact } = await ask("POST", "/artifacts", { name: "Whole", code: "return 1" })
    expect(await ask("PUT", `/artifacts/${artifact.id}`, { code: broken })).toMatchObject({ status: 400, body: { error: place } })
    const inline = { ...custom("inline", broken), implementationType: "artifact", implementationConfig: { code: broken, inputs: [] } }
    expect(await ask("POST", "/tools", inline)).toMatchObject({ status: 400, body: { error: place } })
  })
  test("types, modules and expressions are code like any other", async () => {
    for (const [slug, code] of [
      ["typed", "const n: number = input.n as number\nreturn n satisfies number"],
      ["module", "export default async (input: { n: number }) => input.n"],
      ["expression", "input.n + 1"],
    ] as const)
      expect(await ask("POST", "/tools", custom(slug, code))).toMatchObject({ status: 201 })
  })
  test("what was imported and cannot be read is a draft that is not published", async () => {
    const row = { slug: "brought", name: "brought", config_schema: { implementation: { code: broken } }, is_active: true }
    const { body } = await ask("POST", "/registry/import", { tools: [row] })
    expect(body.warnings).toEqual([expect.stringMatching(/^brought: imported as a draft\. .*line 2, column 11/)])
    const { id } = await product.client.registry.find("brought")
    expect(await ask("POST", `/tools/${id}/publish`)).toMatchObject({ status: 400, body: { error: place } })
  })
})

describe("arguments follow from what a tool is made of", () => {
  const artifactTool = (slug: string, artifactId: string, more: object = {}) => ({
    name: slug,
    slug,
    description: `The tool ${slug}`,
    implementationType: "artifact",
    artifactId,
    ...more,
  })
  const schemaOf = (names: readonly string[], required: readonly string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
  })
  const input = (name: string, required = true) => ({ name, type: "string", required })

  test("a built-in's tool takes the built-in's arguments", async () => {
    const body = {
      name: "Times",
      description: "Says the time",
      implementationType: "internal",
      implementationConfig: { builtin: "datetime_utils" },
    }
    const made = await ask("POST", "/tools", body)
    const builtin = (await product.client.registry.builtins()).find(({ slug }) => slug === "datetime_utils")
    expect(made).toMatchObject({ status: 201, body: { schema: builtin?.schema ?? "missing" } })
    await ask("POST", `/tools/${made.body.id}/publish`)
    expect(await product.client.execute("registry.times", { operation: "now" })).toMatchObject({ ok: true })
  })
  test("other types say that they need them", async () => {
    const { schema: _schema, ...rest } = custom("bare", "return 1")
    expect(await ask("POST", "/tools", rest)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("schema.input is required") } },
    })
    const unknownBuiltin = { ...rest, implementationType: "internal", implementationConfig: { builtin: "nothing" } }
    expect((await ask("POST", "/tools", unknownBuiltin)).body.error.message).toContain("There is no built-in 'nothing'")
    expect((await ask("POST", "/tools", artifactTool("lost", "art_0"))).body.error.message).toContain("has no artifact 'art_0'")
  })
  test("inputs that are gone from an artifact are gone from the tool that moves to its latest version", async () => {
    const { body: artifact } = await ask("POST", "/artifacts", {
      name: "Join",
      inputs: [input("a"), input("b")],
      code: "return input.a + input.b",
    })
    const { body: tool } = await ask("POST", "/tools", artifactTool("join", artifact.id))
    expect(tool.schema.input).toEqual(schemaOf(["a", "b"], ["a", "b"]))
    await ask("POST", `/tools/${tool.id}/publish`)
    await ask("PUT", `/artifacts/${artifact.id}`, { inputs: [input("a"), input("c", false)], code: "return input.a + (input.c ?? '')" })
    // What is published stays, and so does the working copy, which names that version.
    expect((await ask("POST", `/tools/${tool.id}/publish`)).body).toMatchObject({ artifactVersion: "1", publishedVersion: "1.0.0" })
    const moved = await ask("PUT", `/tools/${tool.id}`, { artifactVersion: null })
    expect(moved.body).toMatchObject({ artifactVersion: null, hasUnpublishedChanges: true })
    expect(moved.body.schema.input).toEqual(schemaOf(["a", "c"], ["a"]))
    expect((await ask("POST", `/tools/${tool.id}/publish`)).body).toMatchObject({ artifactVersion: "2", publishedVersion: "1.0.1" })
    expect(await product.client.execute("registry.join", { a: "x" })).toMatchObject({ ok: true, data: "x" })
  })
  test("a draft that names no version follows the artifact until it is published", async () => {
    const { body: artifact } = await ask("POST", "/artifacts", { name: "Late", inputs: [input("a")], code: "return input.a" })
    const { body: tool } = await ask("POST", "/tools", artifactTool("late", artifact.id))
    await ask("PUT", `/artifacts/${artifact.id}`, { inputs: [input("z")], code: "return input.z" })
    expect((await ask("POST", `/tools/${tool.id}/publish`)).body.schema.input).toEqual(schemaOf(["z"], ["z"]))
  })
  test("a schema that somebody wrote stays", async () => {
    const { body: artifact } = await ask("POST", "/artifacts", { name: "Own", inputs: [input("a")], code: "return input.a" })
    const own = { type: "object", properties: { a: { type: "string", description: "Mine" } }, required: ["a"] }
    const { body: tool } = await ask("POST", "/tools", artifactTool("own", artifact.id, { schema: { input: own } }))
    await ask("POST", `/tools/${tool.id}/publish`)
    await ask("PUT", `/artifacts/${artifact.id}`, { inputs: [input("a"), input("b", false)] })
    expect((await ask("PUT", `/tools/${tool.id}`, { artifactVersion: "2" })).body.schema.input).toEqual(own)
  })
})

describe("artifacts", () => {
  test("one that tools use is not removed, and the tools are named; one that none uses is", async () => {
    const { body: artifact } = await ask("POST", "/artifacts", { name: "Held", code: "return 1" })
    const tool = { name: "Holder", description: "Holds", implementationType: "artifact", artifactId: artifact.id }
    const { body: holder } = await ask("POST", "/tools", tool)
    await ask("POST", `/tools/${holder.id}/publish`)
    const refused = await ask("DELETE", `/artifacts/${artifact.id}`)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "conflict", details: { tools: ["holder"] } } } })
    expect(refused.body.error.message).toContain("is used by holder")
    // Its working copy has left it; production still runs it.
    await ask("PUT", `/tools/${holder.id}`, { artifactId: null, implementationConfig: { code: "return 2" } })
    expect(await ask("DELETE", `/artifacts/${artifact.id}`)).toMatchObject({ status: 409 })
    expect(await ask("POST", `/tools/${holder.id}/publish`)).toMatchObject({ status: 200 })
    expect(await ask("DELETE", `/artifacts/${artifact.id}`)).toMatchObject({ status: 204 })
    expect(await ask("GET", `/artifacts/${artifact.id}`)).toMatchObject({ status: 404 })
    const { items } = await product.client.audit.list({ action: "artifact.remove" })
    expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(["conflict", "conflict", "ok"])
  })
  test("they are exported with the versions that tools run, and linked again where they are imported", async () => {
    const { body: artifact } = await ask("POST", "/artifacts", { name: "Moved", code: "return 'first'" })
    const { body: tool } = await ask("POST", "/tools", {
      name: "Mover",
      description: "Moves",
      implementationType: "artifact",
      artifactId: artifact.id,
    })
    await ask("POST", `/tools/${tool.id}/publish`)
    await ask("PUT", `/artifacts/${artifact.id}`, { code: "return 'never published'" })
    await ask("PUT", `/artifacts/${artifact.id}`, { code: "return 'latest'" })
    const { body: file } = await ask("GET", "/registry/export")
    expect(file.artifacts.find(({ slug }) => slug === "moved")?.versions).toEqual([
      { version: "1", inputs: [], code: "return 'first'" },
      { version: "3", inputs: [], code: "return 'latest'" },
    ])
    const other = await startProduct()
    try {
      const result = await other.client.registry.import(file)
      expect(result.artifacts).toContain("moved")
      const here = (await other.client.artifacts.list()).items.find(({ slug }) => slug === "moved")
      expect(here).toMatchObject({ version: "2", code: "return 'latest'" })
      expect(await other.client.registry.find("mover")).toMatchObject({ status: "published", artifactId: here?.id, artifactVersion: "1" })
      expect(await other.client.execute("registry.mover", {})).toMatchObject({ ok: true, data: "first" })
    } finally {
      await other.stop()
    }
  })
})
