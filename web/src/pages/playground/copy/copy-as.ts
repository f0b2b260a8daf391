// What is run, as a request that other programs can make.

export type Copied = { readonly id: string; readonly label: string; readonly text: string }

/** `tool`: null where whole code is run. */
export type Subject = { readonly code: string; readonly tool: { readonly path: string; readonly args: unknown } | null }

export function copiesOf({ code, tool }: Subject, origin: string): readonly Copied[] {
  const mcp = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "execute", arguments: { code } } }
  return [
    { id: "curl", label: "Copy as curl", text: curlOf(code, origin) },
    { id: "sdk", label: "Copy as SDK", text: sdkOf({ code, tool }, origin) },
    { id: "mcp", label: "Copy as MCP", text: JSON.stringify(mcp, null, 2) },
  ]
}

/** A token is never among what is copied. */
const curlOf = (code: string, origin: string): string =>
  [
    `curl -X POST ${quoted(`${origin}/api/executions`)} \\`,
    `  -H "Authorization: Bearer $EXECUTOR_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify({ code }))}`,
  ].join("\n")

const sdkOf = ({ code, tool }: Subject, origin: string): string =>
  [
    'import { createClient } from "toolplane/client"',
    "",
    `const executor = createClient({ origin: ${JSON.stringify(`${origin}/api`)}, token: process.env.EXECUTOR_TOKEN ?? "" })`,
    tool === null
      ? `const { structured } = await executor.run(${templateOf(code)})`
      : `const answer = await executor.execute(${JSON.stringify(tool.path)}, ${JSON.stringify(tool.args, null, 2)})`,
    "",
  ].join("\n")

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const templateOf = (code: string): string => `\`${code.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``
