// The resources, templates and prompts of the fixture.
import { ResourceNotFoundError, ResourceTemplate, completable } from "@modelcontextprotocol/server"
import type { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { pixel } from "./mcp-fixture-tools.ts"

export function registerContent(server: McpServer): void {
  registerResources(server)
  registerPrompts(server)
}

function registerResources(server: McpServer): void {
  const plain = { mimeType: "text/plain" }
  server.registerResource("static-text", "test://static-text", { description: "A text.", ...plain }, (uri) => ({
    contents: [{ uri: uri.href, ...plain, text: "This is the content of the static text resource." }],
  }))
  server.registerResource("static-binary", "test://static-binary", { description: "An image.", mimeType: "image/png" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: pixel }],
  }))
  server.registerResource("watched-resource", "test://watched-resource", { description: "It changes.", ...plain }, (uri) => ({
    contents: [{ uri: uri.href, ...plain, text: "Watch this." }],
  }))
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined })
  server.registerResource("template", template, { description: "Data by id.", mimeType: "application/json" }, (uri, { id }) => {
    if (typeof id !== "string") throw new ResourceNotFoundError(uri.href)
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri: uri.href, mimeType: "application/json", text }] }
  })
  server.server.setRequestHandler("resources/subscribe", () => ({}))
  server.server.setRequestHandler("resources/unsubscribe", () => ({}))
}

function registerPrompts(server: McpServer): void {
  const says = (text: string) => ({ role: "user", content: { type: "text", text } }) as const
  server.registerPrompt("test_simple_prompt", { description: "A prompt." }, () => ({
    messages: [says("This is a simple prompt for testing.")],
  }))
  const words = ["paris", "park", "party"]
  const suggest = (value: string | undefined): string[] => words.filter((word) => word.startsWith(value ?? ""))
  const argsSchema = z.object({
    arg1: completable(z.string().describe("First test argument"), suggest),
    arg2: z.string().describe("Second test argument"),
  })
  server.registerPrompt("test_prompt_with_arguments", { description: "A prompt with arguments.", argsSchema }, ({ arg1, arg2 }) => ({
    messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }))
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A prompt with a resource.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        says("Please process the embedded resource above."),
      ],
    }),
  )
  server.registerPrompt("test_prompt_with_image", { description: "A prompt with an image." }, () => ({
    messages: [{ role: "user", content: { type: "image", data: pixel, mimeType: "image/png" } }, says("Please analyze the image above.")],
  }))
}
