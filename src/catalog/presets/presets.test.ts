// The gallery: what every preset must hold, and what an operator's own file may say.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { parseGraphQLConfig } from "../../sources/graphql/config.ts"
import { parseMcpConfig } from "../../sources/mcp/config.ts"
import { parseOpenApiConfig } from "../../sources/openapi/config.ts"
import { openPresetGallery } from "./gallery.ts"
import { presetsApi } from "./list.ts"
import presetsJson from "./presets.json" with { type: "json" }

const gallery = openPresetGallery(null)()
const api = presetsApi({ limits: defaultLimits })
const dir = mkdtempSync(join(tmpdir(), "executor-presets-"))
afterAll(() => rmSync(dir, { recursive: true }))

const ownFile = (content: unknown): string => {
  const path = join(dir, "presets.json")
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}
const own = {
  id: "shop",
  name: "Shop",
  description: "Our shop.",
  category: "work",
  kind: "openapi",
  url: "http://shop.internal/openapi.json",
  auth: [{ template: "none" }],
  docsUrl: "http://shop.internal/docs",
}

describe("the gallery that the product brings", () => {
  test("has at least 40 presets of every kind, each id once", () => {
    const ids = presetsJson.map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(40)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(gallery.map(({ kind }) => kind))).toEqual(new Set(["openapi", "graphql", "mcp"]))
  })

  test.each(gallery.map((preset) => [preset.id, preset] as const))(
    "%s is complete, and its source takes the config",
    async (_id, preset) => {
      const keyUrls = preset.auth.flatMap(({ keyUrl }) => keyUrl ?? [])
      for (const url of [preset.url, preset.docsUrl, ...keyUrls]) expect(url).toMatch(/^https:\/\/[^\s@]+$/)
      expect(preset.description).toMatch(/\.$/)
      const parse = { openapi: parseOpenApiConfig, graphql: parseGraphQLConfig, mcp: parseMcpConfig }[preset.kind]
      expect((await parse(preset.config)).urls).toContain(preset.url)
      // Where a human needs a key, they are told where it is.
      for (const one of preset.auth) if (!["none", "oauth2"].includes(one.template)) expect(one.keyUrl ?? one.note).not.toBe("")
    },
  )

  test("is found by words, kind and category, in pages by id", async () => {
    expect((await api.list({ query: "github MCP" })).items.map(({ id }) => id)).toEqual(["deepwiki", "github_mcp"])
    expect((await api.list({ kind: "graphql", category: "work" })).items.map(({ id }) => id)).toEqual(["linear", "monday"])
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await api.list({ limit: 25, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(gallery.map(({ id }) => id))
  })

  test.each([
    ["githb", ["github"]],
    ["Stripe-Payments", ["stripe"]],
    ["sentry_mpc", ["sentry_mcp", "sentry"]],
    ["zzzzzz", []],
  ])("an unknown id such as %s is answered with those alike", async (id, near) => {
    await expect(api.get(id)).rejects.toMatchObject({ code: "not_found", details: { near } })
  })
})

describe("an operator's own file", () => {
  test("adds presets, and replaces those of the same id", () => {
    const all = openPresetGallery(ownFile([own, { ...own, id: "github", name: "Our GitHub" }]))()
    expect(all).toHaveLength(gallery.length + 1)
    expect(all.find(({ id }) => id === "shop")).toMatchObject({ config: { spec: own.url }, baseUrl: null })
    expect(all.find(({ id }) => id === "github")).toMatchObject({ name: "Our GitHub" })
  })

  test.each([
    ["no JSON", "[", /not JSON/],
    ["no list", {}, /expected array/],
    ["another field", [{ ...own, secret: "x" }], /0: Unrecognized key: "secret"/],
    ["a reserved id", [{ ...own, id: "registry" }], /0\.id: is a reserved word/],
    ["an id that is no slug", [{ ...own, id: "My-Shop" }], /0\.id: must be lower-case/],
    ["another scheme", [{ ...own, url: "file:///etc/passwd" }], /0\.url: must be an http or https URL/],
    ["an unknown template", [{ ...own, auth: [{ template: "magic" }] }], /0\.auth\.0\.template/],
    ["a key without a place", [{ ...own, auth: [{ template: "api_key", values: ["key"] }] }], /placements must say where/],
    [
      "a place for a value that is not asked for",
      [{ ...own, auth: [{ template: "custom", values: ["a"], placements: [{ in: "header", name: "X", value: "${b}" }] }] }],
      /a value that values do not name/,
    ],
  ])("that has %s is refused when the server starts", (_name, content, message) => {
    const path = ownFile(content)
    expect(() => openPresetGallery(path)).toThrow(message)
    expect(() => openPresetGallery(path)).toThrow(/^EXECUTOR_PRESETS: /)
  })

  test("that is missing is named", () => {
    expect(() => openPresetGallery(join(dir, "none.json"))).toThrow(/EXECUTOR_PRESETS: .*none\.json: the file cannot be read \(ENOENT/)
  })
})
