// A server below HTTP: it sends exactly the bytes a test wants, also those that no HTTP library would.
import type { Socket } from "node:net"
import { createServer } from "node:net"
import { listen } from "./listen.ts"

export type Raw = { readonly url: string; readonly port: number; readonly heads: string[]; close(): Promise<void> }

/** `answer` is called for each request head; `heads` keeps them. */
export async function startRaw(answer: (socket: Socket, head: string) => void): Promise<Raw> {
  const heads: string[] = []
  const server = createServer((socket) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      const end = text.indexOf("\r\n\r\n")
      if (end < 0) return
      const head = text.slice(0, end)
      text = ""
      heads.push(head)
      answer(socket, head)
    })
  })
  return { ...(await listen(server)), heads }
}
