// Makes the body of a request out of the arguments that belong to it.
import { isRecord } from "../../../core/json/record.ts"
import { isToolFile } from "../../../core/result.ts"
import type { BoundBody } from "../binding.ts"
import { contentBytes } from "./body-file.ts"
import { formText } from "./body-form.ts"
import { contentKind, essenceOf, safeType } from "../../media-type.ts"
import { multipartBody } from "./body-multipart.ts"
import { ArgumentProblem } from "./serialize-problem.ts"

export type BuiltBody = { readonly contentType: string; readonly content: string | Uint8Array }

type Args = Readonly<Record<string, unknown>>

/** Null when there is nothing to send. `parameterArgs`: the arguments that are not the body's. */
export function buildBody(body: BoundBody, args: Args, parameterArgs: ReadonlySet<string>): BuiltBody | null {
  const value = bodyValue(body, args, parameterArgs)
  if (value === undefined) return null
  const arg = body.form.kind === "whole" ? body.form.arg : "body"
  const essence = essenceOf(body.contentType)
  const kind = contentKind(essence)
  if (kind === "json") return { contentType: concreteType(body.contentType, "application/json"), content: JSON.stringify(value) }
  if (kind === "form" && typeof value === "string") return { contentType: body.contentType, content: value }
  if ((kind === "form" || kind === "multipart") && !hasFields(value))
    throw new ArgumentProblem(arg, `'${arg}' is sent as a form, so it must be an object of its fields`)
  if (kind === "form") return { contentType: body.contentType, content: formText(value, body.encoding) }
  if (kind === "multipart") {
    const { boundary, bytes } = multipartBody(value, body)
    return { contentType: `${concreteType(essence, "multipart/form-data")}; boundary=${boundary}`, content: bytes }
  }
  if (kind === "json_lines" && Array.isArray(value)) return { contentType: body.contentType, content: jsonLines(value) }
  const fallback = kind === "binary" ? (isToolFile(value) ? safeType(value.mimeType) : "application/octet-stream") : "text/plain"
  return { contentType: concreteType(body.contentType, fallback), content: contentBytes(value, arg) }
}

const hasFields = (value: unknown): boolean => isRecord(value) && !isToolFile(value)

const jsonLines = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join("")

/** Undefined: no body. A body that is required is sent even if nothing is in it. */
function bodyValue({ form, required }: BoundBody, args: Args, parameterArgs: ReadonlySet<string>): unknown {
  if (form.kind === "whole") return Object.hasOwn(args, form.arg) ? args[form.arg] : undefined
  const names = form.open
    ? Object.keys(args).filter((name) => !parameterArgs.has(name))
    : form.properties.filter((name) => Object.hasOwn(args, name))
  const given = names.filter((name) => args[name] !== undefined)
  if (given.length === 0 && !required) return undefined
  return Object.fromEntries(given.map((name) => [name, args[name]]))
}

/** A range such as `image/*` is what a document may say and a request may not. */
const concreteType = (contentType: string, fallback: string): string => (contentType.includes("*") ? fallback : contentType)
