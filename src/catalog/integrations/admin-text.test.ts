// Tests what a holder of `connections.org` may not write without being an admin.
import { expect, test } from "vitest"
import { localHuman } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { adminOrigins, refusePrivateUrls, requireAdminConfig } from "./admin-text.ts"

const holder: Principal = { ...localHuman, user: "dora", roles: ["ops"], rights: ["connections.org"] }

test.each([
  "http://localhost:3000/spec",
  "http://api.localhost/",
  "http://LOCALHOST./",
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://[::1]:80/",
  "http://[::ffff:10.0.0.1]/",
  "https://10.1.2.3/",
  "https://169.254.169.254/latest/meta-data",
])("%s is for admins", (url) => {
  expect(() => refusePrivateUrls(holder, [url])).toThrow(/can only be written by an admin; ask an admin/)
  expect(() => refusePrivateUrls(localHuman, [url])).not.toThrow()
})

test("public hosts are for everybody, and whatever is no address is left to others", () => {
  expect(() => refusePrivateUrls(holder, ["https://api.github.com", "openapi: 3.1.0", "localhost"])).not.toThrow()
})

test.each([
  ["a program", { transport: "stdio", command: "sh" }, [], [], /starts on its own machine/],
  ["a reference", { url: "https://a.example" }, [], ["Bearer ${env:AWS_SECRET}"], /server's environment/],
  ["a private host", { url: "http://10.0.0.1" }, ["http://10.0.0.1"], [], /private host '10.0.0.1'/],
] as const)("%s is refused in a config", (_name, config, urls, secrets, message) => {
  expect(() => requireAdminConfig(holder, config, urls, secrets)).toThrow(message)
  expect(() => requireAdminConfig(localHuman, config, urls, secrets)).not.toThrow()
  expect(() => requireAdminConfig({ ...localHuman, kind: "agent", rights: [] }, config, urls, secrets)).toThrow(message)
})

test("the machine is out of reach for the admin of another tenant", () => {
  const tenantAdmin: Principal = { ...localHuman, tenant: "acme" }
  expect(() => requireAdminConfig(tenantAdmin, { transport: "stdio", command: "sh" }, [], [])).toThrow(/in the tenant 'default'/)
  expect(() => requireAdminConfig(tenantAdmin, { url: "https://a.example" }, [], ["${env:KEY}"])).toThrow(/in the tenant 'default'/)
  expect(() => requireAdminConfig(tenantAdmin, { url: "https://a.example" }, ["https://a.example"], [])).not.toThrow()
})

test("only what an admin wrote is exempt, for as long as it stands there", () => {
  expect(adminOrigins(localHuman, ["http://a"])).toEqual(["http://a"])
  expect(adminOrigins(holder, ["http://a"])).toEqual([])
  expect(adminOrigins(holder, ["http://a", "http://b"], ["http://a", "http://c"])).toEqual(["http://a"])
})
