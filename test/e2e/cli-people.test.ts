// People on the command line: users, roles, invitations, tenants, sessions, whoami and access, for people and for machines.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let ledger: Ledger
let cli: Cli

beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct()
  cli = openCli(product.dataDir)
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await product.stop()
  await ledger.close()
})

const typed = async (line: string): Promise<string> => {
  const run = await cli.run(line.split(" "))
  expect([line, run.code, run.stderr]).toEqual([line, 0, expect.any(String)])
  return run.stdout
}

async function openSession(): Promise<void> {
  const { code } = await product.client.sessions.create()
  const headers = {
    origin: product.url,
    "content-type": "application/json",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  }
  const opened = await fetch(`${product.url}/signin`, { method: "POST", headers, body: JSON.stringify({ code }) })
  expect(opened.status).toBe(200)
}

test("roles: from a preview to removing", async () => {
  expect(await typed("roles preview ledger.items.*")).toContain("ledger.items.get")
  expect(
    await typed("roles add reader --name Reader --description Reads --pattern ledger.items.get,slack.** --right people.invite"),
  ).toContain("Added reader")
  expect(await typed("roles list")).toMatch(/reader\s+Reader\s+ledger\.items\.get, slack\.\*\*\s+people\.invite/)
  expect(await typed("roles update reader --pattern ledger.items.get")).toContain("reader")
  expect(await typed("roles show reader")).toBe("reader  Reader\nReads\n\nPatterns\n  ledger.items.get\n\nRights\n  people.invite\n")
  expect(await cli.json(["roles", "show", "reader"])).toEqual({
    id: "reader",
    people: 0,
    name: "Reader",
    description: "Reads",
    patterns: ["ledger.items.get"],
    rights: ["people.invite"],
  })
  await typed("roles add brief")
  expect(await typed("roles remove brief")).toContain("brief")
  expect(await cli.json(["roles", "list"])).toMatchObject({ items: [{ id: "admin" }, { id: "member" }, { id: "reader" }] })
})

test("users: from adding to removing", async () => {
  const added = await cli.run(["users", "add", "Anna Lee", "--email", "anna@example.com", "--role", "reader"])
  expect(added).toMatchObject({ code: 0, stdout: "Added anna\n", stderr: expect.stringContaining("invitations create --user anna") })
  expect(await typed("users update anna --name Anna --role reader,member")).toContain("reader, member")
  expect(await typed("users show anna")).toMatch(
    /^anna {2}Anna\n\nStatus {2}active\nE-mail {2}anna@example\.com\nRoles {3}reader \(given\), member \(given\)\nSeen {4}never\n$/,
  )
  expect(await cli.json(["users", "show", "local"])).toMatchObject({ id: "local", lastSeenAt: expect.stringMatching(/^20/) })
  expect(await typed("users disable anna")).toBe("Disabled anna\n")
  expect(await typed("users disable anna --yes")).toBe("anna was disabled already\n")
  expect(await typed("users list")).toMatch(/anna\s+Anna\s+anna@example\.com\s+disabled/)
  await typed("users enable anna")
  await typed("users add Robot --service --role member")
  expect(await typed("users list")).toContain("active, service")
  expect(await typed("users remove robot --yes")).toContain("Removed robot")
  expect(await cli.json(["users", "list"])).toMatchObject({ items: [{ id: "anna", status: "active" }, { id: "local" }] })
})

test("access and whoami say what somebody may, and why", async () => {
  expect(await typed("access explain anna ledger.items.get")).toMatch(/^ledger\.items\.get for anna: allowed\n/)
  await typed("users update anna --role reader")
  const refused = await cli.run(["access", "explain", "anna", "ledger.items.create", "name=x"])
  expect(refused).toMatchObject({ code: 5, stdout: expect.stringMatching(/refused[^]*role\s+stops/) })
  expect(await typed("access explain local ledger.items.create name=x")).toContain("needs approval")
  expect(await cli.json(["access", "explain", "anna", "ledger.items.create"])).toMatchObject({ outcome: "refused", stop: "role" })
  expect(await typed("whoami")).toMatch(/^local \(.*\), human in default\nroles: admin \(given\)\nrights: admin \(from admin\)\n$/)
  expect(await cli.json(["whoami"])).toMatchObject({
    tenant: "default",
    id: "local",
    kind: "human",
    rights: [{ right: "admin", from: ["admin"] }],
  })
})

