// The documentation: its commands run as they are written, its links lead somewhere, its references are whole.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { sdkMethods } from "../../scripts/reference-sdk.ts"
import { createExecutor } from "../../src/index.ts"
import { startShopApi } from "../../src/surfaces/cli/demo/shop-api.ts"
import type { ShopApi } from "../../src/surfaces/cli/demo/shop-api.ts"
import { supportModel } from "../../examples/support-agent/scripted-model.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"
import { openCli } from "./cli-run.ts"
import { readCommandBlocks } from "./doc-blocks.ts"
import { followDocument, readDocument } from "./doc-run.ts"
import type { Reader } from "./doc-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const root = join(import.meta.dirname, "..", "..")
const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", ...markdownIn("docs")]
const guides = markdownIn("docs/guide").filter((path) =>
  readCommandBlocks(readDocument(root, path)).some((block) => block.kind === "run" && /^(?:\.\/executor|curl)/m.test(block.commands)),
)

/** Each command is a process. */
const followMs = 180_000

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))
    .toSorted()
}

describe("commands", () => {
  let scratch: string
  let product: Product
  let shop: ShopApi
  let model: ModelServer
  let reader: Reader

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), "executor-docs-"))
    const home = join(scratch, "home")
    const cwd = join(scratch, "empty")
    const dataDir = join(home, ".local", "share", "executor")
    for (const folder of [cwd, dataDir]) mkdirSync(folder, { recursive: true })
    product = await startProduct({ dataDir, env: { HOME: home } })
    shop = await startShopApi({ port: 0, token: null })
    model = await startModelServer(supportModel, { models: ["qwen3"] })
    // What `openCli` prepares is the command line of this test run; it stands where it does in a clone.
    openCli(scratch)
    symlinkSync(join(scratch, "bin", "executor"), join(cwd, "executor"))
    // `curl` answers with 0 whatever the server says.
    writeShim("curl", `exec /usr/bin/env -- PATH="${process.env["PATH"]}" curl --fail-with-body "$@"`)
    const path = `${join(scratch, "bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`
    reader = {
      cwd,
      home,
      path,
      addresses: {
        "http://127.0.0.1:4788": product.url,
        "http://localhost:4788": product.pagesUrl,
        "http://127.0.0.1:4790": shop.url,
        "http://127.0.0.1:11434": model.url,
      },
    }
  })
  afterEach(async () => {
    await product.stop()
    await shop.close()
    await model.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  const writeShim = (name: string, line: string): void => {
    writeFileSync(join(scratch, "bin", name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(scratch, "bin", name), 0o755)
  }

  test.each(guides)(
    "%s does what it says",
    async (path) => {
      const typed = await followDocument(readCommandBlocks(readDocument(root, path)), reader)
      expect(typed.length).toBeGreaterThan(0)
    },
    followMs,
  )
})

describe("links", () => {
  const anchorsOf = (text: string): Set<string> =>
    new Set(
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replaceAll(" ", "-"),
      ),
    )

  test.each(documents)("of %s lead somewhere", (path) => {
    const text = readDocument(root, path)
    const links = [...text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target)
    const dead = links.filter((link) => {
      if (/^(?:https?|mailto):/.test(link)) return false
      const [file = "", anchor] = link.split("#")
      const target = file === "" ? join(root, path) : join(root, dirname(path), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && statSync(target).isFile() && !anchorsOf(readFileSync(target, "utf8")).has(anchor)
    })
    expect(dead).toEqual([])
  })

  test("the index has every guide and reference", () => {
    const index = readDocument(root, "docs/README.md")
    const missing = [...markdownIn("docs/guide"), ...markdownIn("docs/reference")].map((path) => relative("docs", path))
    expect(missing.filter((path) => !index.includes(`(${path})`))).toEqual([])
  })
})

describe("references", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-docs-sdk-"))
  let names: string[]
  beforeAll(async () => {
    const executor = await createExecutor({ dataDir })
    names = methodsOf(executor, "").filter((name) => name !== "close")
    await executor.close()
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  const methodsOf = (value: object, prefix: string): string[] =>
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      if (typeof inner === "function") return [prefix + name]
      return typeof inner === "object" && inner !== null ? methodsOf(inner, `${prefix}${name}.`) : []
    })

  test("the SDK's names every method there is", () => {
    expect(sdkMethods().map((method) => method.name)).toEqual(expect.arrayContaining(names))
    expect(names.length).toBeGreaterThan(30)
    const text = readDocument(root, "docs/reference/sdk.md")
    expect(names.filter((name) => !text.includes(`\`${name}(`))).toEqual([])
  })

  test("the configuration's names every variable that is read", () => {
    const text = readDocument(root, "docs/reference/configuration.md")
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const read = sources.flatMap((name) => readDocument(root, join("src", name)).match(/(?<=\[")EXECUTOR_[A-Z_]+(?="\])/g) ?? [])
    expect([...new Set(read)].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})
