// GitHub's API as a catalog to search, read from its published OpenAPI document.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { IndexedTool } from "../../src/search/indexed-tool.ts"
import type { DemoCatalog } from "./catalogs.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields search needs; the product's own reader does far more, and is not what is judged here. */
export function githubCatalog(): DemoCatalog {
  const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
  const document = record(JSON.parse(readFileSync(file, "utf8")))
  const tools = Object.values(record(document["paths"])).flatMap((item) =>
    Object.entries(record(item))
      .filter(([, operation]) => text(record(operation)["operationId"]) !== "")
      .map(([method, operation]) => toolOf(document, method, record(operation))),
  )
  return { integration: "github", integrationName: "GitHub", tools }
}

function toolOf(document: Json, method: string, operation: Json): IndexedTool {
  const parameters = list(operation["parameters"]).map((parameter) => resolve(document, parameter))
  return {
    name: text(operation["operationId"]).split("/").map(camelCase).join("."),
    title: "",
    summary: text(operation["summary"]),
    description: text(operation["description"]),
    tags: list(operation["tags"]).map(text),
    parameters: [
      ...parameters.map((parameter) => ({ name: text(parameter["name"]), description: text(parameter["description"]) })),
      ...bodyProperties(document, operation),
    ],
    deprecated: operation["deprecated"] === true,
    effect: effectOf(method),
  }
}

function effectOf(method: string): IndexedTool["effect"] {
  if (method === "get") return "read"
  return method === "delete" ? "destroy" : "write"
}

function bodyProperties(document: Json, operation: Json): { name: string; description: string }[] {
  const body = resolve(document, operation["requestBody"])
  const schema = resolve(document, record(record(body["content"])["application/json"])["schema"])
  return Object.entries(record(schema["properties"])).map(([name, property]) => ({
    name,
    description: text(resolve(document, property)["description"]),
  }))
}

function resolve(document: Json, value: unknown): Json {
  const reference = text(record(value)["$ref"])
  if (reference === "") return record(value)
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<Json>((at, key) => record(at[key]), document)
}

/** `create-for-authenticated-user` is `createForAuthenticatedUser`. */
const camelCase = (part: string): string =>
  part
    .split(/[^A-Za-z0-9]+/)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null
const record = (value: unknown): Json => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (typeof value === "string" ? value : "")
