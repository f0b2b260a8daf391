// A server with people of every kind, roles, an API and a real sign-in provider, for the tests of People and Roles.
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import { signInClient, startSignInProvider } from "../servers/sign-in-provider.ts"
import type { SignInProvider } from "../servers/sign-in-provider.ts"
import { startConsole } from "./console.ts"
import type { Console } from "./console.ts"

export type PeoplePlace = {
  readonly console: Console
  readonly client: Client
  readonly provider: SignInProvider
  /** The same server by its name: passkeys belong to names. */
  readonly home: string
  close(): Promise<void>
}

/** Names take no characters that reorder or that nobody sees; descriptions do. */
export const hostileName = "<img src=x onerror=alert(1)>"
export const hostileText = `${hostileName}\u202Eevil\u0007`

export async function startPeoplePlace(): Promise<PeoplePlace> {
  const ledger = await startLedger()
  const console = await startConsole({ hasRealLinks: true })
  const provider = await startSignInProvider(`${console.server.url}/signin/oidc/callback`)
  const client = createClient({ origin: `${console.server.url}/api`, token: console.server.tokens.human })
  await client.integrations.add({ slug: "ledger", name: "Ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  await client.roles.create({ id: "reader", name: "Reader", description: "Reads the ledger.", patterns: ["ledger.items.get"] })
  await client.roles.create({ id: "writer", name: "Writer", patterns: ["ledger.**"], rights: ["approve:ledger.**"] })
  return {
    console,
    client,
    provider,
    home: console.server.url.replace("127.0.0.1", "localhost"),
    async close() {
      await console.close()
      await provider.close()
      await ledger.close()
    },
  }
}

export const providerFields = (issuer: string) => ({ ...signInClient, issuer, scopes: ["email", "profile", "groups"] })
