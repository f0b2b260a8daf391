// MCP servers as the config of an agent names them, each marked so that its processes can be found.
import { join } from "node:path"
import type { McpStdioServer } from "../../src/agent-tools/index.ts"
import { stdioConfig } from "./mcp-npm.ts"
import type { ServerName } from "./mcp-npm.ts"
import { processesInGroups, processesWith } from "./processes.ts"

let count = 0

export type MarkedServer = {
  readonly config: McpStdioServer
  /** The process ids of the program, also of one that was started again. */
  pids(): number[]
  /** Everything that the program started. */
  groupSize(): number
}

function marked(makeConfig: (mark: string) => McpStdioServer): MarkedServer {
  count += 1
  const mark = `agent-mark-${process.pid}-${count}`
  const groups = new Set<number>()
  const programs = () => {
    const found = processesWith(mark)
    for (const { group } of found) groups.add(group)
    return found
  }
  return {
    config: makeConfig(mark),
    pids: () => programs().map(({ pid }) => pid),
    groupSize() {
      programs()
      return processesInGroups([...groups]).length
    },
  }
}

/** A server from npm. The mark is an argument that it does not look at, or one of the folders that it serves. */
export function npmServer(name: ServerName, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): MarkedServer {
  return marked((mark) => {
    const { command, args: all } = stdioConfig(name, args)
    return { command, args: [`--title=${mark}`, ...all], env }
  })
}

/** `test/servers/mcp-stubborn.ts`, which behaves as badly as its flags say. */
export const stubbornServer = (...flags: readonly string[]): MarkedServer =>
  marked((mark) => ({ command: process.execPath, args: [join(import.meta.dirname, "mcp-stubborn.ts"), mark, ...flags] }))
