// Finds the server URLs that an admin wrote into a config literally, as part of an inline document.
import { defaultLimits } from "../../../core/limits.ts"
import { findOperations } from "./operations.ts"
import { openFiles } from "../document/resolve.ts"
import type { Located } from "../document/resolve.ts"
import { isObject, own } from "../../document-value.ts"
import { collectWarnings } from "../../document-warnings.ts"
import { serversAt, swaggerServers } from "./server.ts"
import type { ServerContext } from "./server.ts"

/** Absolute ones only: an inline document has no URL that others could be relative to. */
export function documentServerUrls(document: unknown, variables: Readonly<Record<string, string>>): string[] {
  if (!isObject(document)) return []
  const warnings = collectWarnings(1)
  const context: ServerContext = { documentUrl: null, variables, warnings }
  const files = openFiles({ url: null, isMain: true, root: document }, new Map())
  const root: Located = { value: document, file: files.main, pointer: "" }
  const operations = findOperations(files, defaultLimits.toolsPerConnectionMax, warnings)
  const places = new Set([root, ...operations.map((operation) => operation.at), ...operations.flatMap((operation) => operation.pathItems)])
  const urls = new Set([...places].flatMap((place) => serversAt(place, context) ?? []))
  if (own(document, "swagger") !== undefined) for (const url of swaggerServers(document, context)) urls.add(url)
  return [...urls]
}
