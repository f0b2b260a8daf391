// Real documents: a sample of their tools compiles, and GitHub's own examples are assignable to what is printed.
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { Validator } from "@cfworker/json-schema"
import { describe, expect, it } from "vitest"
import { compileForTest } from "../sources/openapi/testing/compile.ts"
import type { TestedDocument } from "../sources/openapi/testing/compile.ts"
import type { JsonSchema } from "../core/tool.ts"
import { printCatalogTypes } from "./catalog-types.ts"
import { compileErrors, exactType, typesAsNamespace } from "./testing/compiler.ts"
import { printToolTypes } from "./tool-types.ts"
import type { ToolTypes } from "./tool-types.ts"

const corpus = process.env["EXECUTOR_SPEC_CORPUS"] ?? path.join(import.meta.dirname, "../../../shared/specs")
const githubText = readFileSync(createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json"), "utf8")

const every = <T>(items: readonly T[], step: number): T[] => items.filter((_item, index) => index % step === 0)

function typesOf(document: TestedDocument, name: string): ToolTypes {
  const { input, output } = document.tool(name)
  const definitions = (key: string): JsonSchema | undefined => (document.definitions.has(key) ? document.definition(key) : undefined)
  return printToolTypes({ inputSchema: input, outputSchema: output, definitions })
}

describe("GitHub", () => {
  const github = compileForTest(githubText)
  const examples = examplesOf(JSON.parse(githubText))

  it("gives types that compile and that its examples fit", async () => {
    const definitions = withoutFormats(Object.fromEntries([...github.definitions].map(([name, text]) => [name, JSON.parse(text)])))
    let checked = 0
    const files = new Map<string, string>()
    for (const name of every(github.names, 9)) {
      const { bound, output } = github.tool(name)
      const schema = { ...(withoutFormats(output) as object), $defs: definitions }
      const validator = new Validator(schema, "2020-12")
      const accepted = (examples.get(`${bound.method.toLowerCase()} ${bound.path}`) ?? []).filter(
        (value) => output !== null && validator.validate(value).valid,
      )
      checked += accepted.length
      const checks = accepted.map(
        (value, index) => `  declare const v${index}: ${exactType(value)}; export const t${index}: Output = v${index};\n`,
      )
      files.set(`${name}.ts`, typesAsNamespace("Tool", typesOf(github, name), checks.join("")))
    }
    expect(await compileErrors(files)).toEqual([])
    expect(checked).toBeGreaterThan(50)
  })

  it("gives declarations of all its tools in which a call is typed", async () => {
    const connections = [{ owner: "org", connection: "main" }] as const
    let text = ""
    for await (const piece of printCatalogTypes([{ slug: "github", name: "GitHub", toolSets: [{ ...github, connections }] }])) text += piece
    const code = `export {}
      const issue = await tools.github.org.main.issues.create({ owner: "o", repo: "r", title: "t", labels: ["bug"] }).unwrap()
      const login: string | undefined = issue.user?.login
      const repository = await tools.github.repos.get({ owner: "o", repo: "r" })
      if (repository.ok) { const stars: number = repository.data.stargazers_count }
    `
    expect(
      await compileErrors(
        new Map([
          ["tools.d.ts", text],
          ["code.ts", code],
        ]),
      ),
    ).toEqual([])
  })

  it("shows an issue's creation as a person would write it", () => {
    const { inputTypeScript, outputTypeScript, typeScriptDefinitions } = typesOf(github, "issues.create")
    expect(inputTypeScript).toContain("  owner: string;\n")
    expect(inputTypeScript).toContain("  title: string | number;\n")
    expect(inputTypeScript).toContain("  assignees?: string[];\n")
    expect(outputTypeScript).toBe("Issue")
    expect(typeScriptDefinitions["Issue"]).toContain("  user: NullableSimpleUser;\n")
  })
})

describe.runIf(existsSync(corpus))("sample documents", () => {
  it("give types that compile", async () => {
    const names = existsSync(corpus) ? readdirSync(corpus).filter((name) => /\.ya?ml$/.test(name) && name !== "stripe.yaml") : []
    const files = new Map<string, string>()
    for (const name of every(names, 7)) {
      const document = compileForTest(readFileSync(path.join(corpus, name), "utf8"))
      const texts = every(document.names, 4).map((tool, index) => typesAsNamespace(`T${index}`, typesOf(document, tool)))
      files.set(`${name}.ts`, `export {}\n${texts.join("")}`)
    }
    expect(await compileErrors(files)).toEqual([])
    expect(files.size).toBeGreaterThan(0)
  })
})

type Json = { readonly [name: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/** The answers that the document shows, by method and path. Those with a reference inside are left out. */
function examplesOf(document: unknown): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const [route, item] of entriesOf(at(document, "paths"))) {
    for (const [method, operation] of entriesOf(item)) {
      const answers = ["200", "201"].flatMap((status) =>
        entriesOf(at(operation, "responses", status, "content", "application/json", "examples")),
      )
      const values = answers.map(([, example]) => {
        const ref = at(example, "$ref")
        return typeof ref === "string" ? at(document, "components", "examples", ref.split("/").at(-1) ?? "", "value") : at(example, "value")
      })
      found.set(
        `${method} ${route}`,
        values.filter((value) => value !== undefined && !JSON.stringify(value).includes('"$ref"')),
      )
    }
  }
  return found
}

/** Examples break formats now and then, and a type does not know them. */
function withoutFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFormats)
  if (!isObject(value)) return value
  return Object.fromEntries(
    entriesOf(value).flatMap(([key, inner]) => (key === "format" && typeof inner === "string" ? [] : [[key, withoutFormats(inner)]])),
  )
}
