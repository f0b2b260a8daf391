// A small live API for the example: orders in memory, described by an OpenAPI document at /openapi.json.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

const document = {
  openapi: "3.1.0",
  info: { title: "Orders", version: "1.0.0" },
  servers: [{ url: "/" }],
  security: [{ token: [] }],
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas: {
      Order: {
        type: "object",
        required: ["id", "item", "quantity"],
        properties: { id: { type: "integer", readOnly: true }, item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
      },
    },
  },
  paths: {
    "/orders": {
      get: {
        operationId: "orders/list",
        summary: "List orders",
        parameters: [{ name: "item", in: "query", schema: { type: "string" } }],
        responses: {
          200: {
            description: "Orders",
            content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Order" } } } },
          },
        },
      },
      post: {
        operationId: "orders/create",
        summary: "Create an order",
        requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
        responses: { 201: { description: "Created", content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } } },
      },
    },
  },
}

export type OrdersApi = { readonly url: string; close(): Promise<void> }

export async function startOrdersApi(token: string, port = 0): Promise<OrdersApi> {
  const orders = [{ id: 1, item: "tea", quantity: 2 }]
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    }
    const url = new URL(request.url ?? "/", "http://orders")
    if (url.pathname === "/openapi.json") return answer(200, document)
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: "Bad credentials" })
    if (request.method === "GET")
      return answer(
        200,
        orders.filter((order) => order.item.includes(url.searchParams.get("item") ?? "")),
      )
    void readJson(request).then((body) => {
      const order = { id: orders.length + 1, ...(body as { item: string; quantity: number }) } // checked by Executor against the schema
      orders.push(order)
      answer(201, order)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const address = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { url: `http://127.0.0.1:${address.port}`, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

if (import.meta.main) {
  const api = await startOrdersApi("demo", Number(process.env["PORT"] ?? 4790))
  console.log(`The orders API is running at ${api.url}; its token is "demo", its document ${api.url}/openapi.json. Stop it with Ctrl-C.`)
}
