// Opens a page in the human's browser, where this process has a desktop to show it on.
import { spawn } from "node:child_process"

type Environment = Readonly<Record<string, string | undefined>>

/** Whoever is logged in from afar, or runs tests, has no screen here. `EXECUTOR_OPEN_BROWSER=0` says no, `1` says yes. */
export function hasDesktop(env: Environment): boolean {
  const said = env["EXECUTOR_OPEN_BROWSER"]
  if (said !== undefined && said !== "") return said === "1" || said === "true"
  if (env["CI"] || env["VITEST"] || env["SSH_CONNECTION"]) return false
  if (process.platform === "darwin" || process.platform === "win32") return true
  return Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"])
}

/** Whether a program was found that opens pages; nobody waits for it. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openerFor(url)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })
}

function openerFor(url: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url]
  // `start` is a word of the shell, which would take `&` for its own.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url]
  return ["xdg-open", url]
}
