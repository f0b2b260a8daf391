// What only an admin may write, wherever it is written: programs to start, private hosts, and references to the server's environment.
//
// What is plain to see is refused when it is written. A name that leads to a private address is refused when it is called:
// only origins that an admin wrote are exempt from the network's guard.
import { ExecutorError } from "../../core/errors.ts"
import { isAdmin, localTenant } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { hasEnvReference } from "../../credentials/env/reference.ts"
import { addressRange, parseAddress } from "../../io/network/address-range.ts"
import { targetOf } from "../../io/network/address-guard.ts"

/** `config`: as its adapter has read it; `secrets`: the texts that stand in it, with their references. */
export function requireAdminConfig(principal: Principal, config: unknown, urls: readonly string[], secrets: readonly string[]): void {
  if (typeof config === "object" && config !== null && "transport" in config && config.transport === "stdio")
    requireOperator(principal, "A program that Executor starts on its own machine (stdio)")
  refuseEnvReferences(principal, secrets)
  refusePrivateUrls(principal, urls)
}

export function refuseEnvReferences(principal: Principal, texts: readonly string[]): void {
  if (texts.some(hasEnvReference)) requireOperator(principal, "A reference to the server's environment (${env:…})")
}

export function refusePrivateUrls(principal: Principal, urls: readonly string[]): void {
  const found = isAdmin(principal) ? undefined : urls.find(isPrivate)
  if (found !== undefined) throw adminsOnly(`The private host '${new URL(found).host}'`)
}

/** The origins of a config that count as written by an admin. `before`: those that did so until now. */
export const adminOrigins = (principal: Principal, origins: readonly string[], before: readonly string[] = []): readonly string[] =>
  isAdmin(principal) ? origins : origins.filter((origin) => before.includes(origin))

function isPrivate(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const { host } = targetOf(url)
  const address = parseAddress(host)
  return address === null ? host === "localhost" || host.endsWith(".localhost") : addressRange(address) !== "public"
}

/** The machine and its environment belong to all tenants: only those who run it may reach for them. */
function requireOperator(principal: Principal, what: string): void {
  if (!isAdmin(principal)) throw adminsOnly(what)
  if (principal.tenant !== localTenant)
    throw new ExecutorError("forbidden", `${what} can only be written in the tenant '${localTenant}', by those who run the server`)
}

const adminsOnly = (what: string): ExecutorError =>
  new ExecutorError("forbidden", `${what} can only be written by an admin; ask an admin to do it`)
