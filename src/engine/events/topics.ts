// What an entry of the audit says to the event stream: which part of the server changed, and who may know what was done.
import type { ChangeType } from "../../core/console/live-event.ts"
import { hasRight, isAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { PlainRight } from "../../core/people/role.ts"

type Topic = { readonly type: ChangeType; readonly rights: readonly PlainRight[] }

const editors: readonly PlainRight[] = ["registry.write", "registry.publish", "auditor"]
const managers: readonly PlainRight[] = ["connections.org", "auditor"]
const peopleReaders: readonly PlainRight[] = ["people.invite", "auditor"]

/** By the first word of the action. What is not here changes nothing that is listed. */
const topics: Readonly<Record<string, Topic>> = {
  integration: { type: "catalog.changed", rights: managers },
  connection: { type: "catalog.changed", rights: managers },
  oauth: { type: "catalog.changed", rights: managers },
  registry: { type: "registry.changed", rights: editors },
  artifact: { type: "registry.changed", rights: editors },
  credential: { type: "credentials.changed", rights: ["admin"] },
  agent: { type: "agents.changed", rights: editors },
  model_provider: { type: "models.changed", rights: ["registry.write", "registry.publish"] },
  pipeline: { type: "pipelines.changed", rights: editors },
  policy: { type: "policies.changed", rights: ["auditor"] },
  notification: { type: "notifications.changed", rights: ["admin"] },
  user: { type: "people.changed", rights: peopleReaders },
  role: { type: "people.changed", rights: peopleReaders },
  invitation: { type: "people.changed", rights: peopleReaders },
  token: { type: "people.changed", rights: peopleReaders },
  session: { type: "people.changed", rights: peopleReaders },
  passkey: { type: "people.changed", rights: peopleReaders },
  signin: { type: "people.changed", rights: peopleReaders },
  consent: { type: "people.changed", rights: peopleReaders },
}

/** They read, or begin what another entry ends. */
const changesNothing = new Set(["registry.export", "model_provider.test", "signin.provider.test", "oauth.start", "invitation.open"])

export const topicOf = (action: string): Topic | null =>
  changesNothing.has(action) ? null : (topics[action.split(".", 1)[0] ?? ""] ?? null)

/** `told`: everything. `hint`: only that something changed. */
export function audienceOf(
  principal: Principal,
  { action, subject, user }: { readonly action: string; readonly subject: string; readonly user: string },
): "told" | "hint" | "nothing" {
  const topic = topicOf(action)
  if (topic === null || principal.kind !== "human") return "nothing"
  if (user === principal.user) return "told"
  // What people connect for themselves is nobody else's to know.
  if (isOwnConnection(action, subject)) return "nothing"
  if (isAdmin(principal) || topic.rights.some((right) => hasRight(principal, right))) return "told"
  // Some of these lists are for everybody, cut down to what concerns them.
  return topic.type === "policies.changed" || topic.type === "pipelines.changed" || topic.type === "agents.changed" ? "hint" : "nothing"
}

const isOwnConnection = (action: string, subject: string): boolean =>
  (action.startsWith("connection.") || action.startsWith("oauth.")) && subject.split(".")[1] === "user"
