// Finds the program `bwrap`, where no command could have put it.
import { accessSync, constants, realpathSync } from "node:fs"
import { delimiter, join } from "node:path"
import { isWithin } from "../system-paths.ts"

const systemFolders = ["/usr/bin", "/usr/local/bin", "/bin"]

/** Not from the workspace, which commands write to: `node_modules/.bin` of a project is often in the path, and its links are, too. */
export function findBubblewrap(workspace: string): string | null {
  const named = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/") && folder !== process.cwd())
  return [...systemFolders, ...named].map((folder) => realProgram(join(folder, "bwrap"), workspace)).find((path) => path !== null) ?? null
}

/** Its real path is the one that is started, so that a link in between is not followed again. */
function realProgram(path: string, workspace: string): string | null {
  try {
    const real = realpathSync(path)
    if (isWithin(workspace, path) || isWithin(workspace, real)) return null
    accessSync(real, constants.X_OK)
    return real
  } catch {
    return null
  }
}
