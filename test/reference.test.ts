// The generated references say what the tables say.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { referenceDir, references } from "../scripts/reference.ts"

test.each(Object.entries(references))("docs/reference/%s is up to date; `node scripts/reference.ts` writes it", (name, text) => {
  expect(readFileSync(join(referenceDir, name), "utf8")).toBe(text)
})
