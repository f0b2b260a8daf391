// Names of tools for models: short enough, of allowed characters, stable, and never the same for two tools.
import { describe, expect, test } from "vitest"
import { modelName, modelNames, toModelName } from "./tool-names.ts"

describe("a name", () => {
  test("is the address with other characters replaced", () => {
    expect(modelName("tools.github.org.main.issues.create")).toBe("github_org_main_issues_create")
    expect(modelName("github.org.main.issues.create")).toBe("github_org_main_issues_create")
    expect(modelName("builtin.http_request")).toBe("builtin_http_request")
  })

  test("of more than 64 characters keeps its beginning and gets a hash of the whole", () => {
    const long = `github.org.main.${"repositories.".repeat(6)}list`
    expect(modelName(long)).toMatch(/^github_org_main_reposito[0-9a-f]{40}$/)
    expect(modelName(long)).not.toBe(modelName(`${long}s`))
    // The same as Codex gives the tools of MCP servers.
    expect(toModelName("mcp__my_server__extremely_lengthy_function_name_that_absolutely_surpasses_all_reasonable_limits")).toBe(
      "mcp__my_server__extremel119a2b97664e41363932dc84de21e2ff1b93b3e9",
    )
  })
})

describe("names that are offered together", () => {
  const colliding = ["shop.org.main.items.get", "shop.org.main.items_get", "shop.org.main.list"]

  test("are all hashed where they would be the same, whatever the order", () => {
    const names = modelNames(colliding)
    expect(names[0]).toMatch(/^shop_org_main_items_get[0-9a-f]{40}$/)
    expect(names[1]).toMatch(/^shop_org_main_items_get[0-9a-f]{40}$/)
    expect(new Set(names).size).toBe(3)
    expect(names[2]).toBe("shop_org_main_list")
    expect(modelNames(colliding.toReversed()).toReversed()).toEqual(names)
  })

  test("stay distinct where a tool is called like the hashed name of another", () => {
    const [first = "", second = ""] = modelNames(colliding)
    const names = modelNames([...colliding, first])
    expect(new Set(names).size).toBe(4)
    expect(names[1]).toBe(second)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })
})