test("invitations are made, listed without their link, and revoked by the beginning of their id", async () => {
  const made = await cli.run(["invitations", "create", "--email", "bob@example.com", "--role", "reader"])
  expect(made.stdout).toMatch(/^http:\/\/\S+\/invite\S+exi_\S+\n$/)
  expect(made.stderr).toContain("is not shown again")
  const { items } = (await cli.json(["invitations", "list"])) as { items: { id: string }[] }
  expect(items).toMatchObject([{ user: "bob", email: "bob@example.com", roles: ["reader"], invitedBy: "local" }])
  expect(JSON.stringify(items)).not.toContain("exi_")
  expect(await typed(`invitations revoke ${items[0]?.id.slice(0, 16)}`)).toContain(`Revoked ${items[0]?.id}`)
  expect(await cli.run(["invitations", "list"])).toMatchObject({ stdout: "", stderr: expect.stringContaining("No open invitations") })
})

test("an invitation says whom it is for and what it lacks, and a second one takes the place of the first", async () => {
  expect(await cli.run(["invitations", "create"])).toMatchObject({ code: 2, stderr: expect.stringContaining("give --email or --name") })
  const bare = await cli.run(["invitations", "create", "--name", "Bare"])
  expect(bare.stderr).toContain("whoever has no role sees no tool")
  await typed("invitations create --name Cleo --role reader")
  const open = async () =>
    ((await cli.json(["invitations", "list"])) as { items: { id: string; user: string; roles: string[] }[] }).items.filter(
      ({ user }) => user === "cleo",
    )
  const [first] = await open()
  const again = await cli.run(["invitations", "create", "--name", "Cleo", "--role", "reader"])
  expect(again.code).toBe(1)
  expect(again.stderr).toMatch(
    new RegExp(`'cleo' is invited already, by the invitation ${first?.id}.*create --user cleo.*revoke ${first?.id}`),
  )
  await typed("invitations create --user cleo")
  expect(await typed("users list")).toMatch(/cleo\s+Cleo\s+invited\s+reader \(once accepted\)/)
  expect(await open()).toMatchObject([{ id: expect.not.stringContaining(first?.id ?? ""), roles: ["reader"] }])
  // Somebody with another address is somebody else.
  for (const email of ["kim@a.example", "kim@b.example"]) await typed(`invitations create --email ${email} --role reader`)
  expect(await typed("users list")).toMatch(/kim-2/)
  for (const user of ["bare", "cleo", "kim", "kim-2"]) await typed(`users remove ${user} --yes`)
})

test("tokens show what limits them, and patterns that match nothing are pointed out", async () => {
  const made = await cli.run("tokens create --agent --name narrow --pattern ledger.items.get,leger.** --expires 2099-01-31".split(" "))
  expect(made.stderr).toContain("It sees only ledger.items.get, leger.**. It ends 2099-01-31 00:00:00 UTC.")
  expect(made.stderr).toContain("No tool that you see currently matches leger.**.")
  expect(made.stderr).not.toContain("matches ledger.items.get")
  expect(await typed("tokens list")).toMatch(/narrow .*only ledger\.items\.get, leger\.\*\*; until 2099-01-31/)
  const who = await cli.run(["whoami"], { env: { EXECUTOR_TOKEN: made.stdout.trim() } })
  expect(who.stdout).toMatch(/token: narrow \(tok_\w+\), only ledger\.items\.get, leger\.\*\*/)
  expect((await cli.run(["roles", "add", "typo", "--pattern", "leger.**"])).stderr).toContain("currently matches leger.**")
  expect((await cli.run(["roles", "update", "typo", "--pattern", "leger.*"])).stderr).toContain("currently matches leger.*")
  await typed("roles remove typo")
})

test("a rule below a laxer one says so, and how to put it above", async () => {
  const allowed = await cli.run(["policies", "add", "ledger.items.create", "allow", "--when", "delay lte 10"])
  const [laxer = ""] = /pol_\w+/.exec(allowed.stdout) ?? []
  const below = await cli.run(["policies", "add", "ledger.items.create", "require_approval", "--not-requester"])
  const [id = "", position = ""] = /policies remove (pol_\w+)\) and add it with --position (-?\d+)/.exec(below.stderr)?.slice(1) ?? []
  expect(below.stderr).toContain(`${laxer} (allow ledger.*.*.items.create when delay lte 10) is above it`)
  await typed(`policies remove ${id}`)
  const above = await cli.run(["policies", "add", "ledger.items.create", "require_approval", "--not-requester", "--position", position])
  expect(above).toMatchObject({ code: 0, stderr: "" })
  expect((await product.client.policies.list()).map(({ action }) => action)).toEqual(["require_approval", "allow"])
  expect(await typed("policies list")).toMatch(/LIMITS\n.*approved by others, not the requester\n.*when delay lte 10/)
  for (const rule of await product.client.policies.list()) await typed(`policies remove ${rule.id}`)
})

