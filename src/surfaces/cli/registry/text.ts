// Says of a registry tool how it stands, and what to type next.
import { isRecord } from "../../../core/json/record.ts"
import { registrySlug } from "../../../core/registry/tool.ts"
import type { RegistryToolView } from "../../../core/registry/tool.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { executorCommand } from "../../../io/executor-command.ts"

/** As calls name it. */
export const registryPath = (slug: string): string => `${registrySlug}.${safeLine(slug)}`

/** Of a draft everything is unpublished, which its status says already. */
export const isChanged = ({ publishedVersion, hasUnpublishedChanges }: RegistryToolView): boolean =>
  publishedVersion !== null && hasUnpublishedChanges

export const statusText = ({ status, isActive }: RegistryToolView): string => (isActive ? status : `${status}, inactive`)

/** What production runs, in half a sentence. */
export function standText(tool: RegistryToolView): string {
  if (tool.status === "draft") return "it is a draft, which only tests run"
  if (tool.status === "disabled") return "it is disabled, so that nothing runs it"
  if (!tool.hasUnpublishedChanges) return `production runs it as version ${tool.publishedVersion}`
  return `production still runs version ${tool.publishedVersion} until you publish`
}

/** The words behind the path of a call, with `…` where a value goes. */
export function argumentWords({ schema }: Pick<RegistryToolView, "schema">): string {
  const { required, properties } = schema.input
  const names = Array.isArray(required) ? required : isRecord(properties) ? Object.keys(properties).slice(0, 1) : []
  return names.map((name) => ` ${safeLine(String(name))}=…`).join("")
}

export const callHint = (tool: RegistryToolView): string =>
  `Call it: ${executorCommand} call ${registryPath(tool.slug)}${argumentWords(tool)}`

export const testHint = (tool: RegistryToolView): string =>
  `Test it: ${executorCommand} registry test ${safeLine(tool.slug)}${argumentWords(tool)}`

export const publishHint = (tool: RegistryToolView): string => `Publish it: ${executorCommand} registry publish ${safeLine(tool.slug)}`
