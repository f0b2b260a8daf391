// A registry for unit tests: the product's store and vault, with functions and references that a test names.
import { join } from "node:path"
import { createStaticTools } from "../../catalog/static-tool.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import type { Right } from "../../core/people/role.ts"
import { localTenant } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { RegistryToolCreate } from "../../core/registry/tool.ts"
import { createEncryptedVault } from "../../credentials/encrypted/vault.ts"
import { createCodeSyntax } from "../../engine/programs/code-syntax.ts"
import { createAccess } from "../../identity/access.ts"
import { systemClock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import { silentLog } from "../../io/log.ts"
import { lazySandbox } from "../../preset/sandbox-lazy.ts"
import { createQuickJsSandbox } from "../../sandbox/quickjs/sandbox.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { noHints } from "../parts.ts"
import type { RegistryParts } from "../parts.ts"

export type TestRegistry = {
  readonly parts: RegistryParts
  /** An admin of a tenant of its own. */
  admin(): Promise<Principal>
  /** Somebody else of that tenant. */
  colleague(admin: Principal, rights: readonly Right[]): Promise<Principal>
  close(): Promise<void>
}

export async function openRegistry(limits: Partial<Limits> = {}): Promise<TestRegistry> {
  const { store, directory, close } = await openTestStore()
  const sandbox = lazySandbox(() =>
    createQuickJsSandbox(
      { limits: withLimits({}), clock: systemClock, log: silentLog, spillDir: join(directory, "spill") },
      { workers: 1 },
    ),
  )
  const parts: RegistryParts = {
    store,
    access: createAccess(store, systemClock),
    vaultOn: createEncryptedVault(new Uint8Array(32)),
    env: { variables: { KEY: "from the environment" }, allow: "all" },
    limits: withLimits(limits),
    clock: systemClock,
    staticTools: createStaticTools([]),
    functions: {
      find: (name) => (name === "add_up" ? { reads: true } : name === "send" ? { reads: false } : null),
      nearest: () => ["add_up", "send"],
    },
    mcpHints: noHints,
    codeSyntax: createCodeSyntax({ sandbox, clock: systemClock }),
    references: { hasPipeline: async (_, id) => id === "pipe_1", hasAgent: async (_, ref) => ref === "helper" },
  }
  const user = async (tenant: string, id: string, role: string, rights: readonly Right[]): Promise<Principal> => {
    await store.tenants.ensure({ tenant, id, name: id, roles: [role] })
    return { tenant, user: id, roles: [role], rights, kind: "human", tokenId: null }
  }
  return {
    parts,
    admin: () => user(newId("tenant"), "alice", "admin", ["admin"]),
    async colleague({ tenant }, rights) {
      await store.roles.put(tenant, { id: "maker", name: "Maker", description: "", patterns: ["*"], rights, createdAt: "2026-01-01" })
      return user(tenant, newId("user"), "maker", rights)
    },
    async close() {
      await sandbox.close()
      await close()
    },
  }
}

/** The tenant of those who run the server, for what only they may write. */
export const operator: Principal = { tenant: localTenant, user: "local", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }

export const httpTool = (change: Partial<RegistryToolCreate> = {}): RegistryToolCreate => ({
  name: "Weather",
  description: "The weather of a city",
  schema: { input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  implementationType: "http",
  implementationConfig: { method: "GET", url: "https://api.example.com/weather/{city}" },
  ...change,
})
