// Tests who is asked before somebody else's code uses their own connections, and how often.
import { expect, test } from "vitest"
import { localHuman } from "../../core/principal.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import { systemClock } from "../../io/clock.ts"
import { callTarget } from "../testing/samples.ts"
import { withOwnConsent } from "./own-consent.ts"

const bob = { ...localHuman, user: "bob" }

function setUp(binding: object, kind = "registry") {
  const consents = new Set<string>()
  const keyOf = (user: string, tool: string, version: string): string => [user, tool, version].join()
  const store = {
    toolConsents: {
      has: async ({ user }: { user: string }, tool: string, version: string) => consents.has(keyOf(user, tool, version)),
      put: async ({ user }: { user: string }, tool: string, version: string) => void consents.add(keyOf(user, tool, version)),
    },
  }
  const whole = {
    toolId: "tool_1",
    version: "1.0.0",
    type: "custom",
    implementation: { uses: ["github.**"] },
    publishedBy: "alice",
    writtenBy: "carla",
    ...binding,
  }
  // Only these fields are read.
  const found = { integration: { kind }, tool: { binding: JSON.stringify(whole) } } as unknown as ResolvedTool
  return (who = bob) => withOwnConsent(who, found, callTarget(), { store, clock: systemClock })
}

test("whoever did not write it is asked once", async () => {
  const targetFor = setUp({})
  const first = await targetFor()
  expect(first).toMatchObject({ alwaysAsks: true, asksBecause: expect.stringMatching(/1\.0\.0.*alice.*github\.\*\*/) as unknown })
  await first.open()
  expect((await targetFor()).alwaysAsks).toBe(false)
  expect((await targetFor({ ...bob, user: "carol" })).alwaysAsks).toBe(true)
})

test.each([
  ["it names nothing", { implementation: {} }, "registry"],
  ["it names an empty list", { implementation: { uses: [] } }, "registry"],
  ["they wrote it themselves", { writtenBy: "bob" }, "registry"],
  ["it is not made of tools", { type: "http" }, "registry"],
  ["it is of another source", {}, "openapi"],
])("nobody is asked where %s", async (_name, binding, kind) => {
  expect((await setUp(binding, kind)()).alwaysAsks).toBe(false)
})
