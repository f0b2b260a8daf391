// How long a command takes to start and end under each driver of the shell's sandbox, beside a bare `spawn`.
//
// Run it with `node bench/agent-tools-shell.ts`, after `npm run build`: the launcher of a build starts faster than the source,
// whose types have to be removed first.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Choose from "../src/agent-tools/shell-sandbox/choose.ts"
import type * as Environment from "../src/agent-tools/shell-sandbox/command-environment.ts"
import type * as Limits from "../src/agent-tools/shell-sandbox/command-limits.ts"
import type * as Run from "../src/agent-tools/shell-sandbox/command-run.ts"
import type * as Paths from "../src/agent-tools/shell-sandbox/system-paths.ts"
import { median, quantile, table, timed } from "./measure.ts"

const built = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../dist/agent-tools/shell-sandbox/${name}.js`, import.meta.url).href)) as T // the build of the module that the type names
const { sandboxDrivers, tryDriver } = await built<typeof Choose>("choose")
const { confinedEnvironment } = await built<typeof Environment>("command-environment")
const { defaultCommandLimits: limits } = await built<typeof Limits>("command-limits")
const { runCommand } = await built<typeof Run>("command-run")
const { nodePaths } = await built<typeof Paths>("system-paths")

const rounds = 40
const workspace = realpathSync(mkdtempSync(join(tmpdir(), "executor-bench-shell-")))
const command = ["/bin/true"]
const confined = {
  command,
  cwd: workspace,
  workspace,
  hidden: [],
  readOnly: [],
  readable: nodePaths(),
  network: false,
  env: confinedEnvironment(process.env, () => false),
  limits,
}
const { signal } = new AbortController()

const usable = sandboxDrivers.map((driver) => ({ driver, report: tryDriver(driver) }))
for (const { report } of usable) if (!report.works) process.stdout.write(`${report.driver} is left out: ${report.reason}\n`)

const works: { readonly what: string; readonly work: () => Promise<unknown> }[] = [
  { what: "spawn", work: () => once(spawn("/bin/true", { stdio: "ignore" }), "close") },
  { what: "spawn of node -e 0", work: () => once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "close") },
  ...usable
    .filter(({ report }) => report.works)
    .map(({ driver }) => ({ what: driver.name, work: () => runCommand(driver, confined, { timeoutMs: 60_000, signal }) })),
]
const times = new Map(works.map(({ what }) => [what, [] as number[]]))
// In turns, so that what else the machine does meanwhile concerns all of them.
for (let round = 0; round < rounds; round += 1) {
  for (const { what, work } of works) times.get(what)?.push(await timed(work))
}
const base = median(times.get("spawn") ?? [])
table(
  ["what", "ms, p50", "p90", "× spawn"],
  [...times].map(([what, all]) => [what, median(all).toFixed(1), quantile(all, 0.9).toFixed(1), (median(all) / base).toFixed(1)]),
)
rmSync(workspace, { recursive: true, force: true })
