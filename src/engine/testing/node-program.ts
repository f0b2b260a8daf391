// A node in a process of its own: `node node-program.ts <URL of PostgreSQL> <URL of the upstream> <lease in ms>`.
//
// Each line that it reads is an execution of alice's, as JSON; it prints a line when it is ready, and one for each reply.
// Calls of its one source are requests to the upstream, which are under way until that answers.
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { oauthLinks } from "../../catalog/oauth/links.ts"
import { withLimits } from "../../core/limits.ts"
import { fail, succeed } from "../../core/result.ts"
import { createEncryptedVault } from "../../credentials/encrypted/vault.ts"
import { joinExecutor } from "../../executor.ts"
import { createAccess } from "../../identity/access.ts"
import { systemClock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import { silentLog } from "../../io/log.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { createQuickJsSandbox } from "../../sandbox/quickjs/sandbox.ts"
import { openPostgresStores } from "../../store/postgres.ts"
import { limitedSource } from "./limited-source.ts"

export type NodeRequest = { readonly tenant: string; readonly code: string }

const [databaseUrl = "", upstreamUrl = "", leaseMs = ""] = process.argv.slice(2)

async function startNode(): Promise<void> {
  const limits = withLimits({})
  const { store, executions } = await openPostgresStores({ url: databaseUrl })
  const spillDir = join(tmpdir(), newId("spill"))
  const source = limitedSource(async ({ args, signal }) => {
    const response = await fetch(`${upstreamUrl}/items/${String(args["name"])}?delay=60000`, { signal }).catch(() => null)
    return response === null ? fail("upstream_unreachable", "It broke off") : succeed(await response.json())
  })
  const core = joinExecutor({
    store,
    executions,
    access: createAccess(store, systemClock),
    sandbox: createQuickJsSandbox({ limits, clock: systemClock, log: silentLog, spillDir }, { workers: 1 }),
    clock: systemClock,
    network: createNetwork({ allowPrivateHosts: [], trustLiteralUrls: false, limits, log: silentLog }),
    log: silentLog,
    limits,
    node: newId("node"),
    leaseMs: Number(leaseMs),
    vaultOn: createEncryptedVault(new Uint8Array(32)),
    grants: { open: async () => null },
    oauthLinks: oauthLinks(
      () => null,
      () => "http://localhost",
    ),
    isSsoOnly: false,
    adapters: new Map([[source.kind, source]]),
    env: { variables: {}, allow: [] },
    staticTools: [],
    approvalUrl: () => null,
    closeSources: async () => {},
  })
  createInterface(process.stdin).on("line", (line) => {
    const { tenant, code } = JSON.parse(line) as NodeRequest // as the test writes it
    const alice = core.as({ tenant, user: "alice", roles: ["member"], rights: [], kind: "human", tokenId: null })
    void alice.run(code).then(({ structured }) => console.log(JSON.stringify(structured)))
  })
  console.log("ready")
}

if (import.meta.main) await startNode()
