// Imports real documents and broken ones: none may crash or hang, and what they give must hold together.
//
// The documents are those of a folder (`EXECUTOR_SPEC_CORPUS`, else `../shared/specs` where that exists), GitHub's from
// npm, and our own with every defect we know. `npm test` takes a sample; `EXECUTOR_CORPUS_FULL=1` takes all of them.
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { noCredential } from "../src/core/auth.ts"
import { ToolName } from "../src/core/address.ts"
import { ExecutorError } from "../src/core/errors.ts"
import { defaultLimits } from "../src/core/limits.ts"
import { silentLog } from "../src/io/log.ts"
import type { Outbound, OutboundFailure } from "../src/io/network/outbound.ts"
import type { ListedTools } from "../src/sources/source-adapter.ts"
import type { OpenApiConfig } from "../src/sources/openapi/binding.ts"
import { compileDocument } from "../src/sources/openapi/compile/compile.ts"
import { decodeText, parseText } from "../src/sources/openapi/document/parse.ts"
import { collectWarnings } from "../src/sources/document-warnings.ts"
import { listOpenApiTools } from "../src/sources/openapi/list-tools.ts"

const root = resolve(import.meta.dirname, "..")
const github = join(root, "node_modules/@octokit/openapi/generated/api.github.com.json")
const fixtures = join(root, "test/fixtures/openapi")
const sampleSize = 25
const isFull = process.env.EXECUTOR_CORPUS_FULL === "1"
const documentUrl = "https://corpus.example.com/openapi.json"

const documentsIn = (folder: string): string[] =>
  globSync("**/*.{json,yaml,yml}", { cwd: folder })
    .toSorted()
    .map((file) => join(folder, file))

function corpusFolder(): string | null {
  const folder = process.env.EXECUTOR_SPEC_CORPUS ?? resolve(root, "../shared/specs")
  return existsSync(folder) ? folder : null
}

/** Spread over the whole list, and the same on every run. */
function sampleOf(files: readonly string[]): readonly string[] {
  if (isFull || files.length <= sampleSize) return files
  return Array.from({ length: sampleSize }, (_, index) => files[Math.floor((index * files.length) / sampleSize)] ?? "")
}

/** Documents of a corpus come without their server: what they refer to elsewhere cannot be read. */
const noNetwork: OutboundFailure = { ok: false, code: "upstream_unreachable", message: "no network in this test", retryable: false }
const offline: Outbound = { send: () => Promise.resolve(noNetwork), open: () => Promise.resolve(noNetwork) }

const config: OpenApiConfig = { spec: documentUrl, baseUrl: null, headers: {}, variables: {}, include: [], exclude: [] }

const importDocument = (text: string): Promise<ListedTools> =>
  listOpenApiTools({
    config,
    document: text,
    credential: noCredential,
    connection: null,
    outbound: offline,
    limits: defaultLimits,
    signal: AbortSignal.timeout(2 * defaultLimits.documentCompileMs),
    log: silentLog,
  })

type Outcome = { readonly file: string; readonly listed: ListedTools } | { readonly file: string; readonly refused: string }

/** Anything but a reasoned refusal is thrown on, and fails the test. */
async function importFile(file: string): Promise<Outcome> {
  const text = decodeText(readFileSync(file))
  try {
    const listed = await importDocument(text)
    expectSound(listed)
    expectSame(listed, text)
    return { file, listed }
  } catch (error) {
    if (error instanceof ExecutorError) return { file, refused: `${error.code}: ${error.message}` }
    throw new Error(`${basename(file)} broke the import`, { cause: error })
  }
}

function expectSound({ tools, definitions, facts }: ListedTools): void {
  expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length)
  expect(facts.toolCount).toBe(tools.length)
  expect(facts.warnings.length).toBeLessThanOrEqual(defaultLimits.warningsMax)
  const texts = [...tools.flatMap((tool) => [tool.inputSchema, tool.outputSchema ?? "{}"]), ...definitions.values()]
  const dangling = texts.flatMap((text) => [...refsIn(JSON.parse(text))].filter((ref) => !definitions.has(ref.slice("#/$defs/".length))))
  expect(dangling).toEqual([])
  expect(tools.filter((tool) => !ToolName.check(tool.name).ok)).toEqual([])
}

