// The OpenAPI document of the demo's shop.

type Document = Readonly<Record<string, unknown>>

const json = (schema: unknown): unknown => ({ "application/json": { schema } })
const ref = (name: string): unknown => ({ $ref: `#/components/schemas/${name}` })
const listOf = (name: string): unknown => ({ type: "array", items: ref(name) })
const problem = (description: string): unknown => ({ description, content: json(ref("Problem")) })

const orderId = { name: "orderId", in: "path", required: true, schema: { type: "integer" } }
const orderStatus = { type: "string", enum: ["open", "shipped", "cancelled"] }

const schemas = {
  Product: {
    type: "object",
    required: ["id", "name", "price", "stock"],
    properties: {
      id: { type: "string" },
      name: { type: "string" },
      price: { type: "number" },
      stock: { type: "integer", description: "The number of items left." },
    },
  },
  Order: {
    type: "object",
    required: ["id", "productId", "quantity", "status"],
    properties: { id: { type: "integer" }, productId: { type: "string" }, quantity: { type: "integer" }, status: orderStatus },
  },
  NewOrder: {
    type: "object",
    required: ["productId", "quantity"],
    properties: {
      productId: { type: "string", description: "The id from products.list." },
      quantity: { type: "integer", minimum: 1 },
    },
  },
  Problem: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
}

const paths = {
  "/products": {
    get: {
      operationId: "products/list",
      summary: "List products with price and stock",
      parameters: [
        { name: "stockMax", in: "query", description: "Only products with at most this many left.", schema: { type: "integer" } },
      ],
      responses: { 200: { description: "Products", content: json(listOf("Product")) } },
    },
  },
  "/orders": {
    get: {
      operationId: "orders/list",
      summary: "List orders",
      parameters: [{ name: "status", in: "query", schema: orderStatus }],
      responses: { 200: { description: "Orders", content: json(listOf("Order")) } },
    },
    post: {
      operationId: "orders/create",
      summary: "Order more of a product",
      requestBody: { required: true, content: json(ref("NewOrder")) },
      responses: {
        201: { description: "The order", content: json(ref("Order")) },
        404: problem("No such product"),
        409: problem("The supplier does not have enough"),
      },
    },
  },
  "/orders/{orderId}": {
    get: {
      operationId: "orders/get",
      summary: "Show one order",
      parameters: [orderId],
      responses: { 200: { description: "The order", content: json(ref("Order")) }, 404: problem("No such order") },
    },
    delete: {
      operationId: "orders/cancel",
      summary: "Cancel an order",
      parameters: [orderId],
      responses: {
        200: { description: "The cancelled order", content: json(ref("Order")) },
        404: problem("No such order"),
        409: problem("It has already shipped"),
      },
    },
  },
}

/** With a bearer token, or open to all. */
export const shopDocument = (auth: "bearer" | "none"): Document => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1.0.0", description: "A small in-memory shop for trying things out." },
  servers: [{ url: "/" }],
  paths,
  components: { schemas, ...(auth === "bearer" ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } } : {}) },
  ...(auth === "bearer" ? { security: [{ token: [] }] } : {}),
})
