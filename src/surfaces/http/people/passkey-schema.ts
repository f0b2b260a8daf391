// The schemas of what browsers send about passkeys and invitations.
import { z } from "zod"

/** The largest part is an attestation, of a few kilobytes; ids have at most 1,023 bytes. */
const base64url = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .regex(/^[\w-]+$/, "must be base64url")
const id = base64url(1400)
const part = base64url(64 * 1024)
const known = { id, rawId: id, type: z.literal("public-key") }

const flowKey = z.string().min(1).max(256)

/** Other fields, which browsers add, are dropped. */
const newCredential = z.object({
  ...known,
  response: z.object({ clientDataJSON: part, attestationObject: part, transports: z.array(z.string().max(40)).max(10).exactOptional() }),
})

const assertion = z.object({
  ...known,
  response: z.object({ clientDataJSON: part, authenticatorData: part, signature: part, userHandle: base64url(128).exactOptional() }),
})

export const signInBody = z.strictObject({ key: flowKey, credential: assertion })

const token = z.string().min(1).max(256)
export const openBody = z.strictObject({ token })
export const inviteBody = (nameCharsMax: number) => z.strictObject({ token, name: z.string().min(1).max(nameCharsMax) })
export const acceptBody = (nameCharsMax: number) =>
  inviteBody(nameCharsMax).extend({ key: flowKey, passkeyName: z.string().min(1).max(nameCharsMax), credential: newCredential })

export const registrationBody = (nameCharsMax: number) =>
  z.strictObject({ key: flowKey, name: z.string().min(1).max(nameCharsMax), credential: newCredential })
