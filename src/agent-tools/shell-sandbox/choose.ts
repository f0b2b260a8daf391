// Chooses the sandbox of this machine by running a command in each, and keeps why others do not work.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bubblewrap } from "./bubblewrap/bubblewrap.ts"
import { confinedEnvironment } from "./command-environment.ts"
import { defaultCommandLimits } from "./command-limits.ts"
import { endFrom } from "./command-run.ts"
import { landlock } from "./landlock/landlock.ts"
import type { ConfinedCommand, DriverName, SandboxDriver } from "./shell-sandbox.ts"
import { nodePaths } from "./system-paths.ts"

export type DriverReport =
  | { readonly driver: DriverName; readonly works: true }
  | { readonly driver: DriverName; readonly works: false; readonly reason: string }

export type SandboxChoice = {
  /** Null if none works. */
  readonly driver: SandboxDriver | null
  /** All that were tried, in order. Those after the chosen one are not tried. */
  readonly tried: readonly DriverReport[]
}

/** In the order in which they are preferred. */
export const sandboxDrivers: readonly SandboxDriver[] = [bubblewrap, landlock]

let chosen: SandboxChoice | null = null

/** The same for the whole life of the process: a command must not run in a weaker sandbox than the one before. */
export function chooseSandbox(): SandboxChoice {
  chosen ??= choose()
  return chosen
}

function choose(): SandboxChoice {
  const tried: DriverReport[] = []
  for (const driver of sandboxDrivers) {
    const report = tryDriver(driver)
    tried.push(report)
    if (report.works) return { driver, tried }
  }
  return { driver: null, tried }
}

const probeTimeoutMs = 20_000

/** A driver works if a command in it writes to the workspace, and cannot read a file beside it. */
export function tryDriver(driver: SandboxDriver): DriverReport {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "executor-probe-")))
  try {
    const workspace = join(folder, "workspace")
    mkdirSync(workspace)
    writeFileSync(join(folder, "secret"), "readable")
    const script = "cat ../secret 2>/dev/null; echo confined > written && cat written"
    const probe: ConfinedCommand = {
      command: ["/bin/sh", "-c", script],
      cwd: workspace,
      workspace,
      hidden: [],
      readOnly: [],
      readable: nodePaths(),
      network: false,
      env: confinedEnvironment({}, () => false),
      limits: defaultCommandLimits,
    }
    const reason = driver.obstacle(probe) ?? failureOf(driver, probe)
    return reason === null ? { driver: driver.name, works: true } : { driver: driver.name, works: false, reason }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failureOf(driver: SandboxDriver, probe: ConfinedCommand): string | null {
  const plan = driver.plan(probe)
  try {
    const { error, stdout, stderr, status, output } = spawnSync(plan.file, [...plan.args], {
      cwd: plan.cwd,
      env: { ...plan.env },
      stdio: ["ignore", "pipe", "pipe", "pipe", ...plan.descriptors],
      timeout: probeTimeoutMs,
      killSignal: "SIGKILL",
      encoding: "utf8",
    })
    if (error !== undefined) return error.message
    const said = stderr.trim().split("\n").slice(-1).join("")
    const end = endFrom(output[3] ?? "", status ?? 1)
    if (end.kind === "not_started") return said || end.reason
    if (stdout.trim() === "confined") return null
    return stdout.includes("readable") ? "a command in it could read files outside of the workspace" : said || "a command in it did not run"
  } finally {
    plan.dispose()
  }
}
