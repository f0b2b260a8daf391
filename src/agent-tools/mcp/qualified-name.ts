// The names under which models know the tools of MCP servers: `mcp__<server>__<tool>`, as every model API takes them.
import { createHash } from "node:crypto"

export type NamedTool = { readonly server: string; readonly tool: string }

const delimiter = "__"
/** The shortest limit among the APIs of models. */
const nameCharsMax = 64
const hashChars = 40

/** A name that is too long keeps its beginning, followed by a hash of the whole. */
export function qualifyToolName(server: string, tool: string): string {
  const raw = ["mcp", server, tool].join(delimiter)
  const name = sanitise(raw)
  return name.length <= nameCharsMax ? name : withHash(name, raw)
}

/**
 * The names of tools that are offered together, in their order. Where several would have the same name, all of them get a hash, so
 * that no name depends on the order of servers or tools, and no server can take the name of another's tool.
 */
export function qualifyToolNames(tools: readonly NamedTool[]): string[] {
  const plain = tools.map(({ server, tool }) => qualifyToolName(server, tool))
  const hashed = new Set<number>()
  for (;;) {
    const names = tools.map((tool, index) => (hashed.has(index) ? distinctName(tool) : (plain[index] ?? "")))
    const counts = Map.groupBy(names, (name) => name)
    const ambiguous = names.flatMap((name, index) => ((counts.get(name)?.length ?? 0) > 1 && !hashed.has(index) ? [index] : []))
    if (ambiguous.length === 0) return names
    for (const index of ambiguous) hashed.add(index)
  }
}

/** `a` with `b__c` and `a__b` with `c` have the same raw name, so the hash is of the two apart. */
const distinctName = ({ server, tool }: NamedTool): string =>
  withHash(sanitise(["mcp", server, tool].join(delimiter)), `${server}\0${tool}`)

const sanitise = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")

const withHash = (name: string, hashedText: string): string =>
  `${name.slice(0, nameCharsMax - hashChars)}${createHash("sha1").update(hashedText).digest("hex")}`
