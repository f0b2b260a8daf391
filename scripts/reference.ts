// Generates the references of commands, HTTP, SDK, errors and limits from the code.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { errorTable } from "../src/core/errors.ts"
import { limitTable } from "../src/core/limits.ts"
import { cliReference } from "./reference-cli.ts"
import { httpReference } from "./reference-http.ts"
import { sdkReference } from "./reference-sdk.ts"

const errorRows = Object.entries(errorTable).map(
  ([code, row]) => `| \`${code}\` | ${row.httpStatus ?? "—"} | ${row.retryable ? "yes" : "no"} | ${row.when} |`,
)
const limitRows = Object.entries(limitTable).map(([name, row]) => `| \`${name}\` | ${row.value.toLocaleString("en-US")} | ${row.why} |`)

/** Each reference by its file name. */
export const references: Readonly<Record<string, string>> = {
  "cli.md": await cliReference(),
  "errors.md": [
    "# Errors",
    "",
    "Generated from `src/core/errors.ts`. A code without a status occurs inside a result envelope only.",
    "",
    "| code | HTTP | retryable | when |",
    "| --- | --- | --- | --- |",
    ...errorRows,
    "",
  ].join("\n"),
  "http.md": httpReference(),
  "sdk.md": sdkReference(),
  "limits.md": [
    "# Limits",
    "",
    "Generated from `src/core/limits.ts`. Names end with their unit; `createExecutor({ limits })` changes them.",
    "",
    "| limit | default | why |",
    "| --- | --- | --- |",
    ...limitRows,
    "",
  ].join("\n"),
}

export const referenceDir = join(import.meta.dirname, "..", "docs", "reference")

if (import.meta.main) for (const [name, text] of Object.entries(references)) writeFileSync(join(referenceDir, name), text)
