// Notifications over HTTP: addresses go in, and never come out.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { deliveryStates, notificationKinds } from "../../../../core/notifications/notification.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf, timestamp } from "../shared-schema.ts"

const delivery = z
  .object({
    id: z.string().meta({ description: "The `id` that the receiver was sent, the same at every try." }),
    event: z.enum(["approval.waiting", "test"]),
    approvalId: z.string().nullable(),
    state: z.enum(deliveryStates).meta({
      description: "`waiting`: tried again at `nextTryAt`; `dropped`: answered before it could be delivered; `failed`: not tried again.",
    }),
    attempts: z.int(),
    status: z.int().nullable().meta({ description: "What the receiver answered last." }),
    error: z.string().nullable(),
    nextTryAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "NotificationDelivery" })

const shape = {
  id: z.string(),
  name: z.string(),
  kind: z.enum(notificationKinds),
  host: z.string().meta({ description: "Of the address, which is never shown." }),
  patterns: z.array(z.string()).nullable().meta({ description: "Null: approvals of all tools." }),
  includeArguments: z.boolean(),
  enabled: z.boolean(),
  lastDelivery: delivery.nullable(),
  createdBy: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
}
const notification = z.object(shape).meta({ id: "Notification" })
const created = z
  .object({
    ...shape,
    signingSecret: z.string().nullable().meta({ description: "Of a webhook, when it is new: it is shown here and never again." }),
  })
  .meta({ id: "NotificationCreated" })

const time = "2026-11-18T09:00:00.000Z"
const deliveryExample = {
  id: "dlv_0mw2kq5v0000a1b2c3d4e5f6a7b8c9",
  event: "approval.waiting" as const,
  approvalId: "apr_0mw2kq5uz000a1b2c3d4e5f6a7b8c9",
  state: "delivered" as const,
  attempts: 1,
  status: 200,
  error: null,
  nextTryAt: null,
  createdAt: time,
  updatedAt: time,
}
const example = {
  id: "ntf_0mw2kq5uz000a1b2c3d4e5f6a7b8c9",
  name: "On call",
  kind: "webhook" as const,
  host: "hooks.example.com",
  patterns: ["shop.orders.**"],
  includeArguments: false,
  enabled: true,
  lastDelivery: deliveryExample,
  createdBy: "anna",
  createdAt: time,
  updatedAt: time,
}

export function notificationRoutes(limits: Limits): Route[] {
  const text = z.string().max(limits.nameCharsMax)
  const bytesMax = limits.requestSmallBodyBytesMax
  const fields = {
    name: text,
    url: z.string().max(2000).meta({ description: "Where messages are posted. A secret: only its host is shown." }),
    patterns: z.array(text).max(limits.notificationPatternsMax).nullable().exactOptional().meta({
      description: "Only approvals of these tools, e.g. `shop.orders.*`; null or empty: of all.",
    }),
    includeArguments: z.boolean().exactOptional().meta({ description: "Tell the arguments too; false by default." }),
    enabled: z.boolean().exactOptional(),
  }
  const one = { tag: "notifications", params: z.strictObject({ id: text }) } as const
  const path = "/notifications/{id}"
  return [
    defineRoute({
      id: "notifications.list",
      tag: "notifications",
      method: "get",
      path: "/notifications",
      summary: "List notifications",
      description: "Whom approvals that wait are told to, without addresses. For admins.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of notifications.",
        schema: pageOf("NotificationPage", notification),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.notifications.list(query),
    }),
    defineRoute({
      id: "notifications.create",
      tag: "notifications",
      method: "post",
      path: "/notifications",
      summary: "Add a notification",
      description:
        'Approvals that begin to wait from now on are told: to a webhook, signed with `X-Executor-Signature: t=…,v1=<HMAC-SHA256 of "t.body">`, or to a webhook of Slack or of whatever takes its messages. A private address is refused beyond loopback. For admins.',
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: z.strictObject({ ...fields, kind: z.enum(notificationKinds) }).meta({ id: "NotificationCreate" }),
        bytesMax,
        spellings: "both",
        examples: {
          webhook: { name: "On call", kind: "webhook", url: "https://hooks.example.com/executor", patterns: ["shop.orders.*"] },
          slack: { name: "#approvals", kind: "slack", url: "https://hooks.slack.com/services/T000/B000/XXXX" },
        },
      },
      answer: { status: 201, description: "The notification.", schema: created, example: { ...example, signingSecret: "whsec_…" } },
      handle: ({ body }, api) => api.notifications.create(body),
    }),
    defineRoute({
      ...one,
      path,
      id: "notifications.update",
      method: "patch",
      summary: "Change a notification",
      description: "Changes only the given fields. What began to wait while it was off is not told. For admins.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            ...fields,
            name: fields.name.exactOptional(),
            url: fields.url.exactOptional(),
            rotateSecret: z.boolean().exactOptional().meta({ description: "Makes another signing secret, which is in the answer." }),
          })
          .meta({ id: "NotificationUpdate" }),
        bytesMax,
        spellings: "both",
        examples: { off: { enabled: false }, rotate: { rotateSecret: true } },
      },
      answer: { status: 200, description: "The notification as it is now.", schema: created, example: { ...example, signingSecret: null } },
      handle: ({ params, body }, api) => api.notifications.update(params.id, body),
    }),
    defineRoute({
      ...one,
      path,
      id: "notifications.remove",
      method: "delete",
      summary: "Remove a notification",
      description: "Its address and its log go with it. For admins.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("The notification is gone."),
      handle: async ({ params }, api) => api.notifications.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      ...one,
      path: `${path}/test`,
      id: "notifications.test",
      method: "post",
      summary: "Try a notification",
      description: "Sends a message of the type `test` at once, one time. For admins.",
      errors: ["forbidden", "not_found", "conflict"],
      answer: {
        status: 200,
        description: "How it ended; it is in the log as well.",
        schema: delivery,
        example: { ...deliveryExample, event: "test" as const, approvalId: null },
      },
      handle: ({ params }, api) => api.notifications.test(params.id),
    }),
    defineRoute({
      ...one,
      path: `${path}/log`,
      id: "notifications.log",
      method: "get",
      summary: "Show what was told",
      description: "The deliveries of a notification, newest first. For admins.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of deliveries.",
        schema: pageOf("NotificationDeliveryPage", delivery),
        example: { items: [deliveryExample], nextCursor: null },
      },
      handle: ({ params, query }, api) => api.notifications.log(params.id, query),
    }),
  ]
}
