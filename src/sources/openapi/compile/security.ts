// Turns the security schemes of a document into the ways in which a connection can authenticate.
import type { AuthOption } from "../../../core/auth.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Operation } from "./operations.ts"
import { childOf, isMissing, locationOf } from "../document/resolve.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { boundedText, isObject, listAt, own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"
import { schemeAuth } from "./security-scheme.ts"
import type { SchemeAuth } from "./security-scheme.ts"

/** More than anyone would choose from. */
const optionsMax = 32

const noAuth: AuthOption = { template: "none", name: "none", description: "Calls carry no credentials.", values: [], placements: [] }

type Parts = { readonly files: DocumentFiles; readonly warnings: Warnings; readonly limits: Limits }

/** Those that the document demands of all operations come first, then those of single operations, then schemes that nothing demands. */
export function authOptions(operations: readonly Operation[], schemesAt: readonly string[], parts: Parts): AuthOption[] {
  const root: Located = { value: parts.files.main.root, file: parts.files.main, pointer: "" }
  const schemes = readSchemes(childOf(root, ...schemesAt), parts)
  if (schemes.size === 0) return [noAuth]
  const requirements = new Map<string, readonly string[]>()
  const demand = (owner: unknown): void => {
    for (const requirement of isObject(owner) ? listAt(owner, "security") : []) {
      if (!isObject(requirement)) continue
      const names = Object.keys(requirement)
      requirements.set([...names].toSorted().join("\n"), names)
    }
  }
  demand(root.value)
  const isOptional = requirements.has("")
  for (const operation of operations) demand(operation.value)
  for (const name of schemes.keys()) requirements.set(name, [name])
  if (!isOptional) requirements.delete("")
  const options: AuthOption[] = []
  for (const names of requirements.values()) {
    const option = optionOf(names, schemes, parts)
    if (option) options.push(option)
    if (options.length >= optionsMax) break
  }
  return options.length === 0 ? [noAuth] : options
}

/** Operations with `security: []` want no credentials; in a document without schemes that says nothing. */
export function anonymousFinder(schemesAt: readonly string[], { files }: Pick<Parts, "files">): (operation: Operation) => boolean {
  const { value: schemes } = childOf({ value: files.main.root, file: files.main, pointer: "" }, ...schemesAt)
  const hasSchemes = isObject(schemes) && Object.keys(schemes).length > 0
  return ({ value }) => {
    const security = own(value, "security")
    return hasSchemes && Array.isArray(security) && security.length === 0
  }
}

function readSchemes(at: Located, { files, warnings }: Parts): Map<string, Located & { readonly value: JsonObject }> {
  const schemes = new Map<string, Located & { readonly value: JsonObject }>()
  for (const name of isObject(at.value) ? Object.keys(at.value) : []) {
    const scheme = files.follow(childOf(at, name))
    if (!isMissing(scheme) && isObject(scheme.value)) schemes.set(name, { ...scheme, value: scheme.value })
    else warnings.add(locationOf(childOf(at, name)), "The security scheme is not an object; it was left out")
  }
  return schemes
}

function optionOf(
  names: readonly string[],
  schemes: ReadonlyMap<string, Located & { readonly value: JsonObject }>,
  parts: Parts,
): AuthOption | null {
  if (names.length === 0) return noAuth
  const together: SchemeAuth[] = []
  for (const name of names) {
    const scheme = schemes.get(name)
    const auth = scheme ? schemeAuth(scheme.value, names.length > 1 ? valueNameOf(name) : null, parts.limits) : null
    if (!auth) {
      const reason = scheme ? "is of an unsupported kind, or is not described" : "is required but not declared"
      parts.warnings.add(scheme ? locationOf(scheme) : "#/security", `The security scheme '${name}' ${reason}; it was left out`)
      return null
    }
    together.push(auth)
  }
  const name = boundedText(names.join(" + "), parts.limits.nameCharsMax)
  const [only] = together
  if (only && together.length === 1) return { ...only, name }
  return { name, ...joined(together) }
}

/** Schemes that hold together bring all their values; a flow among them decides how the connection is made. */
function joined(together: readonly SchemeAuth[]): Omit<AuthOption, "name"> {
  const flow = together.find((auth) => auth.template === "oauth2")
  return {
    template: flow ? "oauth2" : "custom",
    description: together
      .map((auth) => auth.description)
      .filter((text) => text !== "")
      .join("\n"),
    values: [...new Set(together.flatMap((auth) => auth.values))],
    placements: together.flatMap((auth) => auth.placements),
    ...(flow?.oauth ? { oauth: flow.oauth } : {}),
  }
}

/** A scheme's name as a value's: letters, digits and `_`. */
function valueNameOf(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60)
  return /^[A-Za-z]/.test(plain) ? plain : `value_${plain}`
}
