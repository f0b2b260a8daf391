// Tells what kind of source a document describes that was given as a file or on stdin.
//
// Words such as `type` and `schema` begin lines in both languages, so a document's own mark decides first: the version that
// every OpenAPI document carries, then an introspection result, and only then a definition as GraphQL writes it.

export type DocumentKind = "openapi" | "graphql"

/** With its number, because a GraphQL field may be called the same. */
const versionKey = /^[ \t]*(["']?)(?:openapi|swagger)\1[ \t]*:[ \t]*["']?\d/m
const definition =
  /^[ \t]*(?:extend[ \t]+)?(?:schema[ \t]*[@{]|(?:type|interface|input|enum|union|scalar)[ \t]+[A-Za-z_]\w*(?![\w \t]*:)|directive[ \t]*@)/m

export function kindOfDocument(fileName: string, text: string): DocumentKind {
  if (/\.(graphqls?|gql)$/i.test(fileName)) return "graphql"
  if (/^\s*[[{]/.test(text)) return isIntrospection(text) ? "graphql" : "openapi"
  if (versionKey.test(text)) return "openapi"
  return definition.test(text) ? "graphql" : "openapi"
}

/** The answer of an introspection query, or the `data` of it. */
function isIntrospection(text: string): boolean {
  if (!text.includes('"__schema"')) return false
  try {
    const root = fieldsOf(JSON.parse(text))
    return "__schema" in root || "__schema" in fieldsOf(root["data"])
  } catch {
    return false
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}
