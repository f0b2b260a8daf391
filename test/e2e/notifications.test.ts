// Approvals that wait, told to real receivers: signed, without arguments, once, and to those that lie.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import type { DeliveryView, NotificationCreate, NotificationCreated } from "../../src/core/notifications/notification.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startReceiver, withStatus } from "../servers/receiver.ts"
import type { Receiver } from "../servers/receiver.ts"
import { openCli } from "./cli-run.ts"
import { readSnippets } from "./doc-blocks.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const limits = JSON.stringify({ notificationRetryMs: 100, notificationLookMs: 200, notificationTriesMax: 3, notificationHeadMs: 1000 })
const env = { EXECUTOR_LIMITS: limits }
const secretName = "s3cret-argument"
const waitMs = { timeout: 60_000, interval: 50 }

type Verify = (header: string, body: string, secret: string, now?: number) => boolean

let ledger: Ledger
let receiver: Receiver
let product: Product
let verify: Verify

beforeAll(async () => {
  ;[ledger, receiver] = await Promise.all([startLedger(), startReceiver()])
  product = await startProduct({ env })
  await addLedger(product)
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/notifications.md"), "utf8")
  const module = join(mkdtempSync(join(tmpdir(), "executor-verify-")), "verify.mjs")
  writeFileSync(module, readSnippets(guide, "js")[0] ?? "")
  verify = ((await import(pathToFileURL(module).href)) as { isFromExecutor: Verify }).isFromExecutor // as the guide exports it
})
afterAll(async () => {
  await product.stop()
  await Promise.all([ledger.close(), receiver.close()])
})

async function addLedger({ client }: Product): Promise<void> {
  await client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
}

/** Answers the id of the approval that waits. */
async function ask(client: Client): Promise<string> {
  const reply = await client.run(`return (await tools.ledger.items.create({ name: "${secretName}" })).ok`)
  if (reply.structured.status !== "waiting_for_interaction") throw new Error(`It does not wait: ${reply.text}`)
  return reply.structured.interactions[0]?.approvalId ?? ""
}

const add = (path: string, fields: Partial<NotificationCreate> = {}): Promise<NotificationCreated> =>
  product.client.notifications.create({ name: path, kind: "webhook", url: `${receiver.url}${path}`, ...fields })

/** Switches it off when the test is done, so that the next ones do not call it. */
async function using(created: Promise<NotificationCreated>, work: (one: NotificationCreated) => Promise<void>): Promise<void> {
  const one = await created
  try {
    await work(one)
  } finally {
    await product.client.notifications.update(one.id, { enabled: false })
  }
}

const logOf = async (id: string, client = product.client): Promise<readonly DeliveryView[]> => (await client.notifications.log(id)).items

const until = (id: string, want: Partial<DeliveryView>, client = product.client): Promise<DeliveryView> =>
  vi.waitFor(async () => {
    const [last] = await logOf(id, client)
    expect(last).toMatchObject(want)
    return last as DeliveryView // as the line above says
  }, waitMs)

describe("a webhook", () => {
  test("is signed as the guide says, links to the inbox, and tells no argument", () =>
    using(add("/signed"), async ({ id, signingSecret, host }) => {
      const approvalId = await ask(product.client)
      const [got] = await receiver.seen("/signed", 1)
      const { body = "", headers = {}, json } = got ?? {}
      const header = headers["x-executor-signature"] ?? ""
      expect(verify(header, body, signingSecret ?? "")).toBe(true)
      expect(verify(header, `${body} `, signingSecret ?? "")).toBe(false)
      expect(verify(header, body, "whsec_other")).toBe(false)
      expect(verify(header, body, signingSecret ?? "", Date.now() + 3_600_000)).toBe(false)
      expect(json).toMatchObject({
        type: "approval.waiting",
        approval: {
          id: approvalId,
          url: `${product.pagesUrl}/approve/${approvalId}`,
          tool: "ledger.org.main.items.create",
          effect: "write",
        },
      })
      expect(body).not.toContain(secretName)
      const delivered = await until(id, { state: "delivered", attempts: 1, status: 204, approvalId })
      expect(delivered.id).toBe(json?.["id"])
      expect(host).toBe(new URL(receiver.url).host)
      // The address is not to be read anywhere again, nor is the secret.
      const everything = JSON.stringify([
        await product.client.notifications.list(),
        (await product.client.audit.list()).items.filter(({ action }) => action.startsWith("notification.")),
      ])
      expect(everything).toContain("notification.create")
      expect(everything).not.toContain("whsec_")
      expect(everything).not.toContain(`${receiver.url}/signed`)
      expect(product.output()).not.toContain("/signed")
    }))

  test("tells the arguments where an admin said so", () =>
    using(add("/arguments", { includeArguments: true }), async () => {
      await ask(product.client)
      const [got] = await receiver.seen("/arguments", 1)
      expect(got?.json).toMatchObject({ approval: { arguments: { name: secretName } } })
    }))

  test("is told of the tools that its patterns match alone", () =>
    using(add("/none", { patterns: ["mail.*"] }), async ({ id, patterns }) => {
      expect(patterns).toEqual(["mail.**"])
      await using(add("/some", { patterns: ["mail.*", "ledger.org.*"] }), async (full) => {
        const short = await add("/short", { patterns: ["ledger.items.create"] })
        await ask(product.client)
        for (const some of [full, short]) await until(some.id, { state: "delivered" })
        await product.client.notifications.remove(short.id)
        expect(await logOf(id)).toEqual([])
        expect(receiver.ledger.filter(({ path }) => path === "/none")).toEqual([])
      })
    }))
})

