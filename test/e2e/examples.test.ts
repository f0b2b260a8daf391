// Every example is run as its README says.
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const examples = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** They use the package as its users do, so it has to be built. */
beforeAll(() => {
  if (process.env["EXECUTOR_TEST_BUILT"] !== undefined) return
  const built = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.build.json"], { cwd: root, encoding: "utf8" })
  expect(built.stdout + built.stderr).toBe("")
})

test.each(examples.map((entry) => entry.name))("examples/%s", (name) => {
  const run = spawnSync(process.execPath, [join("examples", name, "main.ts")], { cwd: root, encoding: "utf8" })
  expect({ status: run.status, errors: run.stderr }).toEqual({ status: 0, errors: "" })
})
