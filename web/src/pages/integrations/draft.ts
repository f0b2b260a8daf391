// An integration that is about to be added, wherever it was found.
import type { Detection, IntegrationAdd, IntegrationPreview, PresetView } from "toolplane/client"
import { documentKindOf } from "./document.ts"
import { suggestSlug } from "../../../../src/core/text/slug-suggest.ts"

export type Draft = {
  /** Each is previewed once; its document may be long. */
  readonly id: string
  readonly kind: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly config: Readonly<Record<string, unknown>>
  /** Where it was found: a URL, or the name of a file. */
  readonly source: string
  readonly preset: PresetView | null
}

let count = 0
const newId = (): string => `draft-${count++}`

export const fromPreset = (preset: PresetView): Draft => ({
  id: newId(),
  kind: preset.kind,
  slug: preset.id,
  name: preset.name,
  description: preset.description,
  config: preset.config,
  source: preset.url,
  preset,
})

export const fromDetection = ({ kind, slug, name, config }: Detection, url: string): Draft => ({
  id: newId(),
  kind,
  slug,
  name,
  description: "",
  config,
  source: url,
  preset: null,
})

/** A GraphQL schema does not say where its endpoint is. */
export function fromDocument(file: { readonly name: string; readonly text: string }, endpoint: string): Draft {
  const kind = documentKindOf(file)
  const slug = suggestSlug({ title: "", origins: endpoint === "" ? [] : [endpoint], fallback: file.name })
  const config = kind === "graphql" ? { sdl: file.text, endpoint } : { spec: file.text }
  return { id: newId(), kind, slug, name: "", description: "", config, source: file.name, preset: null }
}

/** The same with its document from a file, where the server cannot get it. */
export const withDocument = (draft: Draft, file: { readonly name: string; readonly text: string }): Draft => ({
  ...draft,
  id: newId(),
  source: file.name,
  config: { ...draft.config, ...(draft.kind === "graphql" ? { sdl: file.text } : { spec: file.text }) },
})

/** What a preview taught, where nobody has said anything yet. */
export function nameOf({ name, slug }: Draft, preview: IntegrationPreview | undefined): string {
  return name !== "" ? name : (preview?.facts.title ?? "") || slug
}

/** Whether the connection needs no credentials; null where only its source knows. */
export const needsNothing = ({ preset }: Draft): boolean | null => (preset === null ? null : preset.auth[0]?.template === "none")

export function toAdd(draft: Draft, fields: { readonly slug: string; readonly name: string; readonly baseUrl: string }): IntegrationAdd {
  const { kind, config, description } = draft
  const { slug, name, baseUrl } = fields
  return {
    slug,
    kind,
    config: baseUrl === "" ? config : { ...config, baseUrl },
    ...(name === "" ? {} : { name }),
    ...(description === "" ? {} : { description }),
  }
}
