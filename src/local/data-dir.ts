// Where Executor keeps its data on this machine; small, because the command line reads it on every start.
import { homedir } from "node:os"
import { join } from "node:path"

type Environment = Readonly<Record<string, string | undefined>>

export const readDataDir = (env: Environment): string => env["EXECUTOR_DATA_DIR"] || defaultDataDir(env)

function defaultDataDir(env: Environment): string {
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "executor")
  if (process.platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "executor")
  return join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "executor")
}
