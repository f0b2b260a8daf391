// Where the server may listen, and what a wrong variable says.
import { describe, expect, test } from "vitest"
import { readSettings, refuseListening } from "./settings.ts"

describe("listening", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("%s needs nothing", (host) => {
    expect(refuseListening({ host, publicUrl: null })).toBeNull()
    expect(refuseListening({ host, publicUrl: "http://localhost:1" })).toBeNull()
  })

  test.each(["0.0.0.0", "::", "10.0.0.5", "executor.internal", "127.0.0.1.evil.example"])("%s needs TLS in front", (host) => {
    for (const publicUrl of [null, "http://executor.example.com"])
      expect(refuseListening({ host, publicUrl })).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("https address"),
      })
    expect(refuseListening({ host, publicUrl: "https://executor.example.com" })).toBeNull()
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
  [{ EXECUTOR_ALLOW_STDIO: "maybe" }, "EXECUTOR_ALLOW_STDIO"],
  [{ EXECUTOR_LOG: "loud" }, "EXECUTOR_LOG"],
  [{ EXECUTOR_DATABASE_URL: "mysql://x" }, "EXECUTOR_DATABASE_URL"],
])("%j names the variable", (env, name) => {
  expect(() => readSettings(env)).toThrow(name)
})
