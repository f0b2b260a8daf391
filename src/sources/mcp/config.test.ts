// Tests the config of an MCP integration: what is taken, and what is said of what is not.
import { expect, test } from "vitest"
import { parseMcpConfig } from "./config.ts"

test("both transports, with what is left out", () => {
  expect(parseMcpConfig({ transport: "http", url: " https://example.com/mcp " })).toEqual({
    config: { transport: "http", url: "https://example.com/mcp", headers: {}, timeoutSeconds: null },
    document: null,
    urls: ["https://example.com/mcp"],
  })
  expect(
    parseMcpConfig({ transport: "stdio", command: "npx", args: ["-y", "server"], env: { A: "1" }, cwd: "/x", timeoutSeconds: 5 }).config,
  ).toEqual({
    transport: "stdio",
    command: "npx",
    args: ["-y", "server"],
    env: { A: "1" },
    cwd: "/x",
    timeoutSeconds: 5,
  })
  // As a stored config comes back.
  expect(parseMcpConfig(parseMcpConfig({ transport: "stdio", command: "x" }).config).config).toMatchObject({ command: "x" })
})

test.each([
  [{}, "config.transport must be"],
  [null, "config.transport must be"],
  [{ transport: "sse", url: "https://x" }, "config.transport must be"],
  [{ transport: "http" }, "config.url"],
  [{ transport: "http", url: "ftp://x" }, "config.url is not an absolute http(s) URL"],
  [{ transport: "http", url: "https://x", command: "x" }, "config has no field 'command'; with transport \"http\" the fields are"],
  [{ transport: "http", url: "https://x", headers: { "bad name": "x" } }, "config.headers: 'bad name' is not the name of a header"],
  [{ transport: "http", url: "https://x", headers: { A: "x\r\ny" } }, "config.headers.A: must be one line"],
  [{ transport: "stdio" }, "config.command"],
  [{ transport: "stdio", command: "" }, "config.command"],
  [{ transport: "stdio", command: "x\0y" }, "must not hold a NUL"],
  [{ transport: "stdio", command: "x", args: "y" }, "config.args"],
  [{ transport: "stdio", command: "x", env: { "A=B": "1" } }, "config.env: 'A=B' is not the name of a variable"],
  [{ transport: "stdio", command: "x", timeoutSeconds: -1 }, "config.timeoutSeconds"],
])("%j is refused", (input, message) => expect(() => parseMcpConfig(input)).toThrow(message))
