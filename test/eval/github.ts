// APIs as catalogs to search, compiled and read from their OpenAPI documents as the product does it.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { parametersIn } from "../../src/search/search.ts"
import type { JsonSchema } from "../../src/core/tool.ts"
import { compileForTest } from "../../src/sources/openapi/testing/compile.ts"
import type { DemoCatalog } from "./catalogs.ts"

export function githubCatalog(): DemoCatalog {
  const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
  return catalogOf("github", "GitHub", readFileSync(file, "utf8"))
}

function catalogOf(integration: string, integrationName: string, document: string): DemoCatalog {
  const { tools, definitions } = compileForTest(document)
  const parsed = new Map(Array.from(definitions, ([name, text]) => [name, JSON.parse(text) as JsonSchema])) // the compiler emits objects
  const indexed = tools.map(({ name, title, summary, description, tags, deprecated, effect, inputSchema }) => {
    const parameters = parametersIn(JSON.parse(inputSchema) as JsonSchema, (reference) => parsed.get(reference))
    return { name, title, summary, description, tags, deprecated, effect, parameters }
  })
  return { integration, integrationName, tools: indexed }
}
