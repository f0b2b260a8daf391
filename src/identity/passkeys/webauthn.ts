// The checks of the WebAuthn protocol, by a library that is loaded when somebody first uses a passkey.
import type { Assertion, NewCredential, RelyingParty } from "../../core/people/passkey.ts"
import { sha256 } from "../../io/ids.ts"
import type { PasskeyRow } from "../../store/passkey-store.ts"

const load = () => import("@simplewebauthn/server")

/** EdDSA, ES256 and RS256: what authenticators have. */
const algorithms = [-8, -7, -257]

export type NewKeyUser = {
  /** In base64url. */
  readonly handle: string
  readonly name: string
  readonly displayName: string
  /** Their keys, of which an authenticator must not make a second. */
  readonly known: readonly PasskeyRow[]
}

/** Discoverable, so that nobody types a name to sign in; unlocked by its owner; from any maker. */
export async function creationOptions(party: RelyingParty, user: NewKeyUser, challenge: string, timeoutMs: number) {
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpName: "Executor",
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(user.handle, "base64url")),
    userName: user.name,
    userDisplayName: user.displayName,
    challenge,
    timeout: timeoutMs,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: user.known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports) as string[], // written by `register`
    })),
    supportedAlgorithmIDs: algorithms,
  })
}

export async function requestOptions(party: RelyingParty, challenge: string, timeoutMs: number) {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({ rpID: party.id, challenge, timeout: timeoutMs, userVerification: "required" })
}

/** `expected`: what the browser must have been asked, and where. */
export type Expected = { readonly party: RelyingParty; readonly challengeHash: string }

export type CheckedKey = {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly isSynced: boolean
}

/** Throws whatever is wrong with it. */
export async function checkCreation(credential: NewCredential, expected: Expected): Promise<CheckedKey> {
  const { verifyRegistrationResponse } = await load()
  const { response } = credential
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      clientExtensionResults: {},
    },
    ...expectations(expected),
    supportedAlgorithmIDs: algorithms,
  })
  if (!verified) throw new Error("The attestation is not valid")
  const { id, publicKey, counter } = registrationInfo.credential
  if (id !== credential.id) throw new Error("The credential has another id than it says")
  return { credentialId: id, publicKey, counter, isSynced: registrationInfo.credentialDeviceType === "multiDevice" }
}

/** Answers the key's counter; throws whatever is wrong. */
export async function checkAssertion(credential: Assertion, row: PasskeyRow, expected: Expected): Promise<number> {
  const { verifyAuthenticationResponse } = await load()
  if (credential.response.userHandle !== row.userHandle) throw new Error("The key belongs to another user than it says")
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    ...expectations(expected),
    // The store compares counters, so that two sign-ins at once cannot both pass.
    credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: 0 },
  })
  if (!verified) throw new Error("The signature is not valid")
  if ((authenticationInfo.credentialDeviceType === "multiDevice") !== row.isSynced) throw new Error("The kind of key has changed")
  return authenticationInfo.newCounter
}

const expectations = ({ party, challengeHash }: Expected) => ({
  expectedChallenge: (challenge: string) => sha256(challenge) === challengeHash,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
})
