// Finds the ids with a given prefix: executions, approvals, policies, tokens, sessions and invitations that the principal may see.
//
// Ids are ordered, and so are the lists, so that the first rows at the prefix are all that need to be read.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { hasRight, isAdmin } from "../core/principal.ts"
import { listPolicies } from "../catalog/policies/edit.ts"
import type { After } from "../store/store.ts"
import { isReadable } from "./approvals/answerers.ts"
import { inboxRows } from "./approvals/inbox.ts"
import { ofTenant, visibilityOf } from "./execution-access.ts"
import type { EngineParts } from "./engine-parts.ts"

/** More are no help to whoever has to choose. */
const foundMax = 10
/** Behind every character that ids are made of. */
const behindIds = "~"

export async function findIds(principal: Principal, prefix: string, parts: EngineParts): Promise<string[]> {
  const kind = prefix.split("_", 1)[0] ?? ""
  const finder = Object.hasOwn(finders, kind) ? finders[kind] : undefined
  if (finder === undefined || !prefix.includes("_"))
    throw new ExecutorError("invalid_request", `An id begins with ${Object.keys(finders).join("_, ")}_; '${prefix.slice(0, 80)}' does not`)
  const ids = await finder(principal, prefix, parts)
  return ids.filter((id) => id.startsWith(prefix)).slice(0, foundMax)
}

/** The id that is the prefix itself stands before those that follow it. */
async function idsAt(prefix: string, list: (page: After<string>) => Promise<readonly { readonly id: string }[]>): Promise<string[]> {
  return (await list({ after: prefix.slice(0, -1), limit: foundMax * 10 })).map(({ id }) => id)
}

type Finder = (principal: Principal, prefix: string, parts: EngineParts) => Promise<string[]>

const finders: Readonly<Record<string, Finder>> = {
  async exe(principal, prefix, parts) {
    const page = { after: `${prefix}${behindIds}`, limit: foundMax }
    const list = async (filter: { readonly parent?: "any" }): Promise<string[]> =>
      (await parts.executions.executions.list(visibilityOf(principal), filter, page)).map(({ id }) => id)
    const first = await list({})
    // Runs that others started have the beginning of their root's id: a short prefix means the root.
    return first.some((id) => id.startsWith(prefix)) ? first : list({ parent: "any" })
  },
  async apr(principal, prefix, parts) {
    const whole = await parts.executions.approvals.get(ofTenant(principal), prefix)
    if (whole !== null) return (await isReadable(principal, whole, parts)) ? [whole.id] : []
    const page = { after: prefix, limit: foundMax }
    const own = await parts.executions.approvals.list(visibilityOf(principal), {}, page)
    const others = await inboxRows(principal, { status: "pending" }, page, parts)
    return [...new Set([...own, ...others].map(({ id }) => id))].toSorted()
  },
  async pol(principal, _prefix, parts) {
    if (principal.kind === "agent") return []
    return (await listPolicies(principal, parts)).map(({ id }) => id)
  },
  async ses(principal, prefix, parts) {
    if (principal.kind === "agent") return []
    const who = { tenant: principal.tenant, user: isAdmin(principal) ? null : principal.user }
    return idsAt(prefix, (page) => parts.store.browserSessions.list(who, page))
  },
  async inv(principal, prefix, parts) {
    return hasRight(principal, "people.invite") ? idsAt(prefix, (page) => parts.store.invitations.list(principal.tenant, page)) : []
  },
  async tok(principal, prefix, parts) {
    if (principal.kind === "agent") return []
    const { tokens } = parts.store
    const whole = isAdmin(principal) ? await tokens.find(principal.tenant, prefix) : await tokens.get(principal, prefix)
    if (whole !== null) return [whole.id]
    const page = { after: prefix, limit: foundMax }
    return (isAdmin(principal) ? await tokens.listAll(principal.tenant, page) : await tokens.list(principal, page)).map(({ id }) => id)
  },
}
