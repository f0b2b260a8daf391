// Turns the text of a document into plain values: JSON where it is JSON, YAML otherwise.
import { createRequire } from "node:module"
import type * as Yaml from "js-yaml"
import { ExecutorError } from "../../../core/errors.ts"
import { checkSize } from "../../document-size.ts"

export type ParsedText = { readonly value: unknown; readonly warning: string | null }

/** Deeper than any schema we emit, so that a deep corner costs the operations that use it and not the document. */
const yamlDepthMax = 10_000
const yamlMergeKeysMax = 1_000_000
/** As many as a warning can name. */
const tagsNamedMax = 5

// Most documents are JSON; the YAML parser is loaded when one is not. A require, because a config is parsed synchronously.
const require = createRequire(import.meta.url)

/** UTF-8 as the standards demand, and UTF-16 as some editors save. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  return new TextDecoder("utf-8").decode(bytes)
}

/** Throws an `ExecutorError` that says why a text cannot be read. */
export function parseText(text: string, nodesMax: number): ParsedText {
  if (/^\s*<(!doctype|html)/i.test(text)) {
    throw new ExecutorError("invalid_request", "This is a web page, not an OpenAPI document: look there for a link to its JSON or YAML")
  }
  const isJsonLike = /^\s*[[{]/.test(text)
  if (!isJsonLike) return parseYaml(text, nodesMax)
  checkSize(text, "json", nodesMax)
  try {
    return { value: JSON.parse(text), warning: null }
  } catch (jsonError) {
    // JSON with comments or trailing commas is often YAML in flow style.
    try {
      return parseYaml(text, nodesMax)
    } catch {
      throw unreadable("JSON", jsonError)
    }
  }
}

function parseYaml(text: string, nodesMax: number): ParsedText {
  checkSize(text, "yaml", nodesMax)
  const yaml = require("js-yaml") as typeof Yaml // the package's own types
  const tags = new Set<string>()
  // The core schema keeps dates as text; merge keys are YAML 1.1, and documents use them.
  const schema = yaml.CORE_SCHEMA.withTags(yaml.mergeTag, ...plainTags(yaml, (tag) => void (tags.size < tagsNamedMax && tags.add(tag))))
  const options = { schema, maxDepth: yamlDepthMax, maxTotalMergeKeys: yamlMergeKeysMax }
  const warn = (...messages: readonly string[]): string | null => [...messages, ...tagWarnings(tags)].join(". ") || null
  try {
    return { value: yaml.loadAll(text, options)[0], warning: warn() }
  } catch (error) {
    if (!(error instanceof yaml.YAMLException) || !error.reason.includes("duplicated mapping key")) throw unreadable("YAML", error)
    const line = error.mark ? ` (line ${error.mark.line + 1})` : ""
    try {
      const [value] = yaml.loadAll(text, { ...options, json: true })
      return { value, warning: warn(`A key is given twice${line}; the last one counts`) }
    } catch (second) {
      throw unreadable("YAML", second)
    }
  }
}

/** Tags are an author's own; what they stand for is still a text, a list or a map. */
function plainTags(yaml: typeof Yaml, note: (tag: string) => void): Yaml.TagDefinition[] {
  // A tag that the schema knows by its whole name comes before those that match by a prefix, and every name has this one.
  const anyTag = { tagName: "", matchByTagPrefix: true }
  const noted = <T>(tag: string, value: T): T => {
    note(tag)
    return value
  }
  return [
    { ...yaml.strTag, ...anyTag, resolve: (source, _isExplicit, tag) => noted(tag, source) },
    { ...yaml.seqTag, ...anyTag, create: (tag) => noted(tag, yaml.seqTag.create(tag)) },
    { ...yaml.mapTag, ...anyTag, create: (tag) => noted(tag, yaml.mapTag.create(tag)) },
  ]
}

const tagWarnings = (tags: ReadonlySet<string>): string[] =>
  tags.size === 0 ? [] : [`Unknown YAML tags are read as plain data: ${[...tags].join(", ")}`]

function unreadable(format: string, error: unknown): ExecutorError {
  // The stack of whoever reads it may end before the parser's own limit.
  if (error instanceof RangeError || (error instanceof Error && error.message.includes("maxDepth")))
    return new ExecutorError("invalid_request", `The document cannot be read as ${format}: it is nested too deeply`)
  const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown"
  return new ExecutorError("invalid_request", `The document cannot be read as ${format}: ${reason.slice(0, 300)}`)
}
