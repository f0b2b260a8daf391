// Secrets in a config: hidden from whoever reads it, whole again for the call, and kept when the masked form is sent back.
import { expect, test } from "vitest"
import { hideSecrets, keepMasked, restoreSecrets, secretTexts } from "./config-secrets.ts"

const config = {
  spec: "https://user:p%40ss@example.com/openapi.json?key=abc&flag=1#x",
  baseUrl: "https://api.example.com/v1",
  headers: { "X-Key": "s3cret", Accept: "application/json" },
  env: { TOKEN: "t0ken" },
  include: ["a"],
}

test("null removes a URL, whether or not it has something to hide", () => {
  for (const url of ["https://api.example/v1", "https://u:p@api.example/v1?k=1"])
    expect(keepMasked({ baseUrl: null }, { baseUrl: url })).toEqual({ baseUrl: null })
  expect(keepMasked({ baseUrl: "https://api.example/?k=***" }, { baseUrl: "https://api.example/?k=1" })).toEqual({
    baseUrl: "https://api.example/?k=1",
  })
})

test("nothing secret is in what is shown", () => {
  const { shown } = hideSecrets(config)
  const text = JSON.stringify(shown)
  for (const secret of ["user", "p%40ss", "abc", "s3cret", "t0ken"]) expect(text).not.toContain(secret)
  expect(shown).toMatchObject({
    spec: "https://***:***@example.com/openapi.json?key=***&flag=***",
    baseUrl: config.baseUrl,
    include: ["a"],
  })
})

test("what was hidden is restored", () => {
  const { shown, secrets } = hideSecrets(config)
  expect(restoreSecrets(shown, secrets)).toEqual(config)
})

test("the masked form keeps what it masks, and a new value replaces it", () => {
  const { shown } = hideSecrets(config)
  expect(keepMasked({ ...shown, headers: { "X-Key": "***", Accept: "text/plain" } }, config)).toEqual({
    ...config,
    headers: { "X-Key": "s3cret", Accept: "text/plain" },
  })
})

test("of a URL only its secret parts are looked for in answers", () => {
  const parts = ["user:p@ss", "user:p%40ss", "p@ss", "p%40ss", "abc", "1"]
  expect(secretTexts({ spec: config.spec, "headers.X-Key": "s3cret" })).toEqual([...parts, "s3cret"])
})

test("of a URL in a variable or a header its secret parts are looked for beside the whole", () => {
  const database = "postgres://u:TOPSECRETpw99@db/x?sslmode=require&timeout=1000"
  expect(secretTexts({ "env.DB_URL": database })).toEqual([database, "u:TOPSECRETpw99", "TOPSECRETpw99"])
  const hook = "https://hooks.example/in?token=a+b%2Fc%3D&kind=x1-y2"
  expect(secretTexts({ "headers.X-Callback": hook })).toEqual([hook, "a b/c=", "x1-y2", "a+b%2Fc%3D"])
  expect(secretTexts({ "env.HOME_PAGE": "https://example.com/", "env.PAIR_KEY": "user:pw-1234" })).toEqual(["user:pw-1234"])
})

test("a user name is looked for where it stands without a password, or with one that says nothing", () => {
  expect(secretTexts({ baseUrl: "https://k%2Fey@api.example/" })).toEqual(["k/ey:", "k%2Fey:", "k/ey", "k%2Fey"])
  expect(secretTexts({ "env.REPO": "https://tok_1:x-oauth-basic@git.example/" })).toContain("tok_1")
  expect(secretTexts({ baseUrl: "https://marmot:pa55@api.example/" })).not.toContain("marmot")
})

test("headers stay behind when the config moves to another origin", () => {
  expect(keepMasked({ spec: "https://other.example/doc" }, config)).toEqual({ spec: "https://other.example/doc", headers: null })
  expect(keepMasked({ spec: "https://example.com/other" }, config)).toEqual({ spec: "https://example.com/other" })
})

test("a mask that stands for nothing is refused", () => {
  expect(() => keepMasked({ spec: "https://other.example/doc?key=***" }, config)).toThrow("does not stand for a stored value")
  expect(() => keepMasked({ headers: { New: "***" } }, config)).toThrow("headers.New")
})
