// Lists presets, and finds one by its id.
import { closestName } from "../../arguments/arguments.ts"
import { readPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { PresetFilter, PresetsApi, PresetView } from "../../core/presets/preset.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { openPresetGallery } from "./gallery.ts"
import type { PresetGallery } from "./gallery.ts"

type PresetParts = { readonly presets: PresetGallery; readonly limits: Limits }

/** Everybody may read them: they say nothing about the tenant. */
export function presetsApi({ presets = shipped, limits }: { readonly presets?: PresetGallery; readonly limits: Limits }): PresetsApi {
  const parts = { presets, limits }
  return { list: (filter = {}) => listPresets(filter, parts), get: async (id) => getPreset(id, parts) }
}

const shipped = openPresetGallery(null)

function listPresets(filter: PresetFilter & PageRequest, { presets, limits }: PresetParts): Promise<Page<PresetView>> {
  const words = (filter.query ?? "").toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (one: PresetView): boolean =>
    (filter.kind === undefined || one.kind === filter.kind) &&
    (filter.category === undefined || one.category === filter.category) &&
    words.every((word) => `${one.id} ${one.name} ${one.description}`.toLowerCase().includes(word))
  return readPage(
    filter,
    limits,
    async ({ after, limit }) =>
      presets()
        .filter((one) => (after === null || one.id > after) && fits(one))
        .slice(0, limit),
    ({ id }) => id,
  )
}

function getPreset(id: string, { presets }: PresetParts): PresetView {
  const found = presets().find((one) => one.id === id)
  if (found !== undefined) return found
  const near = similar(
    id,
    presets().map((one) => one.id),
  )
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
  throw new ExecutorError(
    "not_found",
    `There is no preset '${id.slice(0, 80)}'.${hint} ${executorCommandOnPages} integrations presets and GET /presets list them`,
    { near },
  )
}

const nearMax = 3

/** What is spelled alike, then what begins alike, as `stripe` and `stripe_pay` do. */
function similar(id: string, ids: readonly string[]): string[] {
  const word = id.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")
  const closest = closestName(word, ids)
  const begins = word.length < 3 ? [] : ids.filter((one) => one.startsWith(word) || word.startsWith(`${one}_`))
  return [...new Set([...(closest === null ? [] : [closest]), ...begins])].slice(0, nearMax)
}
