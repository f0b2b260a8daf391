// Explains why a principal can or cannot call a tool: role ▶ lifecycle ▶ policy ▶ pin ▶ connection. No call is made.
//
// It asks what the gate asks, in the order of the question "what would have to change first".
import { production } from "../catalog/tools/working-copies.ts"
import { withoutRoot } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import type { AccessExplain, AccessExplanation, AccessStage, AccessStep, AccessSubject } from "../core/people/access-explanation.ts"
import { requireAdmin } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import { hasCredentials } from "../catalog/connections/connection.ts"
import { executorCommandOnPages } from "../io/executor-command.ts"
import type { Access, Actor } from "../identity/access.ts"
import { userOf } from "../identity/people/users.ts"
import { whoText } from "../policy/answerers.ts"
import { explain } from "../policy/explain.ts"
import { roleSubjectOf, visibleBy } from "../policy/visible.ts"
import type { CallTarget } from "./gate/call.ts"
import type { GateParts } from "./gate/gate.ts"
import { resolveTarget, targetOfCall } from "./gate/target.ts"

export async function explainAccess(reader: Principal, input: AccessExplain, parts: GateParts): Promise<AccessExplanation> {
  const actor = await actorOf(reader, input, parts)
  const { steps, by } = await stepsOf(actor, input, parts)
  const stop = steps.find(({ outcome }) => outcome === "stops")?.stage ?? null
  const asks = steps.some(({ outcome }) => outcome === "asks")
  return {
    user: actor.user,
    token: actor.tokenId,
    address: withoutRoot(input.address),
    outcome: stop !== null ? "refused" : asks ? "needs_approval" : "allowed",
    stop,
    ...(stop !== null || by === undefined ? {} : { by }),
    steps,
  }
}

/** Everybody may ask about themselves and their agents, an agent about its token, an admin about all. */
async function actorOf(reader: Principal, { user, token }: AccessExplain, parts: GateParts): Promise<Actor> {
  if ((user === undefined) === (token === undefined)) throw new ExecutorError("invalid_request", "Pass either user or token")
  const { tenant } = reader
  if (token !== undefined) {
    const own = await parts.store.tokens.get(reader, token)
    if (own !== null && (reader.kind === "human" || token === reader.tokenId)) return { tenant, user: own.user, tokenId: token }
    requireAdmin(reader, "explain the access of others")
    const found = await parts.store.tokens.find(tenant, token)
    if (found === null) throw new ExecutorError("not_found", `There is no token '${token.slice(0, 80)}'`)
    return { tenant, user: found.user, tokenId: token }
  }
  if (user !== reader.user || reader.kind === "agent") requireAdmin(reader, "explain the access of others")
  const { id } = await userOf({ tenant, user: user ?? "" }, parts)
  return { tenant, user: id, tokenId: null }
}

type Steps = Pick<AccessExplanation, "steps" | "by">

async function stepsOf(actor: Actor, input: AccessExplain, parts: GateParts): Promise<Steps> {
  const access = await parts.access.of(actor)
  if (access === null) {
    if (actor.tokenId === null && (await parts.store.users.get(actor))?.status === "invited") {
      const change = "They open the link of the invitation; invite them again if it was lost"
      return { steps: [about(stops("principal", `'${actor.user}' has not accepted the invitation yet`, change), "user", actor.user)] }
    }
    const what =
      actor.tokenId === null ? `'${actor.user}' is not active` : `The token was revoked or has expired, or '${actor.user}' is not active`
    return { steps: [about(stops("principal", what, "Enable the user, or create a new token"), "user", actor.user)] }
  }
  const role = await roleStep(actor.tenant, access, roleSubjectOf(input.address), parts)
  if (role.outcome === "stops") return { steps: [role] }
  const resolution = await resolveTarget(access.principal, input.address, production, parts)
  if (!resolution.ok) {
    const { code, message } = resolution.error
    if (code === "tool_blocked") return { steps: [stops("role", message, "Only human admins can call it")] }
    const isThere = code !== "tool_not_found" && code !== "tool_ambiguous"
    const failed = isThere
      ? about(stops("connection", message, "Connect the integration"), "integration", integrationOf(input.address))
      : stops(
          "lifecycle",
          message,
          code === "tool_ambiguous" ? "Name the connection in the path" : "Check the path; the tool must be in the catalog",
        )
    return { steps: [role, failed] }
  }
  const { args = null } = input
  const target = args === null ? resolution.target : await targetOfCall(resolution.target, args)
  const exists = about(passes("lifecycle", `'${target.subject}' is in the catalog`), "tool", withoutRoot(target.address))
  const { step: policy, by } = await policyStep(access, target, args, parts)
  if (policy.outcome === "stops") return { steps: [role, exists, policy] }
  const named = by === undefined ? {} : { by }
  return { steps: [role, exists, policy, pinStep(target), await connectionStep(access, target.address, parts)], ...named }
}

