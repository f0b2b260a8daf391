// A plugin for a notes service: typed tools, a shared credential, and a question to the human.
import { definePlugin, defineTool, ToolError } from "toolplane/plugin"
import type { Plugin, ToolContext } from "toolplane/plugin"
import { z } from "zod"

const note = z.object({ id: z.number(), text: z.string(), archived: z.boolean() })

export const notesPlugin = (baseUrl: string): Plugin => {
  const request = async (ctx: ToolContext, method: string, path: string, body?: unknown): Promise<unknown> => {
    const token = await ctx.auth.getToken("notes")
    const response = await ctx.fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status === 404) throw new ToolError("not_found", "There is no such note")
    if (!response.ok) throw new ToolError("upstream_error", `The notes service answered ${response.status}`, { status: response.status })
    return response.json()
  }

  return definePlugin({
    id: "notes",
    name: "Notes",
    description: "Short texts to remember.",
    authProviders: [{ id: "notes", type: "bearer", description: "A token for the notes service" }],
    tools: [
      defineTool({
        path: "notes.list",
        name: "List Notes",
        description: "List the notes that are not archived, oldest first.",
        inputSchema: z.strictObject({ limit: z.int().min(1).max(100).default(10).describe("How many at most") }),
        outputSchema: z.array(note),
        handler: async (ctx, { limit }) => z.array(note).parse(await request(ctx, "GET", `/notes?limit=${limit}`)),
      }),
      defineTool({
        path: "notes.create",
        name: "Create a Note",
        description: "Write a new note.",
        destructive: true,
        inputSchema: z.strictObject({ text: z.string().min(1).describe("What to remember") }),
        outputSchema: note,
        handler: async (ctx, { text }) => note.parse(await request(ctx, "POST", "/notes", { text })),
      }),
      defineTool({
        path: "notes.archive",
        name: "Archive a Note",
        description: "Archive a note. The human is asked why.",
        destructive: true,
        timeoutMs: 10_000,
        inputSchema: z.strictObject({ id: z.int().describe("Which note") }),
        async handler(ctx, { id }) {
          // The handler runs again from the start once the answer arrives, so it asks before it changes anything.
          const answer = await ctx.elicit({
            message: `Why should note ${id} be archived?`,
            requestedSchema: z.object({ reason: z.string().describe("In a few words") }),
          })
          if (answer.action !== "accept") throw new ToolError("approval_declined", "The human did not say why, so the note stays")
          ctx.log.info(`Archiving note ${id}`)
          return { archived: await request(ctx, "POST", `/notes/${id}/archive`), reason: answer.content }
        },
      }),
    ],
  })
}
