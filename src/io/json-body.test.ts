// What a body may be, and how one that may not is refused.
import { expect, test } from "vitest"
import { readJson } from "./json-body.ts"

const limits = { bytesMax: 1000, depthMax: 10, valuesMax: 100, checkedLevels: 10 }

const post = (body: string | ReadableStream, headers: Record<string, string> = { "content-type": "application/json" }): Request =>
  // A browser's types know no `duplex`, which a stream needs here.
  new Request("http://localhost/", Object.assign({ method: "POST", body, headers }, { duplex: "half" as const }))

const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64).fill(0x20)) })

test.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"])(
  "%s is read",
  async (type) => {
    expect(await readJson(post('{"a":[1,"é"]}', { "content-type": type }), limits)).toEqual({ a: [1, "é"] })
  },
)

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data; boundary=x", ""])(
  "%j is refused, because a web page could send it without asking",
  async (type) => {
    await expect(readJson(post("{}", type === "" ? {} : { "content-type": type }), limits)).rejects.toMatchObject({
      code: "invalid_request",
    })
  },
)

test("a compressed body is refused", async () => {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" }
  await expect(readJson(post("{}", headers), limits)).rejects.toMatchObject({ code: "invalid_request" })
})

test("a declared length over the limit is refused before anything is read", async () => {
  const request = post(endless(), { "content-type": "application/json", "content-length": "1001" })
  await expect(readJson(request, limits)).rejects.toMatchObject({ code: "payload_too_large" })
  expect(request.bodyUsed).toBe(false)
})

test("a body without a length is read up to the limit", async () => {
  await expect(readJson(post(endless()), limits)).rejects.toMatchObject({ code: "payload_too_large" })
})

test("invalid JSON is answered with its place and without its text", async () => {
  const error: unknown = await readJson(post('{"token": "hunter2" oops}'), limits).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: "invalid_request", message: expect.stringMatching(/not valid JSON \(line 1 column \d+\)/) })
  expect(JSON.stringify(error)).not.toContain("hunter2")
})

test.each(["", " ", "{", "nul", "{'a':1}", "\u0000"])("%j is not JSON", async (body) => {
  await expect(readJson(post(body), limits)).rejects.toMatchObject({ code: "invalid_request" })
})

test("ten levels are read, eleven are not", async () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)
  await expect(readJson(post(nested(10)), limits)).resolves.toBeDefined()
  await expect(readJson(post(nested(11)), limits)).rejects.toThrow("nested more than 10 levels")
})

test("depth does not cost stack", async () => {
  const body = '{"a":'.repeat(300_000)
  await expect(readJson(post(body + "1" + "}".repeat(300_000)), { ...limits, bytesMax: 10_000_000, depthMax: 1000 })).rejects.toThrow(
    "nested more than 1000 levels",
  )
})

test("__proto__ is a plain key", async () => {
  const value = await readJson(post('{"__proto__": {"isAdmin": true}}'), limits)
  expect(Object.keys(value as object)).toEqual(["__proto__"])
  expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

test("a body of too many values is refused before a schema looks at each of them", async () => {
  await expect(readJson(post(`[${"1,".repeat(98)}1]`), limits)).resolves.toHaveLength(99)
  await expect(readJson(post(`[${"1,".repeat(99)}1]`), limits)).rejects.toMatchObject({ code: "payload_too_large" })
  const shallow = { ...limits, checkedLevels: 1 }
  await expect(readJson(post(`{"a":[${"1,".repeat(200)}1]}`), shallow)).resolves.toBeDefined()
})

test("a long body is read as a short one is", async () => {
  const long = { ...limits, bytesMax: 1_000_000, checkedLevels: 1 }
  const items = Array.from({ length: 40_000 }, (_, at) => ({ at }))
  await expect(readJson(post(JSON.stringify({ items })), long)).resolves.toEqual({ items })
  await expect(readJson(post(JSON.stringify({ items }).replace("39999", "oops")), long)).rejects.toThrow("The body is not valid JSON")
  await expect(readJson(post(`{"a":${"[".repeat(20)}${JSON.stringify(items)}${"]".repeat(20)}}`), long)).rejects.toThrow(
    "nested more than 10 levels",
  )
})
