// Checks the addresses in a tool's config: what arguments fill may never say where a request goes.
import { ExecutorError } from "../../core/errors.ts"
import { isSensitiveKey } from "../sensitive-key.ts"

const placeholder = /\{([^{}]*)\}/g
const shape = /^(https?):\/\/([^/?#\\]*)([/?#].*)?$/i
const urlCharsMax = 8192

/** Null where it is not an address, or not one that says where it leads. */
export function originOfTemplate(template: string): string | null {
  const authority = shape.exec(template)?.[2]
  if (authority === undefined || authority === "" || /[{}@\s]/.test(authority)) return null
  return URL.parse(template.replaceAll(placeholder, "x"))?.origin ?? null
}

/** The names that stand in braces. */
export const placeholdersIn = (template: string): string[] => [...template.matchAll(placeholder)].map((match) => match[1] ?? "")

/** The name of what an address shows although it is secret; null where there is nothing. */
export function secretInUrl(template: string): string | null {
  if (shape.exec(template)?.[2]?.includes("@") === true) return "user name"
  const [, ...rest] = template.split(/[?#]/)
  const query = new URLSearchParams(rest.join("&").replaceAll(placeholder, ""))
  return [...query].find(([name, text]) => text !== "" && isSensitiveKey(name))?.[0] ?? null
}

export function checkUrl(field: string, value: unknown, example: string): string {
  const refuse = (problem: string): ExecutorError => new ExecutorError("invalid_request", `implementationConfig.${field} ${problem}`)
  if (typeof value !== "string" || value === "") throw refuse(`is required: write an address such as ${example}`)
  if (value.length > urlCharsMax) throw refuse(`has more than ${urlCharsMax} characters; move what is long into query or body`)
  if (/[\s\\\p{C}]/u.test(value)) throw refuse("may not have blanks, backslashes or control characters; encode them")
  const parts = shape.exec(value)
  if (parts === null || /[{}]/.test(value.split("://", 1)[0] ?? "")) throw refuse(`must begin with https:// or http://, as in ${example}`)
  const [, , authority = ""] = parts
  if (/[{}]/.test(authority))
    throw refuse(
      "may not have {name} in its scheme, host or port, because an argument would then choose where the request goes; write the host out",
    )
  if (authority.includes("@")) throw refuse("may not have a user name or password; send them in headers, where they are kept secret")
  if (originOfTemplate(value) === null) throw refuse(`is not an address such as ${example}`)
  const secret = secretInUrl(value)
  if (secret !== null) throw refuse(`shows the value of '${secret}' to everybody; put it into query, where it is kept secret`)
  return value
}
