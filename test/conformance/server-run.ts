// The whole conformance suite for servers, in both revisions: `node test/conformance/server-run.ts`.
import { startConformanceHost } from "./server-host.ts"
import { runSuite } from "./server-suite.ts"

const host = await startConformanceHost()
let failed = 0
for (const revision of ["2026-07-28", "2025-11-25"]) {
  const url = `${host.directUrl}?elicitation_mode=native`
  const { exitCode, output } = await runSuite(["server", "--url", url, "--requirements", revision, "--timeout", "60000"])
  process.stdout.write(`${output.slice(-6000)}\n${revision}: exit ${exitCode}\n`)
  failed += exitCode
}
await host.close()
process.exitCode = failed === 0 ? 0 : 1
