// Tests request bodies as a real server receives them, and reads multipart with the parser of another library.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Response } from "undici"
import type { SeenRequest } from "../../../../test/servers/echo.ts"
import type { Caller } from "../../../../test/servers/openapi-call.ts"
import { parameter, startCaller } from "../../../../test/servers/openapi-call.ts"
import { toolFile } from "../../../core/result.ts"
import type { BoundBody, BoundEncoding } from "../binding.ts"

let caller: Caller
beforeAll(async () => void (caller = await startCaller()))
afterAll(() => caller.close())

const body = (contentType: string, more: Partial<BoundBody> = {}): BoundBody => ({
  contentType,
  required: false,
  form: { kind: "whole", arg: "body" },
  encoding: {},
  ...more,
})
const flat = (properties: string[], open = false): BoundBody["form"] => ({ kind: "flat", properties, open })
const encoding = (more: Partial<BoundEncoding>): BoundEncoding => ({
  contentType: null,
  style: null,
  explode: null,
  allowReserved: false,
  ...more,
})

const post = (args: Record<string, unknown>, bound: BoundBody, parameters = [parameter("q", "query")]): Promise<SeenRequest> =>
  caller.seen(args, { binding: { method: "post", body: bound, parameters } })

const file = toolFile(Buffer.from([0, 255, 13, 10]), "image/png", 'a"b\r\n.png')

describe("JSON bodies", () => {
  it("take the flat arguments that are theirs", async () => {
    const seen = await post(
      { q: 1, name: "Rex", tags: [], owner: null, other: 2 },
      body("application/json", { form: flat(["name", "tags", "owner", "none"]) }),
    )
    expect(JSON.parse(seen.body.toString())).toEqual({ name: "Rex", tags: [], owner: null })
    expect(seen.headers).toMatchObject({ "content-type": "application/json", "content-length": String(seen.body.length) })
    expect(seen.path).toBe("/pets?q=1")
  })

  it("take all that belongs to no parameter when they are open, and names of prototypes as data", async () => {
    const args = JSON.parse('{"q":1,"name":"Rex","__proto__":{"x":1},"constructor":2}') as Record<string, unknown> // an object by its text
    const seen = await post(args, body("application/vnd.api+json; charset=utf-8", { form: flat(["name"], true) }))
    expect(seen.body.toString()).toBe('{"name":"Rex","__proto__":{"x":1},"constructor":2}')
    expect(seen.headers["content-type"]).toBe("application/vnd.api+json; charset=utf-8")
  })

  it.each([[[1, 2]], ["text"], [0], [false], [null], [{}]])("are %j as a whole", async (value) => {
    expect((await post({ body: value }, body("application/json"))).body.toString()).toBe(JSON.stringify(value))
  })

  it("are not sent when nothing is given, unless they are required", async () => {
    const nothing = await post({ q: 1 }, body("application/json", { form: flat(["name"]) }))
    expect(nothing.body.length).toBe(0)
    expect(Object.keys(nothing.headers)).not.toContain("content-type")
    expect((await post({}, body("application/json"))).body.length).toBe(0)
    expect((await post({}, body("application/json", { form: flat(["name"]), required: true }))).body.toString()).toBe("{}")
  })

  it.each([
    ["*/*", "application/json"],
    ["application/*", "application/json"],
  ])("stand for %s", async (range, contentType) => {
    expect((await post({ body: { a: 1 } }, body(range))).headers["content-type"]).toBe(contentType)
  })

  it("are lines where the type says so", async () => {
    expect((await post({ body: [{ a: 1 }, 2] }, body("application/x-ndjson"))).body.toString()).toBe('{"a":1}\n2\n')
  })
})

describe("form bodies", () => {
  const form = async (value: Record<string, unknown>, encodings: Record<string, BoundEncoding> = {}): Promise<string> => {
    const seen = await post({ body: value }, body("application/x-www-form-urlencoded", { encoding: encodings }))
    expect(seen.headers["content-type"]).toBe("application/x-www-form-urlencoded")
    return seen.body.toString()
  }

  it("repeat lists and write objects as JSON when the document says nothing", async () => {
    const text = await form({ a: "x y&z", b: [1, 2], c: { d: "e" }, n: null, t: true, u: [{ v: 1 }] })
    expect(text).toBe("a=x%20y%26z&b=1&b=2&c=%7B%22d%22%3A%22e%22%7D&t=true&u=%7B%22v%22%3A1%7D")
    expect(new URLSearchParams(text).get("a")).toBe("x y&z")
  })

  it("follow the encoding of each property", async () => {
    const encodings = {
      deep: encoding({ style: "deepObject", explode: true }),
      flat: encoding({ style: "form", explode: false }),
      exploded: encoding({ explode: true }),
      piped: encoding({ style: "pipeDelimited" }),
      json: encoding({ contentType: "application/json" }),
      raw: encoding({ allowReserved: true }),
    }
    const value = { deep: { a: [{ b: 1 }] }, flat: [1, 2], exploded: { k: "v" }, piped: ["x", "y"], json: [1, 2], raw: "a/b:c" }
    expect(await form(value, encodings)).toBe("deep%5Ba%5D%5B0%5D%5Bb%5D=1&flat=1,2&k=v&piped=x%7Cy&json=%5B1%2C2%5D&raw=a/b:c")
  })

  it("send files as base64, names of prototypes as data, and text as it is", async () => {
    expect(await form({ f: file, constructor: "x" })).toBe("f=AP8NCg%3D%3D&constructor=x")
    expect((await post({ body: "a=1&b=2" }, body("application/x-www-form-urlencoded"))).body.toString()).toBe("a=1&b=2")
  })
})

