// The demo's shop: a small live API in memory, described by an OpenAPI document at /openapi.json.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { shopDocument } from "./shop-document.ts"

export type ShopApi = { readonly url: string; close(): Promise<void> }

export type ShopOptions = {
  /** 0 takes any free port. */
  readonly port: number
  /** What callers must bring; null lets everybody in. */
  readonly token: string | null
}

type Product = { readonly id: string; readonly name: string; readonly price: number; readonly stock: number }
type Order = { readonly id: number; readonly productId: string; readonly quantity: number; status: "open" | "shipped" | "cancelled" }
type Stock = { readonly products: readonly Product[]; readonly orders: Order[] }
type Answer = { readonly status: number; readonly body: unknown }

const bodyBytesMax = 100_000
const supplierQuantityMax = 50

export async function startShopApi(options: ShopOptions): Promise<ShopApi> {
  const document = shopDocument(options.token === null ? "none" : "bearer")
  const stock = openStock()
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop")
    const route = `${request.method} ${pathname.replace(/\/\d+$/, "/*")}`
    if (route === "GET /openapi.json") return { status: 200, body: document }
    if (options.token !== null && request.headers.authorization !== `Bearer ${options.token}`) return refuse(401, "Bad credentials")
    const orderId = Number(pathname.split("/").at(-1))
    switch (route) {
      case "GET /products":
        return listProducts(searchParams, stock)
      case "GET /orders":
        return listOrders(searchParams, stock)
      case "GET /orders/*":
        return showOrder(orderId, stock)
      case "POST /orders":
        return createOrder(await readBody(request), stock)
      case "DELETE /orders/*":
        return cancelOrder(orderId, stock)
      default:
        return refuse(404, `There is nothing at ${route}`)
    }
  }
  const server = createServer((request, response) => {
    void answer(request)
      .catch(() => refuse(400, "This request is not valid"))
      .then(({ status, body }) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)))
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const openStock = (): Stock => ({
  products: [
    { id: "tea", name: "Green tea", price: 4.5, stock: 3 },
    { id: "coffee", name: "Coffee beans", price: 11, stock: 42 },
    { id: "mug", name: "Blue mug", price: 8, stock: 17 },
  ],
  orders: [
    { id: 1, productId: "coffee", quantity: 30, status: "shipped" },
    { id: 2, productId: "mug", quantity: 12, status: "open" },
  ],
})

function listProducts(query: URLSearchParams, { products }: Stock): Answer {
  const stockMax = Number(query.get("stockMax") ?? Infinity)
  return { status: 200, body: products.filter((product) => product.stock <= stockMax) }
}

function listOrders(query: URLSearchParams, { orders }: Stock): Answer {
  const status = query.get("status")
  return { status: 200, body: orders.filter((order) => status === null || order.status === status) }
}

function showOrder(id: number, { orders }: Stock): Answer {
  const order = orders.find((one) => one.id === id)
  return order === undefined ? refuse(404, `There is no order ${id}`) : { status: 200, body: order }
}

function createOrder({ productId, quantity }: Record<string, unknown>, { products, orders }: Stock): Answer {
  if (typeof productId !== "string" || typeof quantity !== "number") return refuse(400, "An order needs a productId and a quantity")
  if (!products.some((product) => product.id === productId)) return refuse(404, `There is no product '${productId}'`)
  if (quantity > supplierQuantityMax) return refuse(409, `The supplier has only ${supplierQuantityMax} of ${productId}`)
  const order: Order = { id: orders.length + 1, productId, quantity, status: "open" }
  orders.push(order)
  return { status: 201, body: order }
}

function cancelOrder(id: number, { orders }: Stock): Answer {
  const order = orders.find((one) => one.id === id)
  if (order === undefined) return refuse(404, `There is no order ${id}`)
  if (order.status === "shipped") return refuse(409, `Order ${id} has already shipped`)
  order.status = "cancelled"
  return { status: 200, body: order }
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } })

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ""
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > bodyBytesMax) throw new Error("The body is too large")
  }
  const body: unknown = JSON.parse(text)
  if (typeof body !== "object" || body === null) throw new Error("The body must be a JSON object")
  return { ...body }
}
