// How the tests run: unit tests beside their files, scenarios below test/.
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"],
    globalSetup: ["test/global-postgres.ts"],
    // These end what hangs; nothing is slow enough to reach them, also on a machine that is busy elsewhere.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
})
