// The argument of a parameter, and its text where the document describes it by a media type.
import type { BoundParameter } from "../binding.ts"
import { contentKind, essenceOf } from "../../media-type.ts"
import { textOf } from "./serialize-style.ts"

export type Args = Readonly<Record<string, unknown>>

export const argOf = (parameter: BoundParameter, args: Args): unknown =>
  Object.hasOwn(args, parameter.arg) ? args[parameter.arg] : undefined

export const isJsonType = (contentType: string): boolean => contentKind(essenceOf(contentType)) === "json"

export const contentText = (value: unknown, contentType: string): string =>
  isJsonType(contentType) ? JSON.stringify(value) : textOf(value)
