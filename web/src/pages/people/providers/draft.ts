// A provider while it is written: texts of a form, and what of them the API takes.
import type { SignInProviderCreate, SignInProviderUpdate, SignInProviderView } from "toolplane/client"

export type DraftRule = { readonly value: string; readonly roles: readonly string[] }

export type ProviderDraft = {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Empty: the stored one stays. */
  readonly clientSecret: string
  readonly scopes: string
  readonly claim: string
  readonly rules: readonly DraftRule[]
  /** Empty: none. */
  readonly defaultRole: string
  readonly domains: string
  readonly values: string
}

export const draftOf = (provider: SignInProviderView | null): ProviderDraft => ({
  id: provider?.id ?? "",
  name: provider?.name ?? "",
  issuer: provider?.issuer ?? "",
  clientId: provider?.clientId ?? "",
  clientSecret: "",
  scopes: (provider?.scopes ?? ["openid", "email", "profile"]).join(" "),
  claim: provider?.claim ?? "groups",
  rules: provider?.rules ?? [{ value: "", roles: [] }],
  defaultRole: provider?.defaultRole ?? "",
  domains: (provider?.allow.domains ?? []).join(" "),
  values: (provider?.allow.values ?? []).join("\n"),
})

const split = (text: string, by: RegExp): readonly string[] =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== "")

const fieldsOf = (draft: ProviderDraft) => {
  const [domains, values] = [split(draft.domains, /[\s,]+/), split(draft.values, /\n/)]
  return {
    name: draft.name,
    issuer: draft.issuer.trim(),
    clientId: draft.clientId.trim(),
    scopes: split(draft.scopes, /\s+/),
    claim: draft.claim,
    // A row that nobody has filled in is no rule.
    rules: draft.rules.filter(({ value, roles }) => value.trim() !== "" || roles.length > 0),
    allow: { ...(domains.length === 0 ? {} : { domains }), ...(values.length === 0 ? {} : { values }) },
    ...(draft.clientSecret === "" ? {} : { clientSecret: draft.clientSecret }),
  }
}

export const toCreate = (draft: ProviderDraft): SignInProviderCreate => ({
  ...fieldsOf(draft),
  ...(draft.id.trim() === "" ? {} : { id: draft.id.trim() }),
  ...(draft.defaultRole === "" ? {} : { defaultRole: draft.defaultRole }),
})

export const toUpdate = (draft: ProviderDraft): SignInProviderUpdate => ({
  ...fieldsOf(draft),
  defaultRole: draft.defaultRole === "" ? null : draft.defaultRole,
})

/** What is missing; null: it can be sent. */
export function problemOf({ name, issuer, clientId, rules }: ProviderDraft): string | null {
  if (name.trim() === "") return "Name the provider first"
  if (issuer.trim() === "") return "Write its issuer first"
  if (clientId.trim() === "") return "Write the client id first"
  if (rules.some(({ value, roles }) => (value.trim() === "") !== (roles.length === 0))) return "A rule needs a value and a role"
  return null
}
