// What tests and benchmarks need to hold printed types against the real compiler.
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import path from "node:path"
import type { ToolTypes } from "../tool-types.ts"

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2024",
  module: "esnext",
  moduleResolution: "bundler",
  // With the browser's names in scope, a clash with one of them shows.
  lib: ["es2024", "dom"],
  types: [],
  skipLibCheck: false,
  allowImportingTsExtensions: true,
  pretty: false,
}

/** What `tsc --strict` says against the files, each given by its name; empty when all is well. */
export async function compileErrors(files: ReadonlyMap<string, string>): Promise<string[]> {
  const directory = await mkdtemp(path.join(tmpdir(), "executor-types-"))
  try {
    await writeFile(path.join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files.keys()] }))
    for (const [name, text] of files) await writeFile(path.join(directory, name), text)
    const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, "-p", directory], { maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        resolve(error === null ? "" : `${stdout}${stderr}` || error.message),
      )
    })
    return output.split("\n").flatMap((line) => (line.trim() === "" ? [] : [withSource(line, files)]))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The compiler's line with the text that it is about. */
function withSource(line: string, files: ReadonlyMap<string, string>): string {
  const [, name = "", at = "0"] = /([^/]+)\((\d+),\d+\): error/.exec(line) ?? []
  const source = files.get(name)?.split("\n")[Number(at) - 1]
  return source === undefined ? line : `${line}\n    ${source.trim().slice(0, 300)}`
}

/** The printed types of one tool as declarations in a namespace of their own. */
export function typesAsNamespace(namespace: string, types: ToolTypes, more = ""): string {
  const definitions = Object.entries(types.typeScriptDefinitions).map(([name, type]) => `  export type ${name} = ${type};\n`)
  const roots = `  export type Input = ${types.inputTypeScript};\n  export type Output = ${types.outputTypeScript};\n`
  return `export namespace ${namespace} {\n${definitions.join("")}${roots}${more}}\n`
}

/** The type that has this JSON value and no other. */
export function exactType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(exactType).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${exactType(member)}`)
  return `{ ${members.join("; ")} }`
}
