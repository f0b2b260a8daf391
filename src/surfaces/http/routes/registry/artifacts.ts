// Artifacts over HTTP.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf, timestamp } from "../shared-schema.ts"

const artifactInput = z
  .object({ name: z.string(), type: z.string(), required: z.boolean(), default: z.unknown().exactOptional() })
  .meta({ id: "ArtifactInput" })

const content = { version: z.string(), inputs: z.array(artifactInput), code: z.string() }

const artifact = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), ...content, createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: "Artifact" })

const artifactVersion = z.object({ ...content, by: z.string(), at: timestamp }).meta({ id: "ArtifactVersion" })

const example = {
  id: "art_0mw8x2c1a000f00d",
  slug: "sum",
  name: "Sum",
  version: "1",
  inputs: [{ name: "values", type: "array", required: true }],
  code: "return input.values.reduce((sum, value) => sum + value, 0)",
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-18T09:00:00.000Z",
}

export function artifactRoutes(limits: Limits): Route[] {
  const text = z.string().max(limits.nameCharsMax)
  const bytesMax = limits.argsBytesMax
  const input = z.strictObject({
    name: z.string(),
    type: z.string().exactOptional(),
    required: z.boolean().exactOptional(),
    default: z.unknown().exactOptional(),
  })
  const fields = { name: z.string(), inputs: z.array(input).max(limits.artifactInputsMax), code: z.string() }
  const one = { tag: "artifacts", params: z.strictObject({ id: text }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: artifact, example })

  return [
    defineRoute({
      id: "artifacts.list",
      tag: "artifacts",
      method: "get",
      path: "/artifacts",
      summary: "List artifacts",
      description: "In their latest versions. For humans with `registry.write` or `registry.publish`.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of artifacts.",
        schema: pageOf("ArtifactPage", artifact),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.artifacts.list(query),
    }),
    defineRoute({
      id: "artifacts.create",
      tag: "artifacts",
      method: "post",
      path: "/artifacts",
      summary: "Make an artifact",
      description: "Code with named inputs, as its first version. For humans with `registry.write`.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: z
          .strictObject({ ...fields, slug: z.string().exactOptional(), inputs: fields.inputs.exactOptional() })
          .meta({ id: "ArtifactCreate" }),
        bytesMax,
        spellings: "both",
        examples: { sum: { name: example.name, inputs: example.inputs, code: example.code } },
      },
      answer: shown(201, "The artifact."),
      handle: ({ body: { inputs, ...body } }, api) =>
        api.artifacts.create({ ...body, ...(inputs === undefined ? {} : { inputs: inputs.map(withDefaults) }) }),
    }),
    defineRoute({
      ...one,
      id: "artifacts.get",
      method: "get",
      path: "/artifacts/{id}",
      summary: "Get an artifact",
      description: "In its latest version.",
      errors: ["forbidden", "not_found"],
      answer: shown(200, "The artifact."),
      handle: ({ params }, api) => api.artifacts.get(params.id),
    }),
    defineRoute({
      ...one,
      id: "artifacts.update",
      method: "put",
      path: "/artifacts/{id}",
      summary: "Change an artifact",
      description: "Changes only the given fields, as a new version. Tools keep the version that they were published with.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: {
        schema: z.strictObject(fields).partial().meta({ id: "ArtifactUpdate" }),
        bytesMax,
        spellings: "both",
        examples: { code: { code: "return 1" } },
      },
      answer: shown(200, "The artifact as it is now."),
      handle: ({ params, body: { name, inputs, code } }, api) =>
        api.artifacts.update(params.id, {
          ...(name === undefined ? {} : { name }),
          ...(code === undefined ? {} : { code }),
          ...(inputs === undefined ? {} : { inputs: inputs.map(withDefaults) }),
        }),
    }),
    defineRoute({
      ...one,
      id: "artifacts.remove",
      method: "delete",
      path: "/artifacts/{id}",
      summary: "Remove an artifact",
      description: "With all its versions. Where tools use it, it is a `conflict` whose details name them in `tools`.",
      errors: ["forbidden", "not_found", "conflict"],
      answer: noAnswer("The artifact is gone."),
      handle: async ({ params }, api) => api.artifacts.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      ...one,
      id: "artifacts.versions",
      method: "get",
      path: "/artifacts/{id}/versions",
      summary: "List an artifact's versions",
      description: "Newest first.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of versions.",
        schema: pageOf("ArtifactVersionPage", artifactVersion),
        example: {
          items: [{ version: "1", inputs: example.inputs, code: example.code, by: "anna", at: example.createdAt }],
          nextCursor: null,
        },
      },
      handle: ({ params, query }, api) => api.artifacts.versions(params.id, query),
    }),
  ]
}

type GivenInput = { readonly name: string; readonly type?: string; readonly required?: boolean; readonly default?: unknown }

const withDefaults = (input: GivenInput) => ({ type: "any", required: false, ...input })