type Form = Awaited<ReturnType<Response["formData"]>>

describe("multipart bodies", () => {
  const parts = async (value: Record<string, unknown>, encodings: Record<string, BoundEncoding> = {}): Promise<Form> => {
    const seen = await post(value, body("multipart/form-data", { form: flat(Object.keys(value)), encoding: encodings }))
    const contentType = seen.headers["content-type"] ?? ""
    expect(contentType).toMatch(/^multipart\/form-data; boundary=[\w]+$/)
    return new Response(seen.body, { headers: { "content-type": contentType } }).formData()
  }

  it("have files, lists, objects and text as parts", async () => {
    const form = await parts({ text: "ü\r\n--x", n: 1, list: ["a", null, "b"], object: { a: [1] }, file, files: [file, file], none: null })
    expect(form.get("text")).toBe("ü\r\n--x")
    expect(form.get("n")).toBe("1")
    expect(form.getAll("list")).toEqual(["a", "b"])
    expect(form.get("object")).toBe('{"a":[1]}')
    expect(form.getAll("files")).toHaveLength(2)
    expect([...form.keys()]).not.toContain("none")
    const sent = form.get("file") as File // the assertion below would fail otherwise
    expect({ name: sent.name, type: sent.type }).toEqual({ name: 'a"b\r\n.png', type: "image/png" })
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from([0, 255, 13, 10]))
  })

  it("take the content type of a part from the document, if it names one", async () => {
    const seen = await post(
      { a: file, b: file, c: { x: 1 }, d: toolFile(Buffer.from("x"), "evil\r\nx: y") },
      body("multipart/form-data", {
        form: flat(["a", "b", "c", "d"]),
        encoding: {
          a: encoding({ contentType: "image/jpeg" }),
          b: encoding({ contentType: "image/png, image/*" }),
          c: encoding({ contentType: "application/merge-patch+json" }),
        },
      }),
    )
    const types = [...seen.body.toString("latin1").matchAll(/content-type: (.*)\r\n/g)].map((match) => match[1])
    expect(types).toEqual(["image/jpeg", "image/png", "application/merge-patch+json", "application/octet-stream"])
  })

  it("keep hostile names inside their header", async () => {
    const form = await parts({ 'a"; filename="x\r\ny: z': "1" })
    expect([...form.keys()]).toEqual(['a"; filename="x\r\ny: z'])
  })
})

describe("other bodies", () => {
  it.each([
    ["text/plain", "Grüße", "text/plain"],
    ["text/*", "a", "text/plain"],
    ["application/xml", "<a/>", "application/xml"],
    ["application/soap+xml", "<a/>", "application/soap+xml"],
    ["text/csv", 5, "text/csv"],
    ["application/octet-stream", "text as it is", "application/octet-stream"],
  ])("of type %s carry %j", async (type, value, sentType) => {
    const seen = await post({ body: value }, body(type))
    expect(seen.body.toString()).toBe(String(value))
    expect(seen.headers["content-type"]).toBe(sentType)
  })

  it.each([
    ["application/octet-stream", "application/octet-stream"],
    ["image/*", "image/png"],
    ["text/plain", "text/plain"],
  ])("of type %s carry the bytes of a file", async (type, sentType) => {
    const seen = await post({ body: file }, body(type))
    expect(seen.body).toEqual(Buffer.from([0, 255, 13, 10]))
    expect(seen.headers["content-type"]).toBe(sentType)
  })

  it("refuse a file whose data is not base64", async () => {
    const broken = { ...file, data: "data:image/png;base64,AAAA" }
    const binding = { method: "post", body: body("application/octet-stream") }
    expect(await caller.refusal({ body: broken }, { binding })).toBe("The data of the file 'body' is not base64")
  })
})

describe("forms", () => {
  it.each(["application/x-www-form-urlencoded", "multipart/form-data"])("of type %s refuse what has no fields", async (type) => {
    for (const value of [5, ["a"], null, file])
      expect(await caller.refusal({ body: value }, { binding: { method: "post", body: body(type) } })).toContain("object of its fields")
  })
})
