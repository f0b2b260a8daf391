// Keeps the shape of the code: direction of imports, ports, sizes, opening sentences, and the map in ARCHITECTURE.md.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, test } from "vitest"

const root = normalize(join(import.meta.dirname, ".."))
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n")
const files = tracked.filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)))
const sources = files.filter((path) => path.startsWith("src/") && !path.endsWith(".test.ts"))
const read = (path: string): string => readFileSync(join(root, path), "utf8")
const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) => normalize(join(dirname(path), match[1] ?? "")))

/** What each folder of `src/` may import, besides itself. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  plugin: ["core"],
  io: ["core"],
  policy: ["core"],
  store: ["core", "io"],
  credentials: ["core", "io", "store"],
  sources: ["core", "io", "plugin"],
  sandbox: ["core", "io"],
  identity: ["core", "io", "store"],
  catalog: ["core", "io", "policy", "store", "credentials", "sources", "identity"],
  engine: ["core", "io", "policy", "store", "credentials", "sources", "sandbox", "catalog"],
  "executor.ts": ["core", "io", "policy", "store", "credentials", "sources", "sandbox", "identity", "catalog", "engine"],
  preset: [
    "core",
    "io",
    "plugin",
    "store",
    "credentials",
    "sources",
    "sandbox",
    "identity",
    "catalog",
    "engine",
    "executor.ts",
    "surfaces",
  ],
  surfaces: ["core", "io", "plugin", "executor.ts", "preset"],
  "index.ts": ["core", "preset", "executor.ts"],
}

/** Folders behind a port: outside of them only these files may be imported, and implementations by `preset/` alone. */
const ports: Record<string, readonly string[]> = {
  store: ["src/store/store.ts", "src/store/execution-store.ts", "src/store/oauth-store.ts"],
  sources: ["src/sources/source-adapter.ts"],
  sandbox: ["src/sandbox/sandbox.ts"],
}

const sizeMax = 300
const folderOf = (path: string): string => path.split("/")[1] ?? ""

describe("tidy", () => {
  test("imports point in one direction", () => {
    const wrong = sources.flatMap((path) => {
      const from = folderOf(path)
      const may = allowed[from]
      if (may === undefined) return [`${path}: add '${from}' to the table of directions`]
      return importsOf(path)
        .filter((target) => target.startsWith("src/") && folderOf(target) !== from && !may.includes(folderOf(target)))
        .map((target) => `${path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test("only preset names implementations behind a port", () => {
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((target) => {
          const port = ports[folderOf(target)]
          return port !== undefined && folderOf(path) !== folderOf(target) && folderOf(path) !== "preset" && !port.includes(target)
        })
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test("source files are small", () => {
    const wrong = sources.map((path) => ({ path, lines: read(path).split("\n").length - 1 })).filter((file) => file.lines > sizeMax)
    expect(wrong).toEqual([])
  })

  test("threads are started by io/thread.ts alone, which keeps V8 from crashing", () => {
    expect(sources.filter((path) => /\bnew Worker\(/.test(read(path)))).toEqual(["src/io/thread.ts"])
  })

  test("a file opens with one sentence that says what it is for", () => {
    const wrong = files.filter((path) => {
      const opening = read(path)
        .replace(/^#!.*\n/, "")
        .match(/^(?:\/\/.*\n)+/)?.[0]
        .replaceAll(/^\/\/ ?/gm, "")
        .split(/\n\n/)[0]
      return opening === undefined || !/^[A-Z`"].*[.:]\s*$/s.test(opening)
    })
    expect(wrong).toEqual([])
  })

  test("names avoid words that say nothing", () => {
    const wrong = files.filter(
      (path) =>
        /(^|[-/])(utils?|helpers?|managers?|services?|misc|common)(\.|-|\/)/.test(path) || /[A-Z]/.test(path.split("/").at(-1) ?? ""),
    )
    expect(wrong).toEqual([])
  })

  test("every folder of src is named in ARCHITECTURE.md", () => {
    const map = read("ARCHITECTURE.md")
    const folders = new Set(sources.map((path) => dirname(path)).filter((path) => path !== "src"))
    expect([...folders].filter((folder) => !map.includes(`${folder.replace("src/", "")}/`))).toEqual([])
  })

  test("nothing suggests a command that runs another project's package", () => {
    const texts = tracked.filter(
      (path) => /\.(?:ts|md|js)$|^executor$/.test(path) && !/^(?:docs\/decisions|CHANGELOG|test\/tidy)/.test(path),
    )
    expect(texts.filter((path) => existsSync(join(root, path)) && /npx executor/.test(read(path)))).toEqual([])
  })

  test("nothing looks unfinished", () => {
    const marks = /TODO|FIXME|not implemented|\b(?:it|test|describe)\.(?:skip|todo|only)\(|\bas any\b|@ts-(?:ignore|expect-error)/
    expect(files.filter((path) => path !== "test/tidy.test.ts" && marks.test(read(path)))).toEqual([])
  })
})
