// The schemas that the arguments of built-in tools are made of.
import type { JsonSchema } from "../../core/tool.ts"

export const text = { type: "string" }

/** No other properties than these. */
export const object = (properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
})
