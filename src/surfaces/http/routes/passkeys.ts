// Passkeys over HTTP: a human's own. They are added on the page `/passkeys`, because only a browser can make one.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"
import { pageOf, timestamp } from "./shared-schema.ts"

const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    isSynced: z.boolean().meta({ description: "Its provider copies it between devices." }),
  })
  .meta({ id: "Passkey", description: "A passkey of a human, without its key." })

const example = {
  id: "psk_0mh2k3v9x41c",
  name: "Laptop",
  createdAt: "2026-11-16T09:30:00.000Z",
  lastUsedAt: null,
  isSynced: true,
} as const

export function passkeyRoutes(limits: Limits): Route[] {
  const params = z.strictObject({ id: z.string().min(1).max(limits.nameCharsMax) })
  return [
    defineRoute({
      id: "passkeys.list",
      tag: "passkeys",
      method: "get",
      path: "/passkeys",
      summary: "List passkeys",
      description: "The passkeys of the acting human. They are added in a browser, at `/passkeys`.",
      errors: ["forbidden"],
      answer: {
        status: 200,
        description: "All of them.",
        schema: pageOf("PasskeyPage", passkey),
        example: { items: [example], nextCursor: null },
      },
      handle: async (_, api) => ({ items: await api.passkeys.list(), nextCursor: null }),
    }),
    defineRoute({
      id: "passkeys.rename",
      tag: "passkeys",
      method: "patch",
      path: "/passkeys/{id}",
      summary: "Rename a passkey",
      description: "A name tells its owner which device it is on.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      params,
      body: {
        schema: z.strictObject({ name: z.string().min(1).max(limits.nameCharsMax) }).meta({ id: "PasskeyUpdate" }),
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: { rename: { name: "Phone" } },
      },
      answer: { status: 200, description: "The passkey.", schema: passkey, example: { ...example, name: "Phone" } },
      handle: ({ params: { id }, body }, api) => api.passkeys.rename(id, body.name),
    }),
    defineRoute({
      id: "passkeys.remove",
      tag: "passkeys",
      method: "delete",
      path: "/passkeys/{id}",
      summary: "Remove a passkey",
      description: "Nobody can sign in with it any more. Sessions that it opened go on until they end.",
      errors: ["forbidden", "not_found"],
      params,
      answer: noAnswer("The passkey is removed."),
      handle: async ({ params: { id } }, api) => api.passkeys.remove(id).then(() => undefined),
    }),
  ]
}
