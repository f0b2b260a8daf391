// What one token finds and can call through each surface, and people with roles to try it with.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { PrincipalKind } from "../../src/core/principal.ts"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import type { Store } from "../../src/store/store.ts"
import { roleRow, userRow } from "../../src/store/testing/samples.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import { connectMcp } from "./mcp-client.ts"
import type { Product } from "./product.ts"

/** By integration, the names of its tools. */
export type RoleCatalog = Readonly<Record<string, readonly string[]>>

export const subjectsOf = (catalog: RoleCatalog): string[] =>
  Object.entries(catalog)
    .flatMap(([slug, tools]) => tools.map((tool) => `${slug}.${tool}`))
    .toSorted()

/** A word that stands in the description of this tool alone. */
const markOf = (subject: string): string => `Mark${subject.replaceAll(".", "")}Only`

const specOf = (slug: string, tools: readonly string[], url: string): object => ({
  openapi: "3.1.0",
  info: { title: slug, version: "1" },
  servers: [{ url }],
  paths: Object.fromEntries(
    tools.map((tool) => [
      `/${slug}/${tool}`,
      { get: { operationId: tool.replaceAll(".", "/"), description: markOf(`${slug}.${tool}`), responses: {} } },
    ]),
  ),
})

/** An API for each integration, which remembers what was called. */
export async function connectCatalog(catalog: RoleCatalog, { client }: Product) {
  const called: string[] = []
  const server = createServer((request, response) => {
    called.push((request.url ?? "").slice(1).replace("/", "."))
    response.setHeader("content-type", "application/json").end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  for (const [slug, tools] of Object.entries(catalog)) {
    await client.integrations.add({ slug, kind: "openapi", config: { spec: specOf(slug, tools, url) } })
    await client.connections.create({ integration: slug })
  }
  return {
    called,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Somebody with one role of these patterns, and a token that may be narrower. Called again, it changes the role. */
export async function personWith(
  store: Store,
  user: string,
  patterns: readonly string[],
  { narrowed = null, kind = "agent" }: { readonly narrowed?: readonly string[] | null; readonly kind?: PrincipalKind } = {},
): Promise<string> {
  const scope = { tenant: "default", user }
  await store.roles.put(scope.tenant, roleRow({ id: `role_${user}`, name: user, patterns }))
  await store.users.put(userRow(scope, { roles: [{ role: `role_${user}`, from: "given" }] }))
  const { row, token } = newToken(scope, { name: "test", kind }, systemClock)
  await store.tokens.put({ ...row, patterns: narrowed === null ? null : JSON.stringify(narrowed) })
  return token
}

/** The subjects that each surface shows or calls. */
export async function seenThrough(product: Product, token: string, catalog: RoleCatalog): Promise<Record<string, string[]>> {
  const all = subjectsOf(catalog)
  const client = createClient({ origin: `${product.url}/api`, token })
  const get = (path: string) => product.request("GET", path, undefined, token)
  const among = async (isSeen: (subject: string) => boolean | Promise<boolean>): Promise<string[]> => {
    const seen: string[] = []
    for (const subject of all) if (await isSeen(subject)) seen.push(subject)
    return seen
  }
  const shorten = (address: string): string => address.replace(/^tools\./, "").replace(".org.main.", ".")
  const ofCatalog = (paths: readonly string[]): string[] =>
    paths.map(shorten).filter((subject) => Object.hasOwn(catalog, subject.split(".", 1)[0] ?? ""))
  const types = await client.tools.types()
  const inCode = await codeSees(client, all)
  return {
    pages: ofCatalog(await pagedAddresses(get)).toSorted(),
    list: ofCatalog((await client.tools.list()).map(({ address }) => address)).toSorted(),
    search: await among(async (subject) =>
      ofCatalog((await client.tools.search({ query: markOf(subject), limit: 100 })).items.map(({ path }) => path)).includes(subject),
    ),
    schema: await among(async (subject) => (await get(`/tools/schema?address=${fullPath(subject)}`)).status === 200),
    types: await among((subject) => types.includes(markOf(subject))),
    direct: await directTools(product, token, catalog),
    execute: await calledOverMcp(product, token, all),
    ...inCode,
  }
}

const fullPath = (subject: string): string => subject.replace(".", ".org.main.")

async function pagedAddresses(get: (path: string) => Promise<{ body: unknown }>): Promise<string[]> {
  const addresses: string[] = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await get(`/tools?includeBlocked=false&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
    const page = body as { items: { address: string }[]; nextCursor: string | null } // as documented
    // What is hidden takes no place: a page that is not the last one is full.
    if (page.nextCursor !== null && page.items.length !== 2) throw new Error("A page has room, although another one follows")
    addresses.push(...page.items.map(({ address }) => address))
    cursor = page.nextCursor
  }
  return addresses
}

/** How many tools and services an agent reads of in the description of `execute`. */
export async function describedReach({ url }: Product, token: string): Promise<string> {
  const client = await connectMcp(`${url}/mcp`, { era: "modern", token })
  const { tools } = await client.listTools()
  await client.close()
  const { description = "" } = tools.find(({ name }) => name === "execute") ?? {}
  return /[\d,]+ tools? of \d+ connected services?/.exec(description)?.[0] ?? description
}

/** By code that an agent sends to `execute`. */
async function calledOverMcp({ url }: Product, token: string, all: readonly string[]): Promise<string[]> {
  const client = await connectMcp(`${url}/mcp`, { era: "modern", token })
  const code = `
    const called = []
    for (const subject of ${JSON.stringify(all)}) {
      const answer = await tools[subject.replace(".", ".org.main.")]({})
      if (answer.ok) called.push(subject)
      else if (answer.error.code !== "tool_blocked") throw new Error(subject + " is " + answer.error.code)
    }
    return called`
  const { structuredContent } = await client.callTool({ name: "execute", arguments: { code } })
  await client.close()
  return (structuredContent as { result: string[] }).result // as the code returns it
}

/** Listed and called one by one. */
async function directTools({ url }: Product, token: string, catalog: RoleCatalog): Promise<string[]> {
  const seen: string[] = []
  for (const [slug, tools] of Object.entries(catalog)) {
    const client = await connectMcp(`${url}/mcp/direct/${slug}`, { era: "modern", token }).catch(() => null)
    if (client === null) continue
    const listed = new Set((await client.listTools()).tools.map(({ name }) => name))
    for (const tool of tools) {
      const name = tool.replaceAll(".", "_")
      const answer = await client.callTool({ name, arguments: {} }).catch(() => ({ isError: true }))
      if (listed.has(name) !== (answer.isError !== true)) throw new Error(`${slug}.${tool} is ${listed.has(name) ? "" : "not "}listed`)
      if (listed.has(name)) seen.push(`${slug}.${tool}`)
    }
    await client.close()
  }
  return seen.toSorted()
}

async function codeSees(client: ReturnType<typeof createClient>, all: readonly string[]): Promise<Record<string, string[]>> {
  const code = `
    const found = { codeSearch: [], codeDescribe: [], codeFull: [], codeShort: [], refused: [] }
    for (const subject of ${JSON.stringify(all)}) {
      const full = subject.replace(".", ".org.main.")
      const mark = "Mark" + subject.replaceAll(".", "") + "Only"
      if ((await tools.search({ query: mark, limit: 100 })).items.some((item) => item.path === full)) found.codeSearch.push(subject)
      if (!("error" in (await tools.describe.tool({ path: full })))) found.codeDescribe.push(subject)
      const answers = [await tools[full]({}), await tools[subject]({})]
      if (answers[0].ok) found.codeFull.push(subject)
      if (answers[1].ok) found.codeShort.push(subject)
      for (const answer of answers) if (!answer.ok && answer.error.code === "tool_blocked") found.refused.push(subject)
    }
    return found`
  const { structured } = await client.run(code)
  const { refused, ...seen } = (structured as { result: Record<string, string[]> }).result // as the code returns it
  const hidden = all.filter((subject) => seen["codeFull"]?.includes(subject) !== true)
  // Named exactly, by either path, what is hidden is refused rather than missing.
  const expected = hidden.flatMap((subject) => [subject, subject])
  if (JSON.stringify(refused) !== JSON.stringify(expected)) throw new Error(`Refused: ${JSON.stringify(refused)}`)
  return seen
}
