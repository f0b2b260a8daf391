// What `search` costs beside bare ripgrep: many matches, few, and none, in a folder of thousands of files.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rgPath } from "@vscode/ripgrep"
import { openWorkspace, SearchHandler, TurnDiffTracker } from "toolplane/agent"
import { median, table, timed } from "./measure.ts"

const rounds = 30
const ratioMax = 1.3
const folder = mkdtempSync(join(tmpdir(), "executor-bench-"))
for (let at = 0; at < 5000; at += 1) {
  const path = join(folder, `package-${at % 50}`, `module-${at % 7}`)
  mkdirSync(path, { recursive: true })
  const lines = Array.from(
    { length: 200 },
    (_, line) => `export const value${line} = compute(${at}, ${line * at}) // line ${line} of file ${at}`,
  )
  writeFileSync(join(path, `file-${at}.ts`), lines.join("\n"))
}

const handler = new SearchHandler(openWorkspace(folder))
const { signal } = new AbortController()

async function search(pattern: string): Promise<void> {
  const turn = { toolCallGate: { waitReady: async () => undefined } }
  const payload = { type: "function", arguments: JSON.stringify({ pattern, limit: 2000 }) } as const
  await handler.handle({ session: {}, turn, tracker: new TurnDiffTracker(), callId: "c", toolName: "search", payload, signal })
}

/** As a person would call it, with everything that it prints. */
async function bare(pattern: string): Promise<void> {
  const child = spawn(rgPath, ["--line-number", "--no-heading", pattern, "./"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
  child.stdout.resume()
  await once(child, "close")
}

const rows: string[][] = []
for (const [name, pattern] of [
  ["no match", "nowhere"],
  ["one match", String.raw`compute\(4321, 8642\)`],
  ["539 matches", String.raw`value19\d* = compute\(\d+77,`],
  ["5,000 matches", "line 199 of"],
] as const) {
  const times: { readonly bare: number[]; readonly search: number[] } = { bare: [], search: [] }
  await search(pattern)
  await bare(pattern)
  for (let round = 0; round < rounds; round += 1) {
    // In turns, so that a busy moment of the machine hits both.
    times.bare.push(await timed(() => bare(pattern)))
    times.search.push(await timed(() => search(pattern)))
  }
  const ratio = median(times.search) / median(times.bare)
  rows.push([name, median(times.bare).toFixed(1), median(times.search).toFixed(1), ratio.toFixed(2), ratio <= ratioMax ? "yes" : "no"])
}
table(["search in 5,000 files", "rg ms", "search ms", "ratio", `within ${ratioMax}`], rows)
rmSync(folder, { recursive: true })
