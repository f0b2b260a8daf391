// The documents whose operations are judged: GitHub's from npm, our own, and a folder of real ones where it is there.
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { stylesDocument } from "./styles.ts"

export type JudgedDocument = { readonly name: string; text(): string }

const fileDocument = (name: string, file: string): JudgedDocument => ({ name, text: () => readFileSync(file, "utf8") })
const withoutEnding = (file: string): string => file.replace(/\.(ya?ml|json)$/, "")

export const githubDocument = (): JudgedDocument =>
  fileDocument("github", createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json"))

const fixtures = resolve(import.meta.dirname, "../fixtures/openapi")

/** Those among our fixtures that are meant to be right (Prism knows no 3.2), and one for everything that a request can be. */
export const ownDocuments = (): JudgedDocument[] => [
  ...(["3.0.3", "3.1.0"] as const).map((version) => ({ name: `styles-${version}`, text: () => JSON.stringify(stylesDocument(version)) })),
  ...["openapi-3.1.json", "swagger-2.0.yaml"].map((file) => fileDocument(withoutEnding(file), join(fixtures, file))),
]

/** The folder of `EXECUTOR_SPEC_CORPUS`, or the sample beside the clone; without one there are none. */
export function corpusDocuments(): JudgedDocument[] {
  const folder = process.env["EXECUTOR_SPEC_CORPUS"] ?? resolve(import.meta.dirname, "../../../shared/specs")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .toSorted()
    .map((file) => fileDocument(withoutEnding(file), join(folder, file)))
}
