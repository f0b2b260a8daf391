// Starts a server on a free loopback port, and ends it together with its connections.
import type { Server as HttpServer } from "node:http"
import type { Server, Socket } from "node:net"

export type Listening = { readonly url: string; readonly port: number; close(): Promise<void> }

export async function listen(server: Server | HttpServer, protocol: "http" | "https" = "http"): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
