// The presets of this server: the ones it brings, and those of its operator, which win.
import { readFileSync } from "node:fs"
import { ExecutorError } from "../../core/errors.ts"
import type { PresetView } from "../../core/presets/preset.ts"
import { readPresets } from "./preset-schema.ts"
import presetsJson from "./presets.json" with { type: "json" }

/** In the order of their ids. */
export type PresetGallery = () => readonly PresetView[]

/** `path`: a file with further presets, which is read at once, because what is wrong with it stops the start. */
export function openPresetGallery(path: string | null): PresetGallery {
  const own = path === null ? [] : readFile(path)
  let all: readonly PresetView[] | null = null
  return () => (all ??= join(builtIn(), own))
}

function builtIn(): readonly PresetView[] {
  const presets = readPresets(presetsJson)
  if (typeof presets === "string") throw new Error(`The presets are wrong: ${presets}`)
  return presets
}

function readFile(path: string): readonly PresetView[] {
  const refuse = (reason: string): ExecutorError => new ExecutorError("invalid_request", `EXECUTOR_PRESETS: ${path}: ${reason}`)
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw refuse(`the file cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  const presets = readPresets(parse(text, refuse))
  if (typeof presets === "string") throw refuse(presets)
  return presets
}

function parse(text: string, refuse: (reason: string) => ExecutorError): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse("it is not JSON")
  }
}

function join(shipped: readonly PresetView[], own: readonly PresetView[]): readonly PresetView[] {
  const byId = new Map([...shipped, ...own].map((preset) => [preset.id, preset]))
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
