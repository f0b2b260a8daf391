// The conformance suite of the store port: every implementation runs it, and passes all of it.
import { afterAll, beforeAll, describe } from "vitest"
import type { Store } from "../store.ts"
import { testAgents } from "./agents.ts"
import { testAgentGrants } from "./people/agent-grants.ts"
import { testBrowserSessions } from "./people/browser-sessions.ts"
import { testGarbage } from "./garbage.ts"
import { testHostileText } from "./hostile-text.ts"
import { testIdentity } from "./people/identity.ts"
import { testCatalog } from "./catalog.ts"
import { testIntegrationRename } from "./integration-rename.ts"
import { testNotifications } from "./notifications.ts"
import { testOauth } from "./people/oauth.ts"
import { testPasskeys } from "./people/passkeys.ts"
import { testPins } from "./pins.ts"
import { testRegistry } from "./registry.ts"
import { testRetrieval } from "./retrieval.ts"
import { testRevision } from "./revision.ts"
import { testScopes } from "./scopes.ts"
import { testSignIn } from "./people/sign-in.ts"
import { testToolVectors } from "./tool-vectors.ts"
import { testToolChanges } from "./tool-changes.ts"
import { testTools } from "./tools.ts"
import { testTransactions } from "./transactions.ts"

export interface StoreUnderTest {
  readonly store: Store
  /** Opened on the same database, as another process would. */
  readonly other: Store
  /** Closes both. */
  close(): Promise<void>
}

/** Tests share one database and keep apart by tenant, because a new PostgreSQL database costs more than a test. */
export function testStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`The store on ${name}`, () => {
    let opened: StoreUnderTest | null = null
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened?.close()
    })
    const use = (): StoreUnderTest => {
      if (!opened) throw new Error("The store is open while tests run")
      return opened
    }

    testIdentity(use)
    testBrowserSessions(use)
    testAgentGrants(use)
    testSignIn(use)
    testPasskeys(use)
    testCatalog(use)
    testIntegrationRename(use)
    testTools(use)
    testGarbage(use)
    testOauth(use)
    testPins(use)
    testRegistry(use)
    testAgents(use)
    testNotifications(use)
    testRetrieval(use)
    testToolVectors(use)
    testToolChanges(use)
    testScopes(use)
    testTransactions(use)
    testRevision(use)
    testHostileText(use)
  })
}
