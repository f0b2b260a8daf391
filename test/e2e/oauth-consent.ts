// What tests of OAuth share: a human who consents at the provider, with and without a real browser.
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import type { OauthStarted } from "../../src/surfaces/client/index.ts"
import type { Oidc } from "../servers/oidc.ts"
import { oidcClient } from "../servers/oidc.ts"
import { startStrictBrowser } from "./browser.ts"
import type { Product } from "./product.ts"

/**
 * A browser of its own for each human, signed in: the packaged one runs as one process, and does not survive that one of
 * its windows' contexts ends.
 */
export async function inBrowser<T>(product: Product, work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await startStrictBrowser()
  try {
    const page = await (await browser.newContext()).newPage()
    await signInPage(product, page)
    return await work(page)
  } finally {
    await browser.close()
  }
}

export async function signInPage(product: Product, page: Page): Promise<void> {
  const { code } = await product.client.sessions.create()
  await page.goto(`${product.url}/signin?code=${code}`)
  await page.waitForURL("**/inbox")
}

/** What a page of this server, opened by a signed-in human, sends along. */
export async function signInByHand(product: Product): Promise<SignedIn> {
  const { code } = await product.client.sessions.create()
  return signInWithCode(product.url, code)
}

export type SignedIn = { readonly cookie: string; readonly origin: string; readonly "x-executor-session-key": string }

export async function signInWithCode(url: string, code: string): Promise<SignedIn> {
  const response = await fetch(`${url}/signin`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ code }),
  })
  const { key } = (await response.json()) as { key: string } // as the page reads it
  return { cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "", origin: url, "x-executor-session-key": key }
}

/** Follows our link to the provider. */
export async function goToProvider(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole("button", { name: /continue to/i }).click()
  await page.waitForURL("**/interaction/**")
}

/** The provider's own pages: sign in, then allow. */
export async function consentInBrowser(page: Page): Promise<void> {
  await page.locator("input[name=login]").fill("alice")
  await page.locator("input[name=password]").fill("anything")
  await page.locator("button[type=submit]").click()
  await page.getByRole("button", { name: /continue/i }).click()
}

export function requireConsent(started: OauthStarted): Extract<OauthStarted, { status: "consent_required" }> {
  if (started.status !== "consent_required") throw new Error("There was nothing to consent to")
  return started
}

/** Follows the provider's pages as a browser without scripts would, and answers the URL to which it sends the browser back. */
export async function consentByHand(providerUrl: string, redirectPrefix: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = providerUrl
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(url, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === null ? {} : { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get("location")
    if (location !== null) {
      form = null
      url = new URL(location, url).href
      if (url.startsWith(redirectPrefix)) return url
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
    if (action === undefined) throw new Error(`The provider shows no form: ${response.status} ${text.slice(0, 500)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? "login"
    form = new URLSearchParams(prompt === "login" ? { prompt, login: "alice", password: "anything" } : { prompt })
    url = new URL(action, url).href
  }
  throw new Error("The provider did not come to an end")
}

/** An integration of the provider's API, with the client that an admin made for it. */
export async function addGreetings(product: Product, oidc: Oidc, slug: string): Promise<string> {
  await product.client.integrations.add({ slug, kind: "openapi", config: { spec: oidc.document } })
  const client = await product.client.oauth.clients.create({ ...oidcClient, integration: slug, issuer: oidc.issuer })
  return client.id
}

/** A connection without a browser: the answer is handed over by the token that asked. */
export async function connectByHand(product: Product, integration: string): Promise<void> {
  const { providerUrl } = requireConsent(await product.client.oauth.start({ integration }))
  await product.client.oauth.complete({ callbackUrl: await consentByHand(providerUrl ?? "", `${product.url}/api/oauth/callback`) })
}

/** Lets the tokens of now run out, and makes the next ones live. */
export async function expireTokens(product: Product, oidc: Oidc, integration: string): Promise<void> {
  oidc.accessTokenSeconds = 1
  await connectByHand(product, integration)
  oidc.accessTokenSeconds = 3600
  await setTimeout(1100)
}