async function roleStep(tenant: string, { principal, isVisible }: Access, subject: string, parts: GateParts): Promise<AccessStep> {
  const roles = await parts.access.roles(tenant)
  const held = principal.roles.flatMap((id) => roles.get(id) ?? [])
  const found = held
    .flatMap(({ id, patterns }) => patterns.map((pattern) => ({ id, pattern })))
    .find(({ pattern }) => visibleBy([pattern])(subject))
  if (found === undefined) {
    const which =
      held.length === 0
        ? "The user has no role"
        : `No pattern of the roles ${held.map(({ id }) => `'${id}'`).join(", ")} matches '${subject}'`
    const step = stops("role", which, `Give the user a role with a pattern such as '${subject}'`)
    return about(step, "user", principal.user)
  }
  const message = `The pattern '${found.pattern}' of the role '${found.id}' matches '${subject}'`
  if (isVisible(subject)) return about(passes("role", message), "role", found.id)
  const step = stops("role", `${message}, but no pattern of the token does`, "Use a token without patterns, or with one that matches")
  return about(step, "token", principal.tokenId ?? "")
}

async function policyStep(
  { principal }: Access,
  target: CallTarget,
  args: Record<string, unknown> | null,
  parts: GateParts,
): Promise<{ readonly step: AccessStep; readonly by?: AccessExplanation["by"] }> {
  const rules = await parts.policyEvaluator.rules(principal)
  const { verdict, message, rule, by } = explain(target, rules, args)
  const byRule = (step: AccessStep): AccessStep => (rule === null ? step : about(step, "rule", rule.id))
  if (verdict === "block") return { step: byRule(stops("policy", message, `Change or remove the rule ${rule?.id ?? ""}`)) }
  if (verdict === "allow") return { step: byRule(passes("policy", message)) }
  const change = by === undefined ? "A human approves the call, or a rule allows it" : `It is approved by ${whoText(by)}`
  return { step: byRule({ stage: "policy", outcome: "asks", message, change }), ...(by === undefined ? {} : { by }) }
}

function pinStep({ alwaysAsks, address, subject }: CallTarget): AccessStep {
  if (!alwaysAsks) return passes("pin", "The tool is as it was accepted")
  if (address === subject) return { stage: "pin", outcome: "asks", message: "This tool always requires approval" }
  const change = `Accept the change: ${executorCommandOnPages} connections accept`
  const step: AccessStep = { stage: "pin", outcome: "asks", message: "The tool has changed since a human accepted it", change }
  return about(step, "integration", integrationOf(address))
}

async function connectionStep({ principal }: Access, path: string, parts: GateParts): Promise<AccessStep> {
  if (parts.staticTools.find(withoutRoot(path)) !== undefined) return passes("connection", "The tool needs no connection")
  const resolution = await parts.resolver.resolve(principal, path)
  if (resolution.kind !== "found") return stops("connection", "There is no connection with this tool", "Connect the integration")
  const { connection } = resolution.found
  const name = `${connection.integration}.${connection.owner}.${connection.name}`
  const at = (step: AccessStep): AccessStep => about(step, "integration", connection.integration)
  if (!hasCredentials(connection) && connection.template !== "oauth2")
    return at(
      stops("connection", `The connection '${name}' has no credential`, `Add one: ${executorCommandOnPages} connections update ${name}`),
    )
  const state = connection.error === null ? "" : `; its last sync failed: ${connection.error}`
  return at(passes("connection", `The connection '${name}' has its credential${state}`))
}

const integrationOf = (address: string): string => withoutRoot(address).split(".", 1)[0] ?? ""

const about = (step: AccessStep, kind: AccessSubject["kind"], id: string): AccessStep => ({ ...step, about: { kind, id } })

const passes = (stage: AccessStage, message: string): AccessStep => ({ stage, outcome: "passes", message })
const stops = (stage: AccessStage, message: string, change: string): AccessStep => ({ stage, outcome: "stops", message, change })
