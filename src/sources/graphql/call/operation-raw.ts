// Reads an operation that a caller wrote: which one would run, whether it only reads, and its text alone.
//
// What is judged and what is sent must be the same to every server, also to one that reads documents in its own way. So
// a document with several operations is sent as the chosen one with its fragments, and comments, byte order marks and
// block strings, which older readers end elsewhere, are written anew. Anything in doubt is refused here, and a call that
// is refused counts as a write.
import type { DefinitionNode, OperationDefinitionNode, Token } from "graphql"
import type { Limits } from "../../../core/limits.ts"
import type { Effect } from "../../../core/tool.ts"
import type { RawBinding } from "../binding.ts"
import type { Operation } from "./request-build.ts"

export type RawRefusal = { readonly arg: string; readonly message: string }
export type RawOperation = { readonly effect: Effect; readonly operation: Operation }

type RawLimits = Pick<Limits, "graphqlOperationTokensMax">

export async function rawOperation(
  { queriesRead = false }: RawBinding,
  args: Readonly<Record<string, unknown>>,
  limits: RawLimits,
): Promise<RawOperation | RawRefusal> {
  const { query, variables, operationName } = args
  // The schema of the tool's arguments has been checked before a call, but not before an explanation.
  if (typeof query !== "string") return { arg: "query", message: "query must be a text" }
  const name = typeof operationName === "string" ? operationName : null
  const chosen = await chooseOperation(query, name, limits)
  if ("arg" in chosen) return chosen
  return {
    effect: chosen.type === "query" && queriesRead ? "read" : "write",
    operation: {
      query: chosen.text,
      ...(typeof variables === "object" && variables !== null ? { variables: { ...variables } } : {}),
      ...(name === null ? {} : { operationName: name }),
    },
  }
}

type Chosen = { readonly type: "query" | "mutation"; readonly text: string }

async function chooseOperation(query: string, name: string | null, limits: RawLimits): Promise<Chosen | RawRefusal> {
  // Most calls go through helpers, which do not need the library.
  const { parse, separateOperations } = await import("graphql")
  try {
    const document = parse(query, { maxTokens: limits.graphqlOperationTokensMax })
    const chosen = chooseDefinition(document.definitions, name)
    if ("arg" in chosen) return chosen
    const isAlone = document.definitions.filter(isOperation).length === 1
    const sent = isAlone ? document : separateOperations(document)[name ?? ""]
    if (sent === undefined || chosen.operation === "subscription") return { arg: "query", message: "Subscriptions are not supported" }
    return { type: chosen.operation, text: isAlone && !rewritten.test(query) ? query : sent.definitions.map(textOf).join(" ") }
  } catch (error) {
    return { arg: "query", message: error instanceof RangeError ? "query is nested too deeply" : String(error).slice(0, 500) }
  }
}

function chooseDefinition(definitions: readonly DefinitionNode[], name: string | null): OperationDefinitionNode | RawRefusal {
  const operations = definitions.filter(isOperation)
  const other = definitions.find((one) => !isOperation(one) && one.kind !== "FragmentDefinition")
  if (other !== undefined) return { arg: "query", message: "query may contain only operations and fragments" }
  if (operations.length === 0) return { arg: "query", message: "query contains no operation" }
  if (operations.length > 1 && name === null)
    return { arg: "operationName", message: "query contains several operations; name one of them" }
  const named = name === null ? operations : operations.filter((one) => one.name?.value === name)
  const [chosen] = named
  if (chosen === undefined) return { arg: "operationName", message: `query contains no operation '${name}'` }
  if (named.length > 1)
    return { arg: "operationName", message: `query contains several operations named '${name}'; give them different names` }
  return chosen
}

const isOperation = (one: DefinitionNode): one is OperationDefinitionNode => one.kind === "OperationDefinition"

/** Where a comment may begin, a byte order mark or a block string. */
const rewritten = /#|\uFEFF|"""/

/** Token by token, so that only what was read is sent, in time that grows with its length alone. */
function textOf({ loc }: DefinitionNode): string {
  let text = ""
  let end: number | null = null
  for (let token: Token | null | undefined = loc?.startToken; token != null; token = token.next) {
    if (token.kind === "Comment") continue
    const word = token.kind === "BlockString" ? JSON.stringify(token.value) : (loc?.source.body.slice(token.start, token.end) ?? "")
    text += end === null || end === token.start ? word : ` ${word}`
    end = token.end
    if (token === loc?.endToken) break
  }
  return text
}