/** Only where a schema refers: a property may be called `$ref`, and is then an object. */
function* refsIn(schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return
  if ("$ref" in schema && typeof schema.$ref === "string") yield schema.$ref
  for (const child of Object.values(schema)) yield* refsIn(child)
}

/** Once more and without the thread: the result is the same. */
function expectSame(listed: ListedTools, text: string): void {
  const { value } = parseText(text, defaultLimits.documentNodesMax)
  const warnings = collectWarnings(defaultLimits.warningsMax)
  const again = compileDocument({ url: documentUrl, isMain: true, root: value }, new Map(), warnings, {
    documentUrl,
    baseUrl: null,
    variables: {},
    include: [],
    exclude: [],
    limits: defaultLimits,
  })
  const textOf = ({ tools, definitions }: Pick<ListedTools, "tools" | "definitions">): string => JSON.stringify([tools, [...definitions]])
  expect(textOf(again) === textOf(listed)).toBe(true)
}

function report(outcomes: readonly Outcome[]): void {
  const imported = outcomes.filter((outcome) => "listed" in outcome)
  const refused = outcomes.filter((outcome) => "refused" in outcome)
  const tools = imported.reduce((sum, { listed }) => sum + listed.tools.length, 0)
  const warnings = imported.flatMap(({ file, listed }) => listed.facts.warnings.map((warning) => ({ file, ...warning })))
  const lines = [
    `${imported.length} of ${outcomes.length} documents imported, ${tools} tools, ${warnings.length} warnings`,
    ...refused.map(({ file, refused: reason }) => `  refused ${basename(file)}: ${reason}`),
    ...(isFull ? warnings.map(({ file, location, message }) => `  warning ${basename(file)} ${location}: ${message}`) : []),
  ]
  console.log(lines.join("\n"))
}

describe("a corpus of real documents", () => {
  const folder = corpusFolder()
  const files = [...(folder === null ? [] : sampleOf(documentsIn(folder))), github]

  it(
    "imports, or says why not",
    async () => {
      const outcomes: Outcome[] = []
      for (const file of files) outcomes.push(await importFile(file))
      report(outcomes)
      const imported = outcomes.filter((outcome) => "listed" in outcome)
      expect(imported.length).toBeGreaterThan(0.9 * files.length)
      expect(imported.find(({ file }) => file === github)?.listed.tools.length).toBeGreaterThan(1_200)
    },
    isFull ? 3_600_000 : 120_000,
  )
})

describe("our own documents", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["alias-bomb.yaml", ["bomb", "fine"], ["expands to more nodes than are allowed"]],
    ["cycles.yaml", ["makeLoop", "makeNode"], ["'Loop' is defined by itself"]],
    [
      "dangling-refs.yaml",
      ["fine", "parameterGone", "schemaGone"],
      ["#/components/schemas/Gone", "the operation is left out", "run in a circle", "was not read"],
    ],
    ["deep-schemas.json", ["deep", "fine"], ["nested more than 100 deep"]],
    [
      "duplicate-operation-ids.yaml",
      ["fetchById", "fetch_ca0e1629", "fetch_d64d7d80", "users.posts.getByIdAndPost", "users.posts.getByNameAndPost"],
      ["'fetch' occurs more than once"],
    ],
    ["missing-servers.yaml", ["own", "relative"], ["'tenant' has no value"]],
    ["openapi-3.1.json", ["files.delete", "files.download", "files.upload"], []],
    ["openapi-3.2.yaml", ["items.copy", "items.find", "items.query"], []],
    ["prototype-names.json", ["constructor.proto", "then_", "toString"], []],
    ["swagger-2.0.yaml", ["pets.createPet", "pets.getPhoto", "pets.listPets", "pets.uploadPhoto"], []],
    ["wrong-types.yaml", ["c.get", "fine"], ["not an object", "not a list", "names no JSON type", "not a schema"]],
  ])("%s gives what can be saved", async (name, tools, messages) => {
    const outcome = await importFile(join(fixtures, name))
    const listed = "listed" in outcome ? outcome.listed : null
    expect(listed?.tools.map((tool) => tool.name).toSorted()).toEqual(tools)
    const warned = listed?.facts.warnings.map((warning) => `${warning.location} ${warning.message}`).join("\n") ?? ""
    for (const message of messages) expect(warned).toContain(message)
    expect(warned === "").toBe(messages.length === 0)
  })

  it("are all named above", () => {
    expect(documentsIn(fixtures)).toHaveLength(11)
  })
})
