// Auth templates: what users give is completed, and nothing is sent that they did not mean.
import { describe, expect, test } from "vitest"
import type { AuthOption } from "../core/auth.ts"
import { bindAuth, fillPlacements, isBound } from "./placement.ts"

const offered: AuthOption[] = [
  { template: "api_key", name: "key", description: "", values: ["key"], placements: [{ in: "query", name: "appid", value: "${key}" }] },
]

describe("bindAuth", () => {
  test("a bearer token goes to the Authorization header, whatever its value is called", () => {
    const bound = bindAuth({ template: "bearer", values: { access_token: "t" } }, [])
    expect(fillPlacements(bound.placements, bound.values)).toEqual([{ in: "header", name: "Authorization", value: "Bearer t" }])
  })

  test("an API key goes where the document says", () => {
    const bound = bindAuth({ template: "api_key", values: { apiKey: "k" } }, offered)
    expect(fillPlacements(bound.placements, bound.values)).toEqual([{ in: "query", name: "appid", value: "k" }])
  })

  test("basic joins user and password", () => {
    const bound = bindAuth({ template: "basic", values: { username: "a", password: "b:c" } }, [])
    expect(fillPlacements(bound.placements, bound.values)[0]?.value).toBe(`Basic ${Buffer.from("a:b:c").toString("base64")}`)
  })

  test("custom fills several placements, and a value cannot refer to another", () => {
    const placements = [
      { in: "header" as const, name: "X-Id", value: "${id}" },
      { in: "cookie" as const, name: "session", value: "s=${secret}" },
    ]
    const bound = bindAuth({ template: "custom", values: { id: "${secret}", secret: "x" }, placements }, [])
    expect(fillPlacements(bound.placements, bound.values).map((one) => one.value)).toEqual(["${secret}", "s=x"])
  })

  test.each([
    [{ template: "custom" as const, values: { a: "b" } }, "auth.placements is missing"],
    [{ template: "basic" as const, values: { user: "b" } }, "it takes password, username"],
    [{ template: "none" as const, values: { token: "b" } }, "it takes no values"],
    [{ template: "bearer" as const, values: { token: "a\r\nX-Evil: 1" } }, "line break"],
    [{ template: "custom" as const, values: {}, placements: [{ in: "header" as const, name: "A B", value: "" }] }, "is not a valid name"],
  ])("refuses %j", (auth, reason) => {
    expect(() => bindAuth(auth, offered)).toThrow(reason)
  })

  test("an empty value binds nothing", () => {
    const bound = bindAuth({ template: "bearer", values: { token: "" } }, [])
    expect(isBound(bound.placements, Object.keys(bound.values))).toBe(false)
  })

  test("`__proto__` as a value's name is plain data", () => {
    expect(() =>
      bindAuth({ template: "basic", values: JSON.parse('{"__proto__":"x","username":"a","password":"b"}') as Record<string, string> }, []),
    ).toThrow("__proto__")
  })
})
