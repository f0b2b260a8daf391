// Installs the package elsewhere, as `npm pack` gives it.
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..", "..")
const run = promisify(execFile)

export type Packed = {
  /** Where it was packed; its manifest is the stripped one. */
  readonly stage: string
  readonly files: readonly string[]
}

/** Packs below `scratch`, and unpacks to `installed`, whose dependencies are the clone's. */
export async function installPacked(scratch: string, installed: string): Promise<Packed> {
  const stage = join(scratch, "stage")
  const home = join(scratch, "home")
  for (const folder of [stage, installed, home]) mkdirSync(folder, { recursive: true })
  await build(join(stage, "dist"), scratch)
  for (const name of ["package.json", "bin", "README.md", "LICENSE", "scripts"])
    cpSync(join(root, name), join(stage, name), { recursive: true })
  // What `prepack` does is done here, away from the build and the manifest that other tests use.
  await run(process.execPath, [join(stage, "scripts", "pack-manifest.ts"), "strip"])
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json"], { cwd: stage, env: { ...process.env, HOME: home } })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }] // npm's own report
  await run("tar", ["-xzf", join(stage, packed.filename), "--strip-components=1", "-C", installed])
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"))
  return { stage, files: packed.files.map((one) => one.path) }
}

async function build(outDir: string, scratch: string): Promise<void> {
  if (process.env["EXECUTOR_TEST_BUILT"] !== undefined) return cpSync(join(root, "dist"), outDir, { recursive: true })
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const args = ["-p", join(root, "tsconfig.build.json"), "--outDir", outDir, "--tsBuildInfoFile", join(scratch, "tsbuildinfo")]
  // Types are another check's business: what was written counts here.
  await run(tsc, args).catch(() => {})
}
