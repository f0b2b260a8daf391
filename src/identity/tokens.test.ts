// Tests that a token is its principal until it is revoked, and that only humans hand tokens out.
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import type { TokenCreate } from "../core/token.ts"
import { systemClock } from "../io/clock.ts"
import { newId, sha256 } from "../io/ids.ts"
import type { Store } from "../store/store.ts"
import { openTestStore } from "../store/testing/open.ts"
import { createAccess } from "./access.ts"
import { createAuthenticate } from "./authenticate.ts"
import { ensureLocalToken, localTokenPath } from "./local-token.ts"
import { createToken, listTokens, removeToken } from "./token-create.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store, directory } = opened
const parts = { store, clock: systemClock, limits: defaultLimits }
const authenticateOn = (rows: Store) => createAuthenticate(rows, createAccess(rows, systemClock), systemClock)

async function newHuman(): Promise<Principal> {
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["member"] })
  return { tenant, user: "alice", roles: ["member"], rights: [], kind: "human", tokenId: null }
}

test("a token is known by its text alone, and stored without it", async () => {
  const human = await newHuman()
  const { id, token } = await createToken(human, { name: "ci", kind: "agent", elicitation: ["model"] }, parts)
  expect(token).toMatch(/^exa_/)
  expect(await store.tokens.get(human, id)).toMatchObject({ hash: sha256(token), name: "ci" })
  const authenticate = authenticateOn(store)
  const principal = {
    tenant: human.tenant,
    user: "alice",
    roles: ["member"],
    rights: [],
    kind: "agent",
    tokenId: id,
    elicitation: ["model"],
    surface: null,
  }
  expect(await authenticate(token)).toEqual(principal)
  for (const other of ["", token.slice(1), `${token}x`, sha256(token), "x".repeat(300)]) expect(await authenticate(other)).toBeNull()
})

test("a revoked token is refused at the next request, although it was known", async () => {
  const human = await newHuman()
  const authenticate = authenticateOn(store)
  const { id, token } = await createToken(human, { name: "ci", kind: "agent" }, parts)
  expect(await authenticate(token)).not.toBeNull()
  await removeToken(human, id, parts)
  expect(await authenticate(token)).toBeNull()
})

test("what is known is not looked up again while nothing changes; what is unknown is", async () => {
  const human = await newHuman()
  const { token } = await createToken(human, { name: "ci", kind: "agent" }, parts)
  let reads = 0
  const findByHash = (hash: string) => {
    reads += 1
    return store.tokens.findByHash(hash)
  }
  const authenticate = authenticateOn({ ...store, tokens: { ...store.tokens, findByHash } })
  for (const one of [token, token, "unknown", "unknown"]) await authenticate(one)
  expect(reads).toBe(3)
})

test("a token asks in the browser unless something else was said", async () => {
  const human = await newHuman()
  const { token } = await createToken(human, { name: "ci", kind: "human" }, parts)
  expect(token).toMatch(/^exh_/)
  expect(await authenticateOn(store)(token)).toMatchObject({ kind: "human", elicitation: ["browser"] })
})

test("an agent neither makes nor sees nor revokes tokens", async () => {
  const agent: Principal = { ...(await newHuman()), kind: "agent", tokenId: "tok_1" }
  const tries = [createToken(agent, { name: "x", kind: "agent" }, parts), listTokens(agent, {}, parts), removeToken(agent, "tok_1", parts)]
  for (const attempt of tries) await expect(attempt).rejects.toMatchObject({ code: "forbidden" })
})

test("nobody gets a human's token by leaving something out", async () => {
  const human = await newHuman()
  // As callers without a type checker write it.
  for (const input of [{ name: "x" }, { name: "x", kind: "admin" }] as unknown as TokenCreate[])
    await expect(createToken(human, input, parts)).rejects.toMatchObject({ code: "invalid_request" })
})

test("tokens are listed page by page, each user's own, without their hashes", async () => {
  const human = await newHuman()
  const ids: string[] = []
  for (const name of ["a", "b", "c"]) ids.push((await createToken(human, { name, kind: "agent" }, parts)).id)
  const first = await listTokens(human, { limit: 2 }, parts)
  const second = await listTokens(human, { limit: 2, cursor: first.nextCursor ?? "" }, parts)
  expect([...first.items, ...second.items].map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null])
  expect(Object.keys(first.items[0] ?? {})).not.toContain("hash")
  const [id = ""] = ids
  await expect(listTokens({ ...human, user: "bob" }, { user: "alice" }, parts)).rejects.toMatchObject({ code: "forbidden" })
  const admin: Principal = { ...human, user: "root", rights: ["admin"] }
  expect((await listTokens(admin, { user: "alice" }, parts)).items).toHaveLength(3)
  expect((await listTokens(admin, { user: "bob" }, parts)).items).toEqual([])
  await expect(removeToken({ ...human, user: "bob" }, id, parts)).rejects.toMatchObject({ code: "not_found" })
})

test("this machine's human has one token, in a file of their own, until it is revoked", async () => {
  const token = await ensureLocalToken(directory, store, systemClock)
  const path = localTokenPath(directory)
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([`${token}\n`, 0o600])
  expect(await ensureLocalToken(directory, store, systemClock)).toBe(token)
  const principal = await authenticateOn(store)(token)
  expect(principal).toMatchObject({ kind: "human", roles: ["admin"], elicitation: ["browser", "native", "model"] })
  if (principal === null) throw new Error("The token is known")
  await removeToken(principal, principal.tokenId ?? "", parts)
  const next = await ensureLocalToken(directory, store, systemClock)
  expect(next).not.toBe(token)
  expect(readFileSync(path, "utf8")).toBe(`${next}\n`)
})

test("a file that holds the token of another store is replaced", async () => {
  const path = localTokenPath(directory)
  writeFileSync(path, "exh_of_another_store\n")
  const token = await ensureLocalToken(directory, store, systemClock)
  expect(readFileSync(path, "utf8")).toBe(`${token}\n`)
  expect(await authenticateOn(store)("exh_of_another_store")).toBeNull()
})
