// An authenticator in software: makes keys, answers challenges, and lies wherever a test wants it to.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isoCBOR } from "@simplewebauthn/server/helpers"
import type { Assertion, NewCredential, RelyingParty } from "../../../core/people/passkey.ts"

export type SoftKey = {
  readonly id: string
  create(options: unknown, lies?: Lies): NewCredential
  get(options: unknown, lies?: Lies): Assertion
}

export type Lies = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly counter?: number
  readonly userHandle?: string
  /** By default present, verified, and as the key was made. */
  readonly flags?: number
  /** Signs something else. */
  readonly signs?: string
  readonly type?: string
}

type Options = { readonly challenge: string; readonly user?: { readonly id: string } }

const present = 0x01
const verified = 0x04
const backupEligible = 0x08
const hasKey = 0x40
export const flagsOf = { present, verified, backupEligible } as const

const hash = (content: string | Uint8Array): Buffer => createHash("sha256").update(content).digest()
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")

export function createSoftKey(party: RelyingParty, { isSynced = false, id = base64url(randomBytes(16)) } = {}): SoftKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const jwk = publicKey.export({ format: "jwk" })
  const point = (text: string | undefined): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text ?? "", "base64url"))
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(jwk.x)],
      [-3, point(jwk.y)],
    ]),
  )
  const usual = present | verified | (isSynced ? backupEligible : 0)
  let [handle, count] = ["", 0]
  const clientData = (type: string, { challenge }: Options, lies: Lies): string =>
    base64url(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? party.origin,
        crossOrigin: false,
      }),
    )
  const authData = (flags: number, lies: Lies): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lies.counter ?? count)
    return Buffer.concat([hash(lies.rpId ?? party.id), Buffer.from([flags]), counter])
  }
  return {
    id,
    create(given, lies = {}) {
      const options = given as Options // what the server answered
      handle = options.user?.id ?? ""
      const rawId = Buffer.from(id, "base64url")
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const data = Buffer.concat([authData((lies.flags ?? usual) | hasKey, lies), Buffer.alloc(16), length, rawId, cose])
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", new Uint8Array(data)],
        ]) as Map<string, string>, // the encoder takes every value that is written above
      )
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: clientData("webauthn.create", options, lies),
          attestationObject: base64url(attestation),
          transports: ["internal"],
        },
      }
    },
    get(given, lies = {}) {
      const options = given as Options // what the server answered
      if (!isSynced) count += 1
      const clientDataJSON = clientData("webauthn.get", options, lies)
      const data = authData(lies.flags ?? usual, lies)
      const signed = Buffer.concat([data, hash(lies.signs ?? Buffer.from(clientDataJSON, "base64url"))])
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON,
          authenticatorData: base64url(data),
          signature: base64url(sign("sha256", signed, privateKey)),
          userHandle: lies.userHandle ?? handle,
        },
      }
    },
  }
}
