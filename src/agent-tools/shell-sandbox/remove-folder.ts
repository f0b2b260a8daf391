// Removes what a command left in its folder for temporary files.
import { chmodSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

/** Build tools make folders that not even their owner may change. What cannot be removed is left to the system's own cleaning. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
    return
  } catch {
    // Once more, with the rights for it.
  }
  try {
    openUp(folder)
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The command has ended, and its answer must not be lost for this.
  }
}

function openUp(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) openUp(join(folder, entry.name))
}