test("a message for Slack is text with one link, whatever an agent is called", () =>
  using(add("/slack", { kind: "slack", includeArguments: true }), async ({ signingSecret }) => {
    expect(signingSecret).toBeNull()
    const name = "<!channel> <https://evil.example|here> [x](https://evil.example) `*b* & \u202ebot"
    const { token } = await product.client.tokens.create({ name, kind: "agent" })
    const approvalId = await ask(createClient({ origin: `${product.url}/api`, token }))
    const [got] = await receiver.seen("/slack", 1)
    const text = String(got?.json["text"])
    const link = `<${product.pagesUrl}/approve/${approvalId}|Open the inbox>`
    expect(text.endsWith(`\n${link}`)).toBe(true)
    const rest = text.slice(0, -link.length)
    expect(rest).not.toMatch(/[<>\u202e]/)
    // What others wrote is inside of code, which ends where we end it.
    expect(rest.split("`")[3]).toContain("&lt;!channel&gt;")
    expect(
      rest
        .split("`")
        .filter((_, at) => at % 2 === 0)
        .join(""),
    ).not.toMatch(/evil|channel/)
    expect(rest).toContain(secretName)
    expect(got?.json).toMatchObject({ blocks: [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }] })
    expect(got?.headers["x-executor-signature"]).toBeUndefined()
  }))

describe("a receiver that", () => {
  test("fails is asked again, with the same id and after the wait that it asks for", () =>
    using(add("/busy"), async ({ id }) => {
      receiver.answer("/busy", withStatus(500), withStatus(429, { "retry-after": "1" }))
      await ask(product.client)
      await receiver.seen("/busy", 2)
      const got = await receiver.seen("/busy", 3)
      expect(new Set(got.map(({ json }) => json["id"])).size).toBe(1)
      const [second, third] = got.slice(1).map(({ headers }) => Number(/t=(\d+)/.exec(headers["x-executor-signature"] ?? "")?.[1]))
      expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1)
      await until(id, { state: "delivered", attempts: 3, status: 204, error: null })
    }))

  test("never comes back is given up", () =>
    using(add("/down"), async ({ id }) => {
      receiver.answer("/down", withStatus(503), withStatus(500), withStatus(502))
      await ask(product.client)
      await until(id, { state: "failed", attempts: 3, status: 502, error: "The receiver answered 502", nextTryAt: null })
    }))

  test("redirects, to a private place or elsewhere, is not followed", () =>
    using(add("/redirect"), async ({ id }) => {
      receiver.answer("/redirect", withStatus(307, { location: `${receiver.url}/stolen` }))
      await ask(product.client)
      await until(id, { state: "failed", attempts: 1, status: 307, error: expect.stringContaining("redirects are not followed") as string })
      expect(receiver.ledger.filter(({ path }) => path === "/stolen")).toEqual([])
    }))

  test("does not answer in time, or hangs up, is asked again; one whose body never ends has answered", () =>
    using(add("/odd"), async ({ id }) => {
      let isCut = false
      receiver.answer(
        "/odd",
        () => {},
        (response) => response.destroy(),
        (response) => {
          response.writeHead(200).on("close", () => (isCut = true))
          const pour = (): void => {
            while (!response.destroyed && response.write("x".repeat(65_536)));
            if (!response.destroyed) response.once("drain", pour)
          }
          pour()
        },
      )
      await ask(product.client)
      await until(id, { state: "delivered", attempts: 3, status: 200 })
      await vi.waitFor(() => expect(isCut).toBe(true), waitMs)
    }))

  test("is gone switches the notification off", () =>
    using(add("/gone"), async ({ id }) => {
      receiver.answer("/gone", withStatus(410))
      await ask(product.client)
      await until(id, { state: "failed", attempts: 1, status: 410 })
      await vi.waitFor(async () => {
        const { items } = await product.client.notifications.list()
        expect(items.find((one) => one.id === id)?.enabled).toBe(false)
      }, waitMs)
      const { items } = await product.client.audit.list()
      expect(items.some(({ action, subject }) => action === "notification.disable" && subject === id)).toBe(true)
    }))

  test("was away until the approval was answered is not told any more", () =>
    using(add("/late"), async ({ id }) => {
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      receiver.answer("/late", (response) => void answered.then(() => response.writeHead(500).end()))
      const approvalId = await ask(product.client)
      await receiver.seen("/late", 1)
      await product.client.approvals.answer(approvalId, { action: "decline" })
      resolve()
      await until(id, { state: "dropped", attempts: 1 })
      expect(await receiver.seen("/late", 1)).toHaveLength(1)
    }))
})

