// Attacks in several steps, on every driver that works here: what one command leaves in the workspace must not open anything to the next.
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { findBubblewrap } from "../shell-sandbox/bubblewrap/find-program.ts"
import { sandboxDrivers, tryDriver } from "../shell-sandbox/choose.ts"
import type { SandboxDriver } from "../shell-sandbox/shell-sandbox.ts"
import { openGround, secretText } from "../shell-sandbox/testing/confined.ts"
import type { ToolInvocation } from "../tool.ts"
import { ShellHandler } from "./shell.ts"
import { TurnDiffTracker } from "./turn-diff-tracker.ts"
import { openWorkspace } from "./workspace.ts"

const working = sandboxDrivers.filter((driver) => tryDriver(driver).works)

function openShell(driver: SandboxDriver, workspace: string, hidden: readonly string[] = []): (script: string) => Promise<string> {
  const handler = new ShellHandler({ workspace: openWorkspace(workspace, hidden), sandbox: { driver } })
  return async (script) => {
    const payload = { type: "function", arguments: JSON.stringify({ command: ["sh", "-c", script], timeout_ms: 120_000 }) } as const
    const turn = { toolCallGate: { waitReady: async () => {} } }
    const signal = new AbortController().signal
    const invocation: ToolInvocation = {
      session: {},
      turn,
      tracker: new TurnDiffTracker(),
      callId: "1",
      toolName: "shell",
      payload,
      signal,
    }
    const output = await handler.handle(invocation)
    return output.type === "function" ? output.content : ""
  }
}

describe.each(working)("$name", (driver) => {
  test.each([
    ["hooks of a new repository", "mkdir .git && ln -s ../.. .git/hooks"],
    ["settings of a new repository", "mkdir .git && ln -s ../../data/secret.key .git/config"],
    ["a repository", "ln -s .. .git"],
    ["a folder of agents", "ln -s .. .codex"],
  ])("links in the place of what is read-only lead nowhere: %s", async (_, plant) => {
    using ground = openGround()
    const shell = openShell(driver, ground.workspace)
    await shell(plant)
    const steal = `cat '${ground.dataDir}/secret.key' .git/hooks/data/secret.key .git/config .git/data/secret.key .codex/data/secret.key; ls ..`
    expect(await shell(steal)).not.toContain(secretText)
    // So it is for the next agent in this workspace.
    expect(await openShell(driver, ground.workspace)(steal)).not.toContain(secretText)
  })

  test.runIf(driver.name === "bubblewrap")("keys inside the workspace stay hidden, whatever is moved around them", async () => {
    using ground = openGround()
    const data = join(ground.workspace, "a/b/data")
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, "secret.key"), secretText)
    const shell = openShell(driver, ground.workspace, [data])
    for (const move of ["mv a moved", "mv a/b a/moved", "mv a/b/data moved", "rm -rf a", "mkdir c && mv a/b c"]) await shell(move)
    expect(await shell("cat $(find . -name secret.key); ls -R .")).not.toContain(secretText)
    expect(readFileSync(join(data, "secret.key"), "utf8")).toBe(secretText)
    expect(await shell("echo x > a/b/new && cat a/b/new")).toContain("x")
  })

  test.runIf(driver.name === "bubblewrap")("a repository cannot be changed, nor put aside", async () => {
    using ground = openGround()
    execFileSync("git", ["init", "--quiet", ground.workspace])
    const before = readdirSync(join(ground.workspace, ".git/hooks"))
    const shell = openShell(driver, ground.workspace)
    expect(await shell("git status --short && git log 2>&1 | head -1")).toContain("does not have any commits yet")
    const ways = [
      "echo evil > .git/hooks/pre-commit",
      "mv .git old && cp -r old .git && echo evil > .git/hooks/pre-commit",
      "git config core.fsmonitor ./evil",
      "echo .. > .git/commondir",
      "rm -rf .git && git init && echo evil > .git/hooks/pre-commit",
    ]
    for (const way of ways) await shell(way)
    expect(readdirSync(join(ground.workspace, ".git/hooks"))).toEqual(before)
    expect(readFileSync(join(ground.workspace, ".git/config"), "utf8")).not.toContain("evil")
    expect(existsSync(join(ground.workspace, ".git/commondir"))).toBe(false)
  })

  test("files of the kernel cannot be written, also by root", async () => {
    using ground = openGround()
    const shell = openShell(driver, ground.workspace)
    // The value that is there already, so that nothing changes on a machine where this fails.
    const files = ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/irq/default_smp_affinity"].filter((file) =>
      existsSync(file),
    )
    for (const file of files)
      expect(await shell(`value=$(cat ${file}) && echo "$value" > ${file} && echo it was written`)).not.toContain("it was written\\n")
    // Nor by another way to the same file.
    expect(
      await shell("v=$(cat /proc/sys/vm/swappiness); echo $v > /proc/self/root/proc/sys/vm/swappiness && echo it was written"),
    ).not.toContain("it was written\\n")
  })
})

test.runIf(process.platform === "linux")("the program of the sandbox is never one that a command could have written", () => {
  using ground = openGround()
  const bin = join(ground.workspace, "node_modules/.bin")
  mkdirSync(bin, { recursive: true })
  const planted = join(bin, "bwrap")
  writeFileSync(planted, "#!/bin/sh\nexit 0\n")
  chmodSync(planted, 0o755)
  const outside = join(ground.folder, "bin")
  mkdirSync(outside)
  symlinkSync(planted, join(outside, "bwrap"))
  const linked = join(ground.folder, "linked")
  symlinkSync(bin, linked)
  const found = findBubblewrap(ground.workspace)
  vi.stubEnv("PATH", [bin, outside, linked, `${bin}/../.bin`, ".", process.env["PATH"]].join(":"))
  expect(findBubblewrap(ground.workspace)).toBe(found)
  // Elsewhere it would be found, unless the system has one.
  expect([found, planted]).toContain(findBubblewrap(join(ground.folder, "other")))
  vi.unstubAllEnvs()
})
