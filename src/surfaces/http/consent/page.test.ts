// What the consent page offers to grant.
import { expect, test } from "vitest"
import type { ConsentOffer } from "../../../core/authorization-server.ts"
import { offerContent } from "./page.ts"

const offer: ConsentOffer = {
  kind: "offer",
  clientName: "Client",
  clientHost: null,
  redirect: { kind: "this_machine", host: "127.0.0.1:1" },
  integration: null,
  roles: [
    { id: "approver", name: "approver", patterns: ["shop.**"] },
    { id: "dev", name: "Developer", patterns: ["desk.*"] },
    { id: "member", name: "Member", patterns: ["*"] },
  ],
  shown: "hash",
}
const textOf = async (one: ConsentOffer, integrations: readonly string[]): Promise<string> =>
  String(await offerContent(one, integrations).content).replace(/\s+/g, " ")

test("a role is named once, with its id where that says more, and one that allows everything is not offered", async () => {
  const text = await textOf(offer, [])
  expect(text).toContain("my role approver allows now")
  expect(text).toContain('my role Developer <span class="soft">(dev)</span> allows now')
  expect(text).not.toContain("my role Member")
})

test("examples are of the reader's own tools, or of those that the client asks for", async () => {
  expect(await textOf(offer, ["shop"])).toContain('placeholder="shop.**"')
  const one = await textOf({ ...offer, integration: "desk" }, ["shop"])
  expect(one).toContain('placeholder="desk.**"')
  expect(one).toContain(">desk.**</textarea>")
})
