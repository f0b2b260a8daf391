// Where the server may listen, and what a wrong variable says.
import { describe, expect, test } from "vitest"
import { plainAddressWarning, readSettings, refuseListening } from "./settings.ts"

const plain = { publicUrl: null, tls: null, trustedProxies: [] }
const publicUrl = "https://executor.example.com"

describe("listening", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("%s needs nothing", (host) => {
    expect(refuseListening({ ...plain, host })).toBeNull()
    expect(refuseListening({ ...plain, host, publicUrl: "http://localhost:1" })).toBeNull()
    expect(refuseListening({ ...plain, host, publicUrl })).toBeNull()
  })

  test.each(["0.0.0.0", "::", "10.0.0.5", "executor.internal", "127.0.0.1.evil.example"])("%s needs TLS, here or in front", (host) => {
    const { trustedProxies } = readSettings({ EXECUTOR_TRUSTED_PROXIES: "10.0.0.2" })
    for (const wrong of [null, "http://executor.example.com"])
      expect(refuseListening({ host, tls: null, trustedProxies, publicUrl: wrong })).toMatchObject({
        code: "invalid_request",
        message: expect.stringMatching(/--tls-cert .* https address .* EXECUTOR_TRUSTED_PROXIES/),
      })
    expect(refuseListening({ ...plain, host, publicUrl })).toMatchObject({
      message: expect.stringContaining("set EXECUTOR_TRUSTED_PROXIES"),
    })
    expect(refuseListening({ host, tls: null, trustedProxies, publicUrl })).toBeNull()
    expect(refuseListening({ ...plain, host, tls: { certPath: "c", keyPath: "k" } })).toBeNull()
  })

  test("links without TLS lead nowhere where the server speaks it", () => {
    const refusal = refuseListening({ ...plain, host: "127.0.0.1", tls: { certPath: "c", keyPath: "k" }, publicUrl: "http://a.example" })
    expect(refusal?.message).toContain("must begin with https://")
  })

  test.each([
    ["http://executor.example.com", true],
    ["http://10.0.0.5:4788", true],
    ["https://executor.example.com", false],
    ["http://localhost:4788", false],
    ["http://[::1]:4788", false],
    [null, false],
  ])("a public address %s is warned of: %s", (address, isWarned) => {
    expect(plainAddressWarning({ publicUrl: address }) !== null).toBe(isWarned)
  })

  test("beyond loopback nothing of this machine is trusted unsaid", () => {
    const settings = readSettings({ EXECUTOR_HOST: "0.0.0.0", EXECUTOR_PUBLIC_URL: "https://executor.example.com/" })
    expect(settings).toMatchObject({ allowStdio: false, opensBrowser: false, publicUrl: "https://executor.example.com" })
    expect(settings.envAccess.allow).toEqual([])
    const said = readSettings({ EXECUTOR_HOST: "0.0.0.0", EXECUTOR_ALLOW_STDIO: "1", EXECUTOR_ENV_ALLOW: "A, B" })
    expect(said).toMatchObject({ allowStdio: true, envAccess: { allow: ["A", "B"] } })
  })
})

test.each([
  [{ EXECUTOR_PORT: "many" }, "EXECUTOR_PORT"],
  [{ EXECUTOR_PUBLIC_URL: "executor.example.com" }, "EXECUTOR_PUBLIC_URL"],
  [{ EXECUTOR_TRUSTED_PROXIES: "127.0.0.1, nginx" }, "EXECUTOR_TRUSTED_PROXIES: 'nginx'"],
  [{ EXECUTOR_TRUSTED_PROXIES: "0.0.0.0/0" }, "would let anybody claim any address"],
  [{ EXECUTOR_TLS_CERT: "cert.pem" }, "EXECUTOR_TLS_KEY (--tls-key) is missing"],
  [{ EXECUTOR_TLS_KEY: "key.pem" }, "EXECUTOR_TLS_CERT (--tls-cert) is missing"],
  [{ EXECUTOR_ALLOW_STDIO: "maybe" }, "EXECUTOR_ALLOW_STDIO"],
  [{ EXECUTOR_LOG: "loud" }, "EXECUTOR_LOG"],
  [{ EXECUTOR_DATABASE_URL: "mysql://x" }, "EXECUTOR_DATABASE_URL"],
])("%j names the variable", (env, name) => {
  expect(() => readSettings(env)).toThrow(name)
})
