// A real GraphQL server with a ledger of the operations it saw, and switches for how it treats introspection.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { resolvers, typeDefs } from "./graphql-schema.ts"
import type { PostArgs } from "./graphql-schema.ts"
import { listen } from "./listen.ts"

/** What we use of graphql-yoga. Its own types bring those of browsers with them, for every file of the project. */
type Yoga = {
  createSchema(options: { readonly typeDefs: string; readonly resolvers?: unknown }): unknown
  createYoga(options: {
    readonly schema: unknown
    readonly logging: false
    readonly maskedErrors: false
    readonly plugins: readonly YogaPlugin[]
  }): (request: IncomingMessage, response: ServerResponse) => unknown
}
type YogaPlugin = {
  onRequest(event: { readonly request: Request; endResponse(response: Response): void }): void
  onParams(event: {
    readonly request: Request
    readonly params: { readonly query?: string; readonly variables?: Record<string, unknown>; readonly operationName?: string }
    setResult(result: { readonly errors: readonly { readonly message: string }[] }): void
  }): void
}
const { createSchema, createYoga } = createRequire(import.meta.url)("graphql-yoga") as Yoga // as its documentation has it

export type SeenOperation = {
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly operationName?: string
  readonly headers: Readonly<Record<string, string>>
}

export type GraphQLServer = {
  readonly url: string
  /** Where operations are posted to. */
  readonly endpoint: string
  readonly ledger: SeenOperation[]
  /** The inputs of the posts that were created. */
  readonly created: PostArgs["input"][]
  close(): Promise<void>
}

export type GraphQLOptions = {
  readonly typeDefs?: string
  /** Refuses every request without this bearer token. */
  readonly token?: string
  readonly introspection?: "on" | "off" | "plain"
}

export async function startGraphQL(options: GraphQLOptions = {}): Promise<GraphQLServer> {
  const ledger: SeenOperation[] = []
  const created: PostArgs["input"][] = []
  const schema = createSchema({
    typeDefs: options.typeDefs ?? typeDefs,
    ...(options.typeDefs === undefined ? { resolvers: resolvers(created) } : {}),
  })
  const yoga = createYoga({ schema, logging: false, maskedErrors: false, plugins: [seeing(ledger, options)] })
  const address = await listen(createServer((request, response) => void yoga(request, response)))
  return { ...address, endpoint: `${address.url}/graphql`, ledger, created }
}

/** Sees each request before anything is made of it. */
function seeing(ledger: SeenOperation[], { token, introspection = "on" }: GraphQLOptions): YogaPlugin {
  return {
    onRequest({ request, endResponse }) {
      if (token === undefined || request.headers.get("authorization") === `Bearer ${token}`) return
      endResponse(Response.json({ message: "Bad credentials" }, { status: 401 }))
    },
    onParams({ params, request, setResult }) {
      const query = params.query ?? ""
      ledger.push({
        query,
        ...(params.variables ? { variables: params.variables } : {}),
        ...(params.operationName ? { operationName: params.operationName } : {}),
        headers: Object.fromEntries(request.headers),
      })
      if (!query.includes("__schema")) return
      if (introspection === "off") setResult({ errors: [{ message: "GraphQL introspection is not allowed" }] })
      const isNew = /isOneOf|specifiedByURL|inputFields\(/.test(query)
      if (introspection === "plain" && isNew) setResult({ errors: [{ message: 'Cannot query field "isOneOf" on type "__Type".' }] })
    },
  }
}

/** A schema of so many query fields over types that refer to each other in circles. */
export function wideTypeDefs(fields: number): string {
  const types = Array.from({ length: 100 }, (_, n) => {
    const [next, far, union] = [(n + 1) % 100, (n * 7) % 100, n % 10]
    return `type T${n} implements Node { id: ID! name${n}: String state: S${n % 5} next: T${next}! far(first: Int): T${far}Page any: U${union} list: [[T${far}!]] at: DateTime }
      type T${n}Page { ${n % 2 === 0 ? `nodes: [T${n}]` : `edges: [T${n}Edge]`} pageInfo: PageInfo! total: Int }
      type T${n}Edge { node: T${n} cursor: String }
      input I${n} { id: ID next: I${next} state: S${n % 5} = A${n % 5} }`
  })
  const unions = Array.from({ length: 10 }, (_, n) => `union U${n} = T${n} | T${n + 10} | T${n + 21} | T${n + 32}`)
  const enums = Array.from({ length: 5 }, (_, n) => `enum S${n} { A${n} B${n} }`)
  const answers = ["T", "TPage", "[T!]!", "U", "Node", "Int!", "DateTime"]
  const query = Array.from({ length: fields }, (_, n) => {
    const shape = answers[n % answers.length] ?? "T"
    const type = shape.startsWith("U") ? `U${n % 10}` : shape.replace("T", `T${n % 100}`).replace(/^DateT\d+ime$/, "DateTime")
    return `f${n}(id: ID!, input: I${n % 100}, many: [[I${(n * 3) % 100}!]!]): ${type}`
  })
  return `scalar DateTime interface Node { id: ID! } type PageInfo { hasNextPage: Boolean! endCursor: String }
    ${types.join("\n")} ${unions.join("\n")} ${enums.join("\n")}
    type Query { ${query.join("\n")} } type Mutation { m(input: I1!): T1 }`
}
