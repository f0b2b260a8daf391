// Challenges for passkeys: each is answered once, within minutes, by the browser that it was made for.
//
// The browser is identified by a cookie together with a key that only its page has, because browsers send the cookie to
// every port of the host.
import type { PasskeyBegun, PasskeyBrowser } from "../../core/people/passkey.ts"
import type { Limits } from "../../core/limits.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Clock } from "../../io/clock.ts"
import { newSecret, sha256 } from "../../io/ids.ts"
import type { PasskeyChallengeRow } from "../../store/passkey-store.ts"
import type { Store } from "../../store/store.ts"

type ChallengeParts = { readonly store: Store; readonly clock: Clock; readonly limits: Limits }

type Purpose = Pick<PasskeyChallengeRow, "purpose" | "subject" | "userHandle">

/** `write`: what the browser is asked, with the challenge in it. */
export async function beginChallenge(
  purpose: Purpose,
  write: (challenge: string, timeoutMs: number) => Promise<{ readonly challenge: string }>,
  { store, clock, limits }: ChallengeParts,
): Promise<PasskeyBegun> {
  const lifeMs = limits.passkeyChallengeMs
  const [flow, key] = [newSecret("exf"), newSecret("exk")]
  // The library writes the text in base64url, which is what comes back.
  const options = await write(newSecret("exp"), lifeMs)
  const now = clock.now()
  await store.passkeyChallenges.put({
    ...purpose,
    hash: sha256(flow),
    keyHash: sha256(key),
    challengeHash: sha256(options.challenge),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lifeMs).toISOString(),
  })
  return { options, key, flow, lifeMs }
}

/** Used up by any attempt of the browser, also by one that fails. */
export async function takeChallenge(
  { purpose, subject }: Pick<PasskeyChallengeRow, "purpose" | "subject">,
  key: string,
  browser: PasskeyBrowser,
  { store, clock }: ChallengeParts,
): Promise<PasskeyChallengeRow> {
  const row = browser.flow === null ? null : await store.passkeyChallenges.take(sha256(browser.flow))
  const isGood =
    row !== null &&
    row.keyHash === sha256(key) &&
    row.purpose === purpose &&
    row.subject === subject &&
    row.expiresAt > clock.now().toISOString()
  if (!isGood)
    throw new ExecutorError(
      "unauthorized",
      "This request for a passkey was answered before, has expired, or was another browser's; try again",
    )
  return row
}
