// What comparing two schemas finds, and how the findings of a keyword become changes.
import type { DefinitionChange } from "../core/registry/diff.ts"
import { cut, cutText, valuesOf } from "./json-diff.ts"

/** Callers write what a schema of the input allows, and read what one of the output allows; inside of `not` and the like nobody can say. */
export type Direction = "input" | "output" | "unknown"

/** How the values that a schema allows changed; `extended`: by a property that may be left out. */
export type Sense = "narrower" | "wider" | "extended" | "other" | "text"

export type Finding = {
  readonly sense: Sense
  readonly direction: Direction
  readonly path: readonly string[]
  readonly message: string
  readonly before?: unknown
  readonly after?: unknown
}

export type Side = { readonly ref: string } | { readonly schema: unknown }

/** Two schemas to compare later, because at least one of them is a reference. */
export type Pair = { readonly before: Side; readonly after: Side; readonly direction: Direction; readonly path: readonly string[] }

export type Walk = {
  readonly direction: Direction
  readonly findings: Finding[]
  readonly pairs: Pair[]
  /** Throws `stepsSpent`. */
  spend(): void
}

export const stepsSpent = new Error("The schemas are too large to compare")

export function report(walk: Walk, sense: Sense, path: readonly string[], message: string, before?: unknown, after?: unknown): void {
  walk.findings.push({ sense, direction: walk.direction, path, message, ...valuesOf(cut(before), cut(after)) })
}

export const toChange = ({ sense, direction, path, message, ...values }: Finding, root: string): DefinitionChange => ({
  kind: kindOf(sense, direction),
  path: cutText([root, ...path].join(".")),
  message: cutText(message),
  ...values,
})

function kindOf(sense: Sense, direction: Direction): DefinitionChange["kind"] {
  if (sense === "text") return "text"
  if (sense === "other" || direction === "unknown") return "breaking"
  if (sense === "extended") return "widening"
  return (sense === "wider") === (direction === "input") ? "widening" : "breaking"
}
