// Keeps the shape of the code: direction of imports, ports, sizes, opening sentences, and the map in ARCHITECTURE.md.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, test } from "vitest"

const root = normalize(join(import.meta.dirname, ".."))
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n")
const files = tracked.filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)))
const read = (path: string): string => readFileSync(join(root, path), "utf8")
/** What tests share is in folders of this name, and in no other place. */
const isForTests = (path: string): boolean => path.endsWith(".test.ts") || path.includes("/testing/")
const sources = files.filter((path) => path.startsWith("src/") && !isForTests(path))

type Import = { readonly target: string; /** Types are gone when the code runs. */ readonly isValue: boolean }
const importPattern = /^(?:import|export)\s+(type\s)?[^"']*?from\s*"(\.[^"]+)"|import\("(\.[^"]+)"\)/gms
const imports = new Map(
  sources.map((path): [string, readonly Import[]] => [
    path,
    [...read(path).matchAll(importPattern)].map(([, type, from, called]) => ({
      target: normalize(join(dirname(path), from ?? called ?? "")),
      isValue: type === undefined && from !== undefined,
    })),
  ]),
)
const importsOf = (path: string): readonly Import[] => imports.get(path) ?? []
const wrongImports = (isWrong: (path: string, imported: Import) => boolean): string[] =>
  sources.flatMap((path) =>
    importsOf(path)
      .filter((imported) => isWrong(path, imported))
      .map(({ target }) => `${path} imports ${target}`),
  )

/** What each folder of `src/` may import, besides itself. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  plugin: ["core"],
  io: ["core"],
  policy: ["core"],
  arguments: ["core"],
  diff: ["core"],
  search: ["core", "io"],
  typescript: ["core", "io"],
  store: ["core", "io"],
  credentials: ["core", "io", "store"],
  sources: ["core", "io", "plugin"],
  sandbox: ["core", "io"],
  identity: ["core", "io", "policy", "store", "credentials"],
  local: ["core", "io", "credentials"],
  catalog: ["core", "io", "policy", "arguments", "diff", "search", "typescript", "store", "credentials", "sources", "identity"],
  registry: ["core", "io", "policy", "arguments", "diff", "store", "credentials", "sources", "identity", "catalog"],
  models: ["core", "io", "store", "credentials", "catalog"],
  retrieval: ["core", "io", "store", "search", "catalog", "registry", "models"],
  agents: ["core", "io", "policy", "arguments", "diff", "store", "sandbox", "identity", "catalog", "registry", "models", "agent-tools"],
  workspaces: ["core", "io", "catalog"],
  notifications: ["core", "io", "policy", "store", "credentials", "identity"],
  engine: [
    "core",
    "io",
    "policy",
    "arguments",
    "store",
    "credentials",
    "sources",
    "sandbox",
    "identity",
    "catalog",
    "registry",
    "models",
    "retrieval",
    "agents",
    "workspaces",
    "notifications",
  ],
  "agent-tools": ["core", "io", "policy", "credentials", "local", "sources"],
  "executor.ts": [
    "core",
    "io",
    "policy",
    "search",
    "store",
    "credentials",
    "sources",
    "sandbox",
    "identity",
    "catalog",
    "registry",
    "models",
    "retrieval",
    "agents",
    "workspaces",
    "notifications",
    "engine",
  ],
  preset: [
    "core",
    "io",
    "plugin",
    "store",
    "credentials",
    "sources",
    "sandbox",
    "identity",
    "local",
    "catalog",
    "registry",
    "models",
    "retrieval",
    "agents",
    "engine",
    "executor.ts",
    "surfaces",
  ],
  surfaces: ["core", "io", "plugin", "local", "agent-tools", "executor.ts"],
  "index.ts": ["core", "registry", "preset", "executor.ts"],
}

/** Where the command line loads the product and the other surfaces: no other file of a surface names them. */
const loadsProduct = "src/surfaces/cli/product.ts"

/** What the parts of a folder may import of each other while the code runs; files beside them know no part, or all of them. */
const parts: Record<string, { readonly below: readonly string[]; readonly may: Record<string, readonly string[]> }> = {
  engine: {
    below: ["engine-parts.ts", "execution-access.ts"],
    may: {
      audit: [],
      gate: [],
      approvals: ["audit", "gate"],
      programs: ["gate"],
      executions: ["audit", "gate", "approvals", "programs"],
      cluster: ["audit", "approvals", "executions"],
      events: ["approvals"],
    },
  },
  catalog: {
    below: ["catalog-parts.ts", "source-adapters.ts", "static-tool.ts", "listed.ts"],
    may: {
      presets: [],
      integrations: [],
      connections: ["integrations"],
      policies: ["connections"],
      oauth: ["integrations", "connections"],
      tools: ["integrations", "connections", "policies", "oauth"],
      builtins: ["tools", "search-meaning"],
    },
  },
}

/** Folders behind a port: outside of them only these files may be imported, and implementations by `preset/` alone. */
const ports: Record<string, readonly string[]> = {
  store: [
    "store",
    "execution-store",
    "audit-store",
    "oauth-store",
    "agent-grant-store",
    "session-store",
    "sign-in-store",
    "passkey-store",
    "place-store",
    "executions/broadcasts",
    "executions/search-trace",
    "tool-changes/tool-change-store",
    "registry-store",
    "agents/agent-store",
    "notifications/notification-store",
    "retrieval/retrieval-store",
    "tool-changes/pin-store",
    "all-rows",
    "revision-cache",
  ].map((name) => `src/store/${name}.ts`),
  sources: ["source-adapter", "mcp/client", "registry/http-call", "registry/mcp-call"].map((name) => `src/sources/${name}.ts`),
  sandbox: ["src/sandbox/sandbox.ts", "src/sandbox/program-runner.ts"],
  models: ["src/models/model.ts", "src/models/providers.ts"],
  search: ["src/search/search.ts"],
  typescript: ["src/typescript/typescript.ts"],
  arguments: ["src/arguments/arguments.ts"],
  diff: ["src/diff/definition-diff.ts"],
  credentials: [
    "src/credentials/vault.ts",
    "src/credentials/open.ts",
    "src/credentials/placement.ts",
    "src/credentials/redact.ts",
    "src/credentials/env/reference.ts",
    "src/credentials/oauth/oauth.ts",
  ],
}

const sizeMax = 300
const folderSizeMax = 25
const folderOf = (path: string): string => path.split("/")[1] ?? ""
const partOf = (path: string): string => path.split("/")[2] ?? ""

describe("tidy", () => {
  test("imports point in one direction", () => {
    expect(sources.map(folderOf).filter((folder) => allowed[folder] === undefined)).toEqual([])
    const wrong = wrongImports((path, { target }) => {
      if (!target.startsWith("src/") || folderOf(target) === folderOf(path)) return false
      return !(allowed[folderOf(path)] ?? []).includes(folderOf(target)) && !(path === loadsProduct && folderOf(target) === "preset")
    })
    expect(wrong).toEqual([])
  })

  test("the gate knows no other part of the engine, not even by a type", () => {
    const gate = "src/engine/gate/"
    expect(
      wrongImports((path, { target }) => path.startsWith(gate) && target.startsWith("src/engine/") && !target.startsWith(gate)),
    ).toEqual([])
  })

  test("imports inside engine and catalog point in one direction", () => {
    const wrong = wrongImports((path, { target, isValue }) => {
      const inner = parts[folderOf(path)]
      if (inner === undefined || !isValue || folderOf(target) !== folderOf(path) || partOf(target) === partOf(path)) return false
      const isPart = !partOf(path).endsWith(".ts")
      if (!isPart) return inner.below.includes(partOf(path))
      return !(inner.may[partOf(path)] ?? []).includes(partOf(target)) && !inner.below.includes(partOf(target))
    })
    expect(wrong).toEqual([])
  })

  test("a surface does not import another surface", () => {
    const wrong = wrongImports((path, { target }) => {
      if (folderOf(path) !== "surfaces" || folderOf(target) !== "surfaces" || path === loadsProduct) return false
      return partOf(target) !== partOf(path) && !partOf(target).endsWith(".ts")
    })
    expect(wrong).toEqual([])
  })

  test("only preset names implementations behind a port", () => {
    const wrong = wrongImports((path, { target }) => {
      const port = ports[folderOf(target)]
      return port !== undefined && folderOf(path) !== folderOf(target) && folderOf(path) !== "preset" && !port.includes(target)
    })
    expect(wrong).toEqual([])
  })

  test("no file imports itself in a circle", () => {
    const done = new Set<string>()
    const circleFrom = (path: string, way: readonly string[]): string[] => {
      if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(" ▸ ")]
      if (done.has(path)) return []
      const found = importsOf(path)
        .filter(({ isValue }) => isValue)
        .flatMap(({ target }) => circleFrom(target, [...way, path]))
      done.add(path)
      return found
    }
    expect(sources.flatMap((path) => circleFrom(path, []))).toEqual([])
  })

  test("nothing that only tests need is built", () => {
    expect(read("tsconfig.build.json")).toContain('"exclude": ["src/**/*.test.ts", "src/**/testing/**"]')
    expect(wrongImports((_, { target }) => isForTests(target))).toEqual([])
    expect(sources.filter((path) => /testing|vitest/.test(path) || /from "vitest"/.test(read(path)))).toEqual([
      "src/preset/plugin-testing.ts",
    ])
  })

  test("folders are small", () => {
    // Migrations only go forward, so that theirs grows for ever.
    const folders = Map.groupBy(
      sources.filter((path) => !path.startsWith("src/store/migrations/")),
      (path) => dirname(path),
    )
    expect(
      [...folders].filter(([, inside]) => inside.length > folderSizeMax).map(([folder, inside]) => `${folder}: ${inside.length}`),
    ).toEqual([])
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

  test("every file that ARCHITECTURE.md names is there", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/[\w-]+(?:\/[\w-]+)*\.ts\b/g)].map(([name]) => name)
    expect(named.filter((name) => !tracked.some((path) => path.endsWith(`/${name}`)))).toEqual([])
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
