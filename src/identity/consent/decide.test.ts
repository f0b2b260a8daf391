// Tests that a consent for the pass-through of one integration gives the tools of that integration alone.
import { afterAll, expect, test } from "vitest"
import { openTestStore } from "../../store/testing/open.ts"
import { issuer, openConsent } from "../testing/consent.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened

async function grantedFor(patterns: string[] | null): Promise<unknown> {
  const { register, decide, ask, redeem, authenticate, human, notes } = await openConsent(store)
  const id = await register()
  const answer = await decide(ask(id, { resource: `${issuer}/mcp/direct/shop` }), { patterns })
  const tokens = await redeem(id, answer.searchParams.get("code") ?? "")
  const principal = await authenticate(tokens.access_token)
  const granted: unknown = JSON.parse((await store.tokens.get(human, principal?.tokenId ?? ""))?.patterns ?? "null")
  expect(notes.find(({ action }) => action === "consent.allow")?.details).toMatchObject({ patterns: granted })
  return granted
}

test.each([
  [null, ["shop.**"]],
  [["*"], ["shop.**"]],
  [["**"], ["shop.**"]],
  [["**.delete*"], ["shop.**.delete*"]],
  [["s*.orders.*", "shop.orders.*"], ["shop.orders.*"]],
  [["github.**", "shop.orders.list"], ["shop.orders.list"]],
])("%j becomes %j", async (given, granted) => {
  expect(await grantedFor(given)).toEqual(granted)
})

test.each([[["github.**"]], [["shopping.**"]], [["sho.**", "shop2.*"]]])("%j has nothing of it, and is refused", async (given) => {
  await expect(grantedFor(given)).rejects.toMatchObject({ code: "invalid_request" })
})
