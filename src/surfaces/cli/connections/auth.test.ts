// Which credential a new connection takes, and where its values come from.
import { describe, expect, test } from "vitest"
import type { AuthOption, AuthTemplate } from "../../../core/auth.ts"
import { chooseAuth } from "./auth-choose.ts"
import { parsePlacement, readAuthValues } from "./auth-values.ts"
import { createColors } from "../print/colors.ts"
import type { Screen } from "../print/screen.ts"

const nobody: Screen = {
  data: () => {},
  note: () => {},
  out: createColors(false),
  err: createColors(false),
  columns: null,
  isErrTerminal: false,
  canPrompt: false,
}

const option = (template: AuthTemplate, name: string, values: readonly string[]): AuthOption => ({
  template,
  name,
  description: "",
  values,
  placements: values.map((value) => ({ in: "header", name: `X-${name}`, value: `\${${value}}` })),
})
const none = option("none", "none", [])
const bearer = option("bearer", "token", ["token"])
const oauth = option("oauth2", "login", ["token"])
const keys = [option("api_key", "first", ["key"]), option("api_key", "second", ["key"])]
const asked = { placements: [], bringsSecret: false }

describe("the way", () => {
  test.each([
    ["the only one", [bearer], asked, { template: "bearer", names: ["token"] }],
    ["nothing where nothing is offered", [], asked, { template: "none", names: [] }],
    ["the one that a secret is for", [none, bearer, oauth], { ...asked, bringsSecret: true }, { template: "bearer", names: ["token"] }],
    ["the one that is named", [none, bearer], { ...asked, template: "none" as const }, { template: "none", names: [] }],
    [
      "what is not offered, if it is named",
      [none],
      { ...asked, template: "basic" as const },
      { template: "basic", names: ["username", "password"] },
    ],
    ["a scheme", keys, { ...asked, scheme: "second" }, { template: "api_key", names: ["key"], placements: keys[1]?.placements }],
    [
      "placements",
      [bearer],
      { ...asked, placements: [parsePlacement("header:X-Key=a ${key} ${other}"), parsePlacement("query:k=${key}")] },
      { template: "custom", names: ["key", "other"], placements: expect.any(Array) },
    ],
  ])("%s", async (_name, offered, request, chosen) => {
    expect(await chooseAuth(offered, request, nobody)).toEqual(chosen)
  })

  test.each([
    [[none, bearer], asked, "--auth, or --scheme with one of: none (none), token (bearer)"],
    [keys, { ...asked, template: "api_key" as const }, "first (api_key), second (api_key)"],
    [keys, { ...asked, scheme: "third" }, "does not offer 'third'"],
  ])("%#: which one must be said", async (offered, request, message) => {
    await expect(chooseAuth(offered, request, nobody)).rejects.toThrow(message)
  })
})

describe("the values", () => {
  test.each([
    [["token"], ["GITHUB_TOKEN"], undefined, { token: "${env:GITHUB_TOKEN}" }],
    [["username", "password"], ["PASS"], "ada", { username: "ada", password: "${env:PASS}" }],
    [["username", "password"], ["username=U", "password=P"], undefined, { username: "${env:U}", password: "${env:P}" }],
    [[], [], undefined, {}],
  ])("%j from %j", async (names, env, username, values) => {
    const sources = { env, secretStdin: false, ...(username === undefined ? {} : { username }) }
    expect(await readAuthValues(names, sources, nobody)).toEqual(values)
  })

  test.each([
    [["token"], [], "--secret-stdin, or --env NAME"],
    [["username", "password"], ["PASS"], "--env username=NAME --env password=NAME"],
    [["token"], ["ghp_secret-value"], "takes the name of a variable"],
    [["token"], ["other=NAME"], "takes token, not 'other'"],
    [[], ["NAME"], "all values are already set"],
  ])("%j from %j is refused", async (names, env, message) => {
    await expect(readAuthValues(names, { env, secretStdin: false }, nobody)).rejects.toThrow(message)
  })

  test.each(["header:X-Key=secret", "X-Key=${key}", "body:x=${key}"])("the placement %s is refused", (text) => {
    expect(() => parsePlacement(text)).toThrow("says where a value is sent")
  })
})
