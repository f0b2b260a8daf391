// Reads a gallery of presets, and says what is wrong with it.
import { z } from "zod"
import { ownedSlugs, reservedSlugs } from "../../core/address.ts"
import { authTemplates } from "../../core/auth.ts"
import { presetCategories, presetKinds } from "../../core/presets/preset.ts"
import type { PresetKind, PresetView } from "../../core/presets/preset.ts"

const line = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\r\n]*$/, "must be one line")
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" })

const placement = z.strictObject({ in: z.enum(["header", "query", "cookie"]), name: line, value: line.includes("${") })

const auth = z
  .strictObject({
    template: z.enum(authTemplates),
    values: z.array(line).default([]),
    placements: z.array(placement).default([]),
    keyUrl: httpUrl.nullable().default(null),
    note: z.string().max(300).default(""),
  })
  .refine(({ template, placements }) => !["api_key", "custom"].includes(template) || placements.length > 0, {
    error: "placements must say where the values of api_key and custom go",
  })
  .refine(({ values, placements }) => placements.every(({ value }) => usedValues(value).every((name) => values.includes(name))), {
    error: "placements use a value that values do not name",
  })

const usedValues = (text: string): string[] => [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name = ""]) => name)

const preset = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,62}$/, "must be lower-case letters, digits and '_'")
      .refine((id) => !reservedSlugs.includes(id) && !ownedSlugs.includes(id), { error: "is a reserved word" }),
    name: line,
    description: line,
    category: z.enum(presetCategories),
    kind: z.enum(presetKinds),
    url: httpUrl,
    config: z.record(z.string(), z.unknown()).default({}),
    baseUrl: z.strictObject({ description: line, example: httpUrl }).nullable().default(null),
    auth: z.array(auth).min(1),
    docsUrl: httpUrl,
  })
  .transform((one): PresetView => ({ ...one, config: { ...urlConfig[one.kind](one.url), ...one.config } }))

const gallery = z.array(preset).max(1000)

const urlConfig: Record<PresetKind, (url: string) => Record<string, unknown>> = {
  openapi: (url) => ({ spec: url }),
  graphql: (url) => ({ endpoint: url }),
  mcp: (url) => ({ transport: "http", url }),
}

/** A text says what is wrong. */
export function readPresets(input: unknown): readonly PresetView[] | string {
  const parsed = gallery.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return issue === undefined ? "it is not a list of presets" : `${issue.path.join(".") || "it"}: ${issue.message}`
}