test("sessions are listed and ended", async () => {
  expect(await cli.run(["sessions", "list"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("No browser is signed in"),
  })
  await openSession()
  const { items } = (await cli.json(["sessions", "list"])) as { items: { id: string }[] }
  expect(items).toMatchObject([{ id: expect.stringMatching(/^ses_/), user: "local", method: "code" }])
  expect(await typed("sessions list")).toMatch(new RegExp(`${items[0]?.id}.*Firefox on Linux`))
  expect(await typed(`sessions end ${items[0]?.id}`)).toBe(`Ended ${items[0]?.id}\n`)
  expect(await cli.run(["sessions", "end", items[0]?.id ?? ""])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("There is no session"),
  })
  expect(await cli.json(["sessions", "list"])).toEqual({ items: [], nextCursor: null })
})

test("tenants are made with a token that is shown once", async () => {
  const made = await cli.run(["tenants", "create", "acme"])
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^exh_\S+\n$/), stderr: expect.stringContaining("not shown again") })
  expect(await typed("tenants list")).toMatch(/acme\s+20/)
  const env = { EXECUTOR_TOKEN: made.stdout.trim() }
  expect((await cli.run(["whoami"], { env })).stdout).toContain("human in acme")
  expect(await cli.run(["tenants", "list"], { env })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("Only whoever runs this server"),
  })
})

test.each([
  ["users show nobody", "There is no user 'nobody'"],
  ["users remove local --yes", "You cannot remove yourself"],
  ["users disable local", "You cannot disable yourself; you are the only admin, so first give somebody else the role 'admin'"],
  ["users update anna --role boss", 'There is no role "boss"'],
  ["users update anna", "Nothing to change"],
  ["roles show boss", "There is no role 'boss'"],
  ["roles add Reader", "is not the id of a role"],
  ["roles add broken --pattern git[hub", "["],
  ["roles remove reader", "users update anna --role"],
  ["roles add reader", "roles update reader"],
  ["tokens create --agent --expires soon", "--expires"],
  ["audit export --from yesterday", "--from"],
  ["passkeys --help", "unknown command 'passkeys'"],
  ["roles remove admin", "built in"],
  ["invitations revoke inv_0", "invitations list"],
  ["sessions end tok_0", "is the id of a token"],
  ["sessions end ses_0", "sessions list"],
  ["tenants create acme", "There already is a tenant 'acme'"],
  ["access explain nobody ledger.items.get", "There is no user 'nobody'"],
])("%s fails and says why", async (line, message) => {
  const run = await cli.run(line.split(" "))
  expect(run.code).not.toBe(0)
  expect(run.stdout).toBe("")
  expect(run.stderr).toContain(message)
})

describe.skipIf(!hasTerminal)("on a terminal of 80 columns", () => {
  test("disabling asks, and says what ends", async () => {
    const terminal = openTerminal(product.dataDir, ["users", "disable", "anna"], { columns: 80 })
    await terminal.until("[y/N]")
    expect(terminal.shown().replaceAll("\n", "")).toContain("Disable 'anna'? Their 0 sessions and 0 tokens end for good")
    terminal.type("n\r")
    expect(await terminal.ended).toBe(2)
    expect(await product.client.users.get("anna")).toMatchObject({ status: "active" })
  })

  test.each(["users list", "roles list", "invitations list", "sessions list", "tenants list", "tokens list"])(
    "%s fits, with ids whole",
    async (words) => {
      if (words === "users list") {
        await product.client.users.create({
          id: "somebody.with-quite-a-long-id",
          name: "Somebody with a name that is rather long",
          email: "somebody.with.a.long.address@example.com",
          roles: ["member", "reader"],
        })
        await product.client.invitations.create({ email: "a.rather.long.address@example.com", roles: ["member", "reader"] })
        await openSession()
      }
      const shown = openTerminal(product.dataDir, words.split(" "), { columns: 80 })
      await shown.ended
      for (const line of shown.shown().split("\n")) expect(line.length).toBeLessThanOrEqual(80)
      const { items } = (await cli.json(words.split(" "))) as { items: { id: string }[] }
      for (const { id } of items) expect(shown.shown()).toContain(id)
    },
  )
})
