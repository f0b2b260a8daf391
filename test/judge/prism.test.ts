// The judge itself: that it complains of what is wrong, so that its silence means something.
import { beforeAll, describe, expect, test } from "vitest"
import { createJudge } from "./prism.ts"
import type { Judge } from "./prism.ts"
import type { Recorded } from "./recorder.ts"
import { stylesDocument } from "./styles.ts"

let judge: Judge
beforeAll(async () => void (judge = await createJudge(stylesDocument("3.0.3"), "/v1")))

const request = (method: string, target: string, headers: Record<string, string> = {}, body = ""): Recorded => ({
  method,
  target,
  headers: { ...headers, ...(body === "" ? {} : { "content-length": String(body.length) }) },
  body: Buffer.from(body),
})
const json = { "content-type": "application/json" }

describe("the judge", () => {
  test.each([
    [request("GET", "/v1/query/form/join/list?value=1,2")],
    [request("GET", "/v1/query/deepObject/explode/object?value[kind]=R&value[count]=2")],
    [request("GET", "/v1/path/matrix/explode/list/;value=1;value=2")],
    [request("PUT", "/v1/body/0/5", json, '{"id":1,"name":"a"}')],
    [request("GET", "/v1/security/basic", { authorization: `Basic ${btoa("a:b")}` })],
  ])("is silent about what is right", async (given) => {
    expect(await judge.judge(given, "all")).toMatchObject({ complaints: [], setAside: [] })
    expect(await judge.unwatched(given)).toEqual([])
  })

  test.each([
    ["NO_PATH_MATCHED_ERROR", request("GET", "/v1/nowhere")],
    ["NO_PATH_MATCHED_ERROR", request("GET", "/query/form/join/list?value=1,2")],
    ["NO_METHOD_MATCHED_ERROR", request("POST", "/v1/query/form/join/list?value=1,2")],
    ["required", request("GET", "/v1/query/form/join/list?valu=1,2")],
    ["type", request("GET", "/v1/query/form/join/list?value=1,b")],
    ["minItems", request("GET", "/v1/query/form/join/list?value=1%202")],
    ["enum", request("GET", "/v1/query/deepObject/explode/object?value[kind]=B&value[count]=2")],
    ["required", request("GET", "/v1/header/simple/join/object", { "x-value": "kind=R,count=2" })],
    ["required", request("PUT", "/v1/body/0/5", json, '{"id":1}')],
    ["required", request("PUT", "/v1/body/0/5", json)],
    ["additionalProperties", request("PUT", "/v1/body/0/5", json, '{"id":1,"name":"a","more":1}')],
    ["format", request("PUT", "/v1/body/0/5", json, '{"id":1,"name":"a","at":"today"}')],
    ["type", request("PUT", "/v1/body/0/x", json, '{"id":1,"name":"a"}')],
    ["415", request("PUT", "/v1/body/0/5", { "content-type": "text/plain" }, '{"id":1,"name":"a"}')],
    ["401", request("GET", "/v1/security/basic", { authorization: "Bearer x" })],
    ["401", request("GET", "/v1/security/keyHeader-keyQuery-basic", { "x-key": "a" })],
  ])("complains of what is wrong: %s", async (code, given) => {
    const { complaints } = await judge.judge(given, "required")
    expect(complaints.map((complaint) => complaint.code)).toContain(code)
  })

  test("demands what is optional only where everything was given", async () => {
    const document = {
      openapi: "3.0.3",
      info: { title: "T", version: "1" },
      paths: { "/a": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string" } }], responses: {} } } },
    }
    const lenient = await createJudge(document, "")
    expect((await lenient.judge(request("GET", "/a"), "required")).complaints).toEqual([])
    expect((await lenient.judge(request("GET", "/a"), "all")).complaints).toMatchObject([{ code: "required", path: ["query"] }])
  })

  test("names what it does not look at", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: [5] }
    const content = { "application/json": { schema } }
    const blind = await createJudge(
      { openapi: "3.0.3", info: { title: "T", version: "1" }, paths: { "/a": { put: { requestBody: { content }, responses: {} } } } },
      "",
    )
    expect(await blind.unwatched(request("PUT", "/a", json, '{"a":"x"}'))).toEqual(["body"])
  })
})