test("the command line adds, tries, lists, changes and removes; the address comes from stdin", async () => {
  const cli = openCli(product.dataDir)
  const added = (await cli.json(["notifications", "add", "webhook", "--name", "On call", "--tools", "mail.*", "--url-stdin"], {
    stdin: `${receiver.url}/cli\n`,
  })) as NotificationCreated
  expect(added).toMatchObject({
    name: "On call",
    patterns: ["mail.**"],
    includeArguments: false,
    signingSecret: expect.stringMatching(/^whsec_/),
  })
  expect(await cli.run(["notifications", "test", added.id])).toMatchObject({ code: 0, stdout: "Delivered: the receiver answered 204\n" })
  expect((await receiver.seen("/cli", 1))[0]?.json).toMatchObject({ type: "test", approval: null })
  receiver.answer("/cli", withStatus(404))
  expect(await cli.run(["notifications", "test", added.id])).toMatchObject({
    code: 1,
    stdout: "Not delivered: The receiver answered 404\n",
  })
  expect((await cli.run(["notifications", "log", added.id])).stdout).toMatch(/failed +test +1 +404 .*\n.*delivered +test +1 +204/)
  const rotated = (await cli.json(["notifications", "edit", added.id, "--disable", "--rotate-secret"])) as NotificationCreated
  expect(rotated).toMatchObject({ enabled: false, patterns: ["mail.**"] })
  expect(rotated.signingSecret).not.toBe(added.signingSecret)
  expect((await cli.run(["notifications", "list"])).stdout).toMatch(new RegExp(`${added.id} +On call +webhook .* off +mail`))
  expect(await cli.run(["notifications", "remove", added.id, "--yes"])).toMatchObject({ code: 0 })
  expect(await product.request("GET", `/notifications/${added.id}/log`)).toMatchObject({ status: 404 })
})

test("only admins have to do with them, and what is wrong is refused", async () => {
  const { token } = await product.client.tokens.create({ name: "agent", kind: "agent" })
  for (const [method, path, body] of [
    ["GET", "/notifications", undefined],
    ["POST", "/notifications", { name: "a", kind: "webhook", url: receiver.url }],
    ["PATCH", "/notifications/ntf_1", { enabled: false }],
    ["DELETE", "/notifications/ntf_1", undefined],
    ["POST", "/notifications/ntf_1/test", undefined],
    ["GET", "/notifications/ntf_1/log", undefined],
  ] as const)
    expect({ path, ...(await product.request(method, path, body, token)) }).toMatchObject({ path, status: 403 })
  for (const wrong of [
    { url: "ftp://example.com" },
    { url: "https://user:password@example.com" },
    { url: "${env:HOOK}" },
    { kind: "browser" },
    { patterns: ["a b"] },
    { name: "" },
  ]) {
    const answer = await product.request("POST", "/notifications", { name: "a", kind: "webhook", url: receiver.url, ...wrong })
    expect({ wrong, ...answer }).toMatchObject({ status: 400 })
    expect(JSON.stringify(answer.body)).not.toContain("password@")
  }
})

test("our own address is not a receiver", () =>
  using(product.client.notifications.create({ name: "self", kind: "webhook", url: `${product.url}/api/executions` }), async ({ id }) => {
    expect(await product.client.notifications.test(id)).toMatchObject({ state: "failed", status: null })
  }))

test("after kill -9 in the middle of a message, the next process sends it again with the same id", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-killed-"))
  const first = await startProduct({ env, dataDir })
  await addLedger(first)
  const created = await first.client.notifications.create({ name: "killed", kind: "webhook", url: `${receiver.url}/killed` })
  receiver.answer("/killed", () => {})
  const approvalId = await ask(first.client)
  await receiver.seen("/killed", 1)
  await first.kill("SIGKILL")
  const second = await startProduct({ env, dataDir })
  const got = await receiver.seen("/killed", 2)
  expect(new Set(got.map(({ json }) => json["id"])).size).toBe(1)
  await until(created.id, { state: "delivered", approvalId, attempts: 1 }, second.client)
  expect(await logOf(created.id, second.client)).toHaveLength(1)
  await second.stop()
})

test("two nodes on PostgreSQL tell each approval once, whichever of them asked", async () => {
  const databaseUrl = await (await sharedPostgres()).createDatabase()
  const shared = { ...env, EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
  const nodes = await Promise.all([startProduct({ env: shared }), startProduct({ env: shared })])
  const [first, second] = nodes
  try {
    await addLedger(first)
    const { id } = await first.client.notifications.create({ name: "both", kind: "webhook", url: `${receiver.url}/both` })
    const approvals = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => ask((at % 2 === 0 ? first : second).client)))
    await vi.waitFor(async () => {
      const log = await logOf(id, second.client)
      expect(log.filter(({ state }) => state === "delivered")).toHaveLength(approvals.length)
    }, waitMs)
    const told = (await receiver.seen("/both", approvals.length)).map(({ json }) => (json["approval"] as { id: string }).id)
    expect(told.toSorted()).toEqual(approvals.toSorted())
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
})
