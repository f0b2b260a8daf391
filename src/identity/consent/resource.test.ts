// Tests which resources are this server's own.
import { expect, test } from "vitest"
import { readResource } from "./resource.ts"

const at = (issuer: string, text: string | null) => readResource(text, { issuer: () => issuer })
const local = "http://127.0.0.1:4788"

test("the endpoints of this server, under any name that this machine has", () => {
  expect(at(local, null)).toEqual({ url: `${local}/mcp`, integration: null })
  expect(at(local, `${local}/mcp`)).toEqual({ url: `${local}/mcp`, integration: null })
  expect(at(local, `${local}/mcp/`)).toEqual({ url: `${local}/mcp`, integration: null })
  expect(at(local, "http://localhost:4788/mcp/direct/github")).toEqual({
    url: "http://localhost:4788/mcp/direct/github",
    integration: "github",
  })
  expect(at("https://tools.example", "https://tools.example/mcp")).toEqual({ url: "https://tools.example/mcp", integration: null })
})

test.each([
  [local, "http://127.0.0.1:9999/mcp"],
  [local, "http://evil.example:4788/mcp"],
  [local, "https://127.0.0.1:4788/mcp"],
  [local, `${local}/mcp#x`],
  [local, "http://user@127.0.0.1:4788/mcp"],
  [local, `${local}/api`],
  [local, `${local}/`],
  [local, `${local}/mcp/direct/a/b`],
  [local, "nonsense"],
  ["https://tools.example", "http://127.0.0.1:443/mcp"],
  ["https://tools.example", "http://tools.example/mcp"],
  ["https://tools.example", "https://tools.example.evil.example/mcp"],
])("issuer %s: %s is somebody else's", (issuer, resource) => expect(at(issuer, resource)).toBeNull())
