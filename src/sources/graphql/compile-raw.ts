// The tool that sends whatever operation it is given.
//
// One document may hold queries and mutations, and which of them runs is chosen by a value, so that nothing about the tool
// itself says that a call only reads. Its effect is therefore the worst that it can have, and each call asks for approval
// unless a policy allows the tool.
import type { GraphQLSchema } from "graphql"
import type { Limits } from "../../core/limits.ts"
import type { JsonText } from "../../core/tool.ts"
import { boundedText } from "../document-value.ts"
import type { ListedTool } from "../source-adapter.ts"
import type { GraphQLBinding } from "./binding.ts"
import { rawToolName } from "./name.ts"

/** No type of a schema has a dash in its name. */
export const errorName = "graphql-error"
export const errorSchema: JsonText = JSON.stringify({
  type: "object",
  description: "An error of a GraphQL answer; `path` says which part of the data it concerns.",
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
    operationName: { type: ["string", "null"], description: "Which operation to run, where the document has several." },
  },
  required: ["query"],
  additionalProperties: false,
})

const outputSchema: JsonText = JSON.stringify({
  type: "object",
  properties: { data: { type: "object" }, errors: errorsSchema },
  required: ["data"],
})

const binding: JsonText = JSON.stringify({ kind: "raw" } satisfies GraphQLBinding)

export function rawTool(schema: GraphQLSchema, limits: Limits): ListedTool {
  const summary = "Send any GraphQL query or mutation and get { data, errors } back"
  const told = boundedText(schema.description, 2_000)
  return {
    name: rawToolName,
    title: "GraphQL operation",
    summary,
    description: boundedText(
      [
        `${summary}. Prefer the helpers \`query.*\` and \`mutation.*\`; use this for what they cannot say, such as several fields in one request. Subscriptions are not supported.`,
        told,
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
    binding,
  }
}
