// Leaves the clone's own Node.js and the console's sources out of the published package: `strip` before packing, `restore` after it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const manifest = join(import.meta.dirname, "..", "package.json")
const kept = `${manifest}.whole`

if (process.argv[2] === "strip") {
  if (existsSync(kept)) renameSync(kept, manifest)
  const text = readFileSync(manifest, "utf8")
  // As `package.json` has it.
  const manifestRead = JSON.parse(text) as { readonly optionalDependencies: Readonly<Record<string, string>> }
  const optionalDependencies = Object.fromEntries(
    Object.entries(manifestRead.optionalDependencies).filter(([name]) => !/^node-(linux|darwin)-/.test(name)),
  )
  const published = { ...manifestRead, workspaces: undefined, optionalDependencies }
  writeFileSync(kept, text)
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`)
} else if (existsSync(kept)) renameSync(kept, manifest)
