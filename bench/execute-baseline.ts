// What the benchmark compares with: a bare Hono POST that hashes a token and reads JSON, and a Hono proxy with undici.
import { createHash } from "node:crypto"
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { Agent, request } from "undici"

const upstream = process.argv[2] ?? ""
const dispatcher = new Agent({ connections: 128 })
const app = new Hono()
app.post("/echo", async (context) => {
  createHash("sha256")
    .update(context.req.header("authorization") ?? "")
    .digest("hex")
  return context.json(await context.req.json())
})
app.post("/proxy", async (context) => {
  const { body } = await request(`${upstream}/thing`, { dispatcher })
  return context.json(await body.json())
})
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (address) => console.log(`http://127.0.0.1:${address.port}`))
