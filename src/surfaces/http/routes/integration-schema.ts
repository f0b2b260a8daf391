// The schemas of integrations as they travel over HTTP, with the examples that the reference shows.
import { z } from "zod"
import { sourceKinds } from "../../../core/integration.ts"
import type { Limits } from "../../../core/limits.ts"
import { authOption } from "./auth-schema.ts"
import { timestamp } from "./shared-schema.ts"

const kind = z.enum(sourceKinds)
const configOut = z.record(z.string(), z.unknown()).meta({
  description: "Secret values are shown as `***`. Empty for whoever sees only some of its tools and does not manage integrations.",
})
const configIn = z.record(z.string(), z.unknown()).meta({
  description:
    "For `openapi`: `{ spec, baseUrl?, headers?, include?, exclude? }`, where `spec` is a URL, the text of a document or the document itself. Values of `headers` are stored in the vault.",
})

const sourceFacts = z
  .object({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    origins: z.array(z.string()).meta({ description: "The origins that calls are sent to." }),
    auth: z.array(authOption),
    warnings: z.array(z.object({ location: z.string(), message: z.string() })).meta({ description: "Errors in the document." }),
    toolCount: z.int(),
  })
  .meta({ id: "SourceFacts", description: "Facts from the source when it was last read." })

export const integration = z
  .object({
    slug: z.string(),
    kind,
    name: z.string(),
    description: z.string(),
    config: configOut,
    documentHash: z.string().nullable().describe("The hash of the document that the tools were synced from."),
    configRevisedAt: timestamp,
    createdAt: timestamp,
    facts: sourceFacts,
  })
  .meta({ id: "Integration" })

export const detection = z
  .object({ kind, slug: z.string(), name: z.string(), config: z.record(z.string(), z.unknown()), auth: z.array(authOption) })
  .meta({ id: "Detection" })

export const preview = z
  .object({
    kind,
    facts: sourceFacts,
    tools: z.array(z.object({ name: z.string(), description: z.string(), requiresApproval: z.boolean() })),
  })
  .meta({ id: "IntegrationPreview" })

export function integrationInput(limits: Limits) {
  const text = {
    name: z.string().max(limits.nameCharsMax).exactOptional(),
    description: z.string().max(limits.descriptionCharsMax).exactOptional(),
  }
  const slug = z.string().meta({ description: "`^[a-z][a-z0-9_]{0,62}$`, and not a reserved word.", examples: ["github"] })
  return {
    add: z.strictObject({ slug, kind, ...text, config: configIn }).meta({ id: "IntegrationAdd" }),
    update: z.strictObject({ ...text, config: configIn.exactOptional() }).meta({ id: "IntegrationUpdate" }),
    detect: z.strictObject({ url: z.string().min(1) }).meta({ id: "IntegrationDetect" }),
    preview: z.strictObject({ kind, config: configIn }).meta({ id: "IntegrationPreviewRequest" }),
  }
}

const petstoreSpec = "https://petstore3.swagger.io/api/v3/openapi.json"

const factsExample = {
  title: "Swagger Petstore",
  version: "1.0.27",
  description: "",
  origins: ["https://petstore3.swagger.io"],
  auth: [
    {
      template: "api_key",
      name: "api_key",
      description: "",
      values: ["api_key"],
      placements: [{ in: "header", name: "api_key", value: "${api_key}" }],
    },
  ],
  warnings: [],
  toolCount: 19,
} as const

export const integrationExample = {
  slug: "petstore",
  kind: "openapi",
  name: "Petstore",
  description: "",
  config: { spec: petstoreSpec },
  documentHash: null,
  configRevisedAt: "2026-11-16T09:30:00.000Z",
  createdAt: "2026-11-16T09:30:00.000Z",
  facts: factsExample,
} as const

export const detectionExample = {
  kind: "openapi",
  slug: "petstore",
  name: "Swagger Petstore",
  config: { spec: petstoreSpec },
  auth: factsExample.auth,
} as const

export const previewExample = {
  kind: "openapi",
  facts: factsExample,
  tools: [{ name: "pet.getPetById", description: "Find pet by ID.", requiresApproval: false }],
} as const

export const addExamples = {
  url: { slug: "petstore", kind: "openapi", config: { spec: petstoreSpec } },
  document: {
    slug: "clock",
    kind: "openapi",
    config: { spec: { openapi: "3.1.0", info: { title: "Clock", version: "1" }, servers: [{ url: "https://clock.example" }], paths: {} } },
  },
}

export const previewExamples = { url: { kind: "openapi", config: { spec: petstoreSpec } } }
