// What a schema says about its parts, as texts of bounded length.
import type { Limits } from "../../../core/limits.ts"
import { boundedText } from "../../document-value.ts"

type Described = { readonly description?: string | null | undefined; readonly deprecationReason?: string | null | undefined }

/** With what is said about its deprecation, for whoever reads nothing else. */
export function descriptionOf({ description, deprecationReason }: Described, limits: Limits): string {
  const text = boundedText(description, limits.descriptionCharsMax)
  if (deprecationReason == null) return text
  const reason = boundedText(deprecationReason, 1_000)
  return boundedText([text, `Deprecated: ${reason || "no longer supported"}`].filter(Boolean).join("\n\n"), limits.descriptionCharsMax)
}

/** Names beginning so are the language's own; a schema that uses them for itself is not served there. */
export const isReserved = (name: string): boolean => name.startsWith("__")
