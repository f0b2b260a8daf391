// The files of agents' programs: where they are, and that an entry changes nothing else in them.
import { parse as parseToml } from "smol-toml"
import { describe, expect, test } from "vitest"
import { parseJsonc } from "./jsonc-read.ts"
import { clientFile, clientNames, entryText, withEntry } from "./client-file.ts"

const entry = { command: "/opt/it's here/executor", args: ["mcp"] }
const linux = { platform: "linux", home: "/home/ada", appData: undefined }

test.each([
  ["linux", "/home/ada/.config/Code/User/mcp.json"],
  ["darwin", "/home/ada/Library/Application Support/Code/User/mcp.json"],
])("VS Code's file on %s", (platform, path) => {
  expect(clientFile("vscode", { ...linux, platform }).path).toBe(path)
})

describe.each(clientNames)("%s", (client) => {
  const file = clientFile(client, linux)
  const read = file.format.kind === "toml" ? parseToml : parseJsonc

  test("what is shown is what is written into an empty file", () => {
    expect(read(withEntry(file, "", "executor", entry))).toEqual(read(entryText(file, "executor", entry)))
  })

  test("a second time changes nothing, and another command replaces the first", () => {
    const once = withEntry(file, "", "executor", entry)
    expect(withEntry(file, once, "executor", entry)).toBe(once)
    const other = withEntry(file, once, "executor", { ...entry, command: "/other" })
    expect(other).toContain("/other")
    expect(other).not.toContain("it's here")
  })
})

test("comments, other servers and their order stay in JSON", () => {
  const text = '{\n  // mine\n  "mcpServers": {\n    "files": { "command": "npx" }, // keep\n  },\n  "theme": "dark"\n}\n'
  const written = withEntry(clientFile("cursor", linux), text, "executor", entry)
  for (const part of ["// mine", "// keep", '"theme": "dark"']) expect(written).toContain(part)
  expect(parseJsonc(written)).toMatchObject({ mcpServers: { files: { command: "npx" }, executor: entry }, theme: "dark" })
})

test("comments and other tables stay in TOML, and the tables below an entry go with it", () => {
  const text =
    '# mine\nmodel = "x"\n\n[mcp_servers.executor]\ncommand = "/old"\n\n[mcp_servers.executor.env]\nA = "1"\n\n[mcp_servers.files]\ncommand = "npx" # keep\n'
  const written = withEntry(clientFile("codex", linux), text, "executor", entry)
  for (const part of ["# mine", "# keep"]) expect(written).toContain(part)
  expect(parseToml(written)).toEqual({ model: "x", mcp_servers: { files: { command: "npx" }, executor: entry } })
})

test.each([
  ["cursor", "{ oops"],
  ["codex", "[oops"],
] as const)("a file of %s that cannot be read is refused", (client, text) => {
  expect(() => withEntry(clientFile(client, linux), text, "executor", entry)).toThrow()
})
