// Which connections need attention.
import { expect, test } from "vitest"
import type { ConnectionView } from "toolplane/client"
import { problemsOf } from "./problems.ts"

const fine = {
  integration: "shop",
  owner: "org",
  name: "main",
  status: "ready",
  consent: null,
  error: null,
  warnings: [],
  changedTools: [],
  unconfirmedOrigins: [],
}
const texts = (change: object): string[] => problemsOf([{ ...fine, ...change } as unknown as ConnectionView]).map(({ text }) => text) // plain texts for names

test("a connection that works says nothing, one that does not says why, and changed tools are counted", () => {
  expect(texts({})).toEqual([])
  expect(texts({ status: "needs_credentials", error: "the token has expired" })).toEqual([
    "shop.org.main does not work: the token has expired",
  ])
  expect(texts({ status: "needs_review", error: "a command", unconfirmedOrigins: ["https://new.example.com"] })).toEqual([
    "shop.org.main waits until somebody confirms https://new.example.com",
  ])
  const over = { renewable: false, expiresAt: "2020-01-01T00:00:00.000Z", ended: null }
  expect(texts({ consent: over })).toEqual(["shop.org.main does not work: expired"])
  expect(texts({ consent: { ...over, renewable: true } })).toEqual([])
  expect(texts({ changedTools: ["a"] })).toEqual(["1 tool of shop.org.main changed and waits to be accepted"])
  expect(texts({ warnings: ["no server"], changedTools: ["a", "b"] })).toEqual([
    "2 tools of shop.org.main changed and wait to be accepted",
    "shop.org.main: no server",
  ])
})
