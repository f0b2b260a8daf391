// Says which specification a document follows.
import { ExecutorError } from "../../../core/errors.ts"
import { isObject, own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"

/** 3.2 is read like 3.1: what it adds, older documents do not have. */
export type DocumentVersion = "2.0" | "3.0" | "3.1"

export function versionOf(root: unknown): { readonly version: DocumentVersion; readonly root: JsonObject } {
  if (!isObject(root)) throw new ExecutorError("invalid_request", "The document is not an object; expected an OpenAPI or Swagger document")
  // YAML reads an unquoted 3.1 or 2.0 as a number.
  const openapi = versionText(own(root, "openapi"))
  const swagger = versionText(own(root, "swagger"))
  if (openapi.startsWith("3.0") || openapi === "3") return { version: "3.0", root }
  if (openapi.startsWith("3.")) return { version: "3.1", root }
  if (/^2(\.|$)/.test(swagger)) return { version: "2.0", root }
  const found = openapi || swagger
  throw new ExecutorError(
    "invalid_request",
    found === ""
      ? "The document has neither an 'openapi' nor a 'swagger' field; expected OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0"
      : `The document follows version ${found.slice(0, 20)}; expected OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0`,
  )
}

const versionText = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value).trim() : "")
