// A catalog as large as one may be, and requests that are as long as they may be.

const verbs = ["create", "list", "get", "update", "delete"] as const
const methods = { create: "post", list: "get", get: "get", update: "post", delete: "delete" } as const
const words = ["create", "item", "list", "users", "delete", "area", "update", "the", "report", "invoice", "customer", "find"]
const modelCount = 2000

export function longQuery(chars: number, seed: number): string {
  let text = `case ${seed}`
  for (let index = seed; text.length < chars; index += 7) text += ` ${words[index % words.length]}${index % 97}`
  return text.slice(0, chars)
}

export const evaluationCases = (count: number, chars: number): unknown[] =>
  Array.from({ length: count }, (_, seed) => ({ query: longQuery(chars, seed), tools: { "s0.area1.create_item1": 2 } }))

/** An OpenAPI document of so many operations; each model refers to the next, so that whoever names one reaches them all. */
export function documentOf(source: number, toolCount: number, serverUrl: string): unknown {
  const model = (index: number): unknown => ({
    type: "object",
    properties: {
      id: { type: "string", description: `Id ${source}` },
      next: { $ref: `#/components/schemas/Model${(index + 1) % modelCount}` },
    },
  })
  const operation = (index: number, verb: string): unknown => ({
    operationId: `area${index % 200}/${verb}_item${index}`,
    summary: `${verb} item ${index} of area ${index % 200}`,
    description: `This does ${verb} the item number ${index} in source ${source}, with customers, invoices and reports of area ${index % 200}.`,
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "string" }, description: "The item" },
      { name: "limit", in: "query", schema: { type: "integer" }, description: `How many of ${index}` },
    ],
    responses: answering({ type: "object", properties: { [`f${index}`]: { type: "string" }, n: { type: "integer" } } }),
  })
  const items = Array.from({ length: toolCount - 3 }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? "get"
    return [`/area${index % 200}/item${index}/{id}`, { [methods[verb]]: operation(index, verb) }]
  })
  return {
    openapi: "3.1.0",
    info: { title: `Source ${source}`, version: "1" },
    servers: [{ url: serverUrl }],
    paths: {
      "/large": {
        get: { operationId: "large/get", responses: answering({ type: "object" }) },
        post: {
          operationId: "large/post",
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses: {},
        },
      },
      "/huge": { get: { operationId: "huge/get", responses: answering({ $ref: "#/components/schemas/Model0" }) } },
      ...Object.fromEntries(items),
    },
    components: { schemas: Object.fromEntries(Array.from({ length: modelCount }, (_, index) => [`Model${index}`, model(index)])) },
  }
}

const answering = (schema: unknown): unknown => ({ 200: { description: "ok", content: { "application/json": { schema } } } })

/** Almost as long as an answer may be. */
export const largeAnswer = (): string =>
  JSON.stringify({ rows: Array.from({ length: 150_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ["a", "b"], note: "n".repeat(40) })) })
