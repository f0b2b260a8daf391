// Reads the operation that a caller wrote, so far as to know that it can be sent at all.
import type { DefinitionNode, OperationDefinitionNode } from "graphql"
import type { Operation } from "./request-build.ts"

/** Reading is linear, and this much is read in a few milliseconds. */
const tokensMax = 50_000

export type RawRefusal = { readonly arg: string; readonly message: string }

export async function rawOperation(args: Readonly<Record<string, unknown>>): Promise<Operation | RawRefusal> {
  const { query, variables, operationName } = args
  // The schema of the tool's arguments has been checked before.
  if (typeof query !== "string") return { arg: "query", message: "query must be a text" }
  const name = typeof operationName === "string" ? operationName : null
  const problem = await checkOperation(query, name)
  if (problem !== null) return problem
  return {
    query,
    ...(typeof variables === "object" && variables !== null ? { variables: { ...variables } } : {}),
    ...(name === null ? {} : { operationName: name }),
  }
}

async function checkOperation(query: string, name: string | null): Promise<RawRefusal | null> {
  // Most calls go through helpers, which do not need the library.
  const { parse } = await import("graphql")
  let definitions: readonly DefinitionNode[]
  try {
    definitions = parse(query, { maxTokens: tokensMax, noLocation: true }).definitions
  } catch (error) {
    return { arg: "query", message: error instanceof RangeError ? "query is nested too deeply" : String(error).slice(0, 500) }
  }
  const operations = definitions.filter((one): one is OperationDefinitionNode => one.kind === "OperationDefinition")
  if (operations.length === 0) return { arg: "query", message: "query holds no operation" }
  if (operations.length > 1 && name === null) return { arg: "operationName", message: "query holds several operations; name one of them" }
  const chosen = name === null ? operations[0] : operations.find((one) => one.name?.value === name)
  if (chosen === undefined) return { arg: "operationName", message: `query holds no operation '${name}'` }
  if (chosen.operation === "subscription") return { arg: "query", message: "Subscriptions are not supported" }
  return null
}
