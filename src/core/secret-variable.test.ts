// Tests what of a program's environment may appear in its answers.
import { expect, test } from "vitest"
import { isHarmlessHeader, isHarmlessVariable } from "./secret-variable.ts"

test.each([
  ["MCP_ROOT", "/workspace"],
  ["ROOT", "~/files"],
  ["NODE_ENV", "production"],
  ["LOG_LEVEL", "debug"],
  ["PORT", "8080"],
  ["DEBUG", "1"],
  ["BASE_URL", "https://example.com/api"],
])("%s=%s is none", (name, value) => expect(isHarmlessVariable(name, value)).toBe(true))

test.each([
  ["API_KEY", "production"],
  ["TOKEN_FILE_CONTENT", "/abc"],
  ["DATABASE_URL", "postgres://user:pw@host/db"],
  ["WEBHOOK", "https://hooks.example.com/x?code=1"],
  ["LOGIN", "https://me:pw@example.com"],
  ["SOMETHING", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
  ["MY_PASSWORD", "swordfish"],
])("%s=%s is one", (name, value) => expect(isHarmlessVariable(name, value)).toBe(false))

test("headers that say how to answer hold none, and any other may", () => {
  for (const name of ["Accept", "accept-language", "Content-Type", "User-Agent", "X-GitHub-Api-Version"])
    expect(isHarmlessHeader(name)).toBe(true)
  for (const name of ["Authorization", "X-Api-Key", "X-Tenant", "Cookie", "accept-token x"]) expect(isHarmlessHeader(name)).toBe(false)
})
