// A small notes service to write a plugin for: notes are listed, created and archived, with a token.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export type NotesApi = { readonly url: string; close(): Promise<void> }
type Note = { id: number; text: string; archived: boolean }

export async function startNotesApi(token: string): Promise<NotesApi> {
  const notes: Note[] = [{ id: 1, text: "Buy tea", archived: false }]
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: "Who are you?" })
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://notes")
    const archived = /^\/notes\/(\d+)\/archive$/.exec(pathname)
    if (request.method === "GET" && pathname === "/notes")
      return answer(200, notes.filter((note) => !note.archived).slice(0, Number(searchParams.get("limit") ?? 10)))
    if (request.method === "POST" && pathname === "/notes") {
      let text = ""
      for await (const chunk of request) text += String(chunk)
      const note = { id: notes.length + 1, text: (JSON.parse(text) as Note).text, archived: false } // what the plugin sends
      notes.push(note)
      return answer(201, note)
    }
    const note = notes.find((one) => one.id === Number(archived?.[1]))
    if (request.method !== "POST" || note === undefined) return answer(404, { message: "No such note" })
    note.archived = true
    return answer(200, note)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
