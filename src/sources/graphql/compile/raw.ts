// The tool that sends any operation.
//
// What it does is up to the operation, so that it is listed with the worst effect that it can have; the effect of a call is
// read from its arguments (`operation-raw.ts`): a query reads, anything else asks for approval unless a policy allows it.
import type { GraphQLSchema } from "graphql"
import type { Limits } from "../../../core/limits.ts"
import type { JsonText } from "../../../core/tool.ts"
import { boundedText } from "../../document-value.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { RawBinding } from "../binding.ts"
import { canQueryMutations } from "./mutation-type.ts"
import { rawToolName } from "./name.ts"

/** No type of a schema has a dash in its name. */
export const errorName = "graphql-error"
export const errorSchema: JsonText = JSON.stringify({
  type: "object",
  description: "An error in a GraphQL response; `path` names the part of the data it concerns.",
  properties: {
    message: { type: "string" },
    path: { type: "array", items: { type: ["string", "integer"] } },
    locations: { type: "array", items: { type: "object", properties: { line: { type: "integer" }, column: { type: "integer" } } } },
    extensions: { type: "object" },
  },
  required: ["message"],
})
export const errorsSchema = { type: "array", items: { $ref: `#/$defs/${errorName}` } }

const inputSchema: JsonText = JSON.stringify({
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      description: "A GraphQL document: `query { … }` or `mutation { … }`, with fragments as needed.",
    },
    variables: { type: ["object", "null"], description: "The values of the operation's variables." },
    operationName: { type: ["string", "null"], description: "The operation to run, if the document has several." },
  },
  required: ["query"],
  additionalProperties: false,
})

const outputSchema: JsonText = JSON.stringify({
  type: "object",
  properties: { data: { type: "object" }, errors: errorsSchema },
  required: ["data"],
})

export function rawTool(schema: GraphQLSchema, limits: Limits): ListedTool {
  const summary = "Send any GraphQL query or mutation and get { data, errors } back"
  const documented = boundedText(schema.description, 2_000)
  return {
    name: rawToolName,
    title: "GraphQL Operation",
    summary,
    description: boundedText(
      [
        `${summary}. Prefer the helpers \`query.*\` and \`mutation.*\`; use this for requests they cannot express, such as several fields at once. A query runs immediately; a mutation requires approval. Subscriptions are not supported.`,
        documented,
      ]
        .filter(Boolean)
        .join("\n\n"),
      limits.descriptionCharsMax,
    ),
    effect: "write",
    requiresApproval: true,
    approvalDescription: "A GraphQL operation, which may change data",
    mayElicit: false,
    deprecated: false,
    tags: ["graphql"],
    inputSchema,
    outputSchema,
    binding: JSON.stringify({ kind: "raw", queriesRead: !canQueryMutations(schema) } satisfies RawBinding),
  }
}
