// Checks what an admin writes about a sign-in provider.
import { ExecutorError } from "../../core/errors.ts"
import type { Role } from "../../core/people/role.ts"
import type { SignInAllow, SignInProviderUpdate, SignInRule } from "../../core/people/sign-in.ts"
import { secureUrl } from "../../credentials/oauth/oauth.ts"
import { matchesEverything } from "../../policy/sign-in-claims.ts"
import type { SignInProviderRow } from "../../store/sign-in-store.ts"

type Roles = ReadonlyMap<string, Role>

const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/
const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const domainPattern = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/

export function checkProviderId(id: string): string {
  if (!idPattern.test(id))
    throw invalid(`id: ${quote(id)} must have up to 63 lower-case letters, digits and hyphens, as in 'okta' or 'acme-entra'`)
  return id
}

/** Made of the name, for whoever gives none. */
export const providerIdFrom = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40) || "sso"

type Fields = Omit<SignInProviderRow, "tenant" | "id" | "createdAt">

/** The row's fields once the change is made; throws where they cannot be. */
export function changedProvider(before: Fields, change: SignInProviderUpdate, roles: Roles): Fields {
  const defaultRole = change.defaultRole === undefined ? before.defaultRole : change.defaultRole
  return {
    name: change.name === undefined ? before.name : checkName(change.name),
    issuer: change.issuer === undefined ? before.issuer : secureUrl(change.issuer, "issuer"),
    clientId: change.clientId ?? before.clientId,
    scopes: change.scopes === undefined ? before.scopes : JSON.stringify(checkScopes(change.scopes)),
    claim: change.claim === undefined ? before.claim : checkClaim(change.claim),
    rules: change.rules === undefined ? before.rules : JSON.stringify(change.rules.map((rule) => checkRule(rule, roles))),
    defaultRole: defaultRole === null ? null : checkDefault(defaultRole, roles),
    allow: change.allow === undefined ? before.allow : JSON.stringify(checkAllow(change.allow)),
  }
}

function checkName(text: string): string {
  const name = text.trim()
  if (name === "" || /\p{C}/u.test(name)) throw invalid("name: it is shown on a button, and must be one line of text")
  return name
}

/** Without `openid` a provider sends no ID token. */
function checkScopes(given: readonly string[] | string): string[] {
  const scopes = typeof given === "string" ? given.split(/\s+/).filter((scope) => scope !== "") : given
  const wrong = scopes.find((scope) => !scopePattern.test(scope))
  if (wrong !== undefined) throw invalid(`scopes: ${quote(wrong)} is not a scope`)
  return [...new Set(["openid", ...scopes])]
}

function checkClaim(claim: string): string {
  if (claim === "" || /\p{C}/u.test(claim))
    throw invalid(
      "claim: write a name such as 'groups', a path such as 'realm_access.roles', or a JSON pointer such as '/realm_access/roles'",
    )
  return claim
}

/** A rule that matches everybody may not give rights. */
function checkRule({ value, roles: given }: SignInRule, roles: Roles): SignInRule {
  if (value === "") throw invalid("rules: 'value' is empty; write the claim's value, with * for any characters, as in 'eng-*'")
  if (given.length === 0) throw invalid(`rules: the rule for ${quote(value)} gives no roles; name one, or remove the rule`)
  for (const id of given) {
    const role = requireRole(id, roles, "rules")
    if (matchesEverything(value) && role.rights.length > 0)
      throw invalid(
        `rules: ${quote(value)} matches everybody, and the role '${id}' carries rights (${role.rights.join(", ")}). Name the values that are to have them`,
      )
  }
  return { value, roles: [...new Set(given)] }
}

function checkDefault(id: string, roles: Roles): string {
  const role = requireRole(id, roles, "defaultRole")
  if (role.rights.length > 0)
    throw invalid(
      `defaultRole: the role '${id}' carries rights (${role.rights.join(", ")}), and everybody who signs in would have them. Choose a role without rights, and give rights by rules`,
    )
  return id
}

function requireRole(id: string, roles: Roles, field: string): Role {
  const role = roles.get(id)
  if (role === undefined) throw invalid(`${field}: there is no role ${quote(id)}; there are ${[...roles.keys()].slice(0, 20).join(", ")}`)
  return role
}

/** An empty list reads as nobody and would count as everybody: whoever means everybody leaves it out. */
function checkAllow({ domains, values }: SignInAllow): SignInAllow {
  for (const [name, list] of Object.entries({ domains, values }))
    if (list?.length === 0) throw invalid(`allow.${name}: the list is empty; name at least one, or leave it out to let everybody in`)
  const wrong = domains?.find((domain) => !domainPattern.test(domain.toLowerCase()))
  if (wrong !== undefined)
    throw invalid(`allow.domains: ${quote(wrong)} is not a domain such as 'acme.com'; subdomains are named one by one`)
  if (values?.includes("") === true) throw invalid("allow.values: a value is empty; write the claim's value, with * for any characters")
  return {
    ...(domains === undefined ? {} : { domains: [...new Set(domains.map((domain) => domain.toLowerCase()))] }),
    ...(values === undefined ? {} : { values: [...new Set(values)] }),
  }
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)

const quote = (text: string): string => JSON.stringify(text.slice(0, 80))
