// Imports the MCP servers of a client's config: pure, so that every surface can show them before anything is added.
import { reservedSlugs } from "../../../core/address.ts"
import { readEntries } from "./entries.ts"
import type { ConfigInput } from "./entries.ts"
import type { Variables } from "./reference.ts"
import { readServer } from "./server-read.ts"

export type ImportedServer = {
  readonly slug: string
  /** As its client calls it. */
  readonly name: string
  /** Of an integration of kind `mcp`; answers of `inputs` are still to be put in. */
  readonly config: Record<string, unknown>
  readonly inputs: readonly ConfigInput[]
  readonly notes: readonly string[]
}

/** A server that is not taken over, and why. */
export type ImportProblem = { readonly name: string; readonly status: "disabled" | "unusable"; readonly reason: string }

export type ImportedConfig = { readonly servers: readonly ImportedServer[]; readonly problems: readonly ImportProblem[] }

/** Throws an `ExecutorError` when the file as a whole cannot be used. */
export function parseMcpConfig(text: string, fileName: string, variables: Variables = {}): ImportedConfig {
  const { entries, inputs } = readEntries(text, fileName)
  const servers: ImportedServer[] = []
  const problems: ImportProblem[] = []
  const slugs = new Set<string>()
  // The same server in several projects is one, and says so.
  const notesOf = new Map<string, string[]>()
  for (const entry of entries) {
    const server = readServer(entry, variables)
    const name = entry.name
    if (server.status !== "read") {
      problems.push({ name, status: server.status, reason: server.reason })
      continue
    }
    const wanted = server.inputs.map((id) => inputs.find((input) => input.id === id) ?? null)
    if (wanted.includes(null)) {
      problems.push({
        name,
        status: "unusable",
        reason: "It refers to an input that the file does not define, or that only an editor can provide",
      })
      continue
    }
    const identity = JSON.stringify([name, server.config])
    const before = notesOf.get(identity)
    if (entry.origin !== null && before !== undefined) before.push(`Also in the project ${entry.origin}`)
    if (before !== undefined) continue
    const notes = [...(entry.origin === null ? [] : [`In the project ${entry.origin}`]), ...server.notes]
    notesOf.set(identity, notes)
    const slug = freeSlug(slugOf(name), slugs)
    slugs.add(slug)
    servers.push({ slug, name, config: server.config, inputs: wanted.filter((input) => input !== null), notes })
  }
  return { servers, problems }
}

/** `GitHub Enterprise` → `github_enterprise`, `@scope/server-files` → `server_files`. */
export function slugOf(name: string): string {
  const words = (name.split("/").findLast((part) => part.trim() !== "") ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join("_").slice(0, 40).replace(/_+$/, "")
  if (slug === "") return "mcp"
  if (reservedSlugs.includes(slug)) return `${slug}_mcp`
  return /^[a-z]/.test(slug) ? slug : `mcp_${slug}`
}

export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}_${number}`
    if (!taken.has(candidate)) return candidate
  }
}
