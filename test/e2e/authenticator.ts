// An authenticator inside the browser of a test: it is there, has verified its owner, and keeps keys.
import type { Page } from "playwright-core"

export type VirtualAuthenticator = {
  /** The ids of its keys, in base64url. */
  credentials(): Promise<{ readonly id: string; readonly signCount: number }[]>
  /** Like a device that was wiped. */
  clear(): Promise<void>
  /** Whether the owner shows who they are when they are asked. */
  setVerified(isVerified: boolean): Promise<void>
}

type Credential = { readonly credentialId: string; readonly signCount: number }

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async credentials() {
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId })
      const toUrl = (text: string): string => Buffer.from(text, "base64").toString("base64url")
      return credentials.map(({ credentialId, signCount }: Credential) => ({ id: toUrl(credentialId), signCount }))
    },
    clear: async () => void (await cdp.send("WebAuthn.clearCredentials", { authenticatorId })),
    setVerified: async (isUserVerified) => void (await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
  }
}
