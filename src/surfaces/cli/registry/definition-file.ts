// Reads the definition of a registry tool from a file, as the API takes it or as `registry show --json` prints it.
import { isRecord } from "../../../core/json/record.ts"
import type { RegistryToolCreate } from "../../../core/registry/tool.ts"
import { readJsonObject } from "../prompt/input-read.ts"
import { UsageError } from "../usage-error.ts"

export type FileDefinition = Partial<Omit<RegistryToolCreate, "scope" | "status">>

const fields = [
  "name",
  "slug",
  "description",
  "schema",
  "implementationType",
  "implementationConfig",
  "executionConfig",
  "artifactId",
  "artifactVersion",
] as const

/** What a shown tool has besides. */
const shownFields = [
  "id",
  "address",
  "scope",
  "toolType",
  "status",
  "version",
  "isActive",
  "isSystem",
  "builtinKey",
  "replacedBy",
  "publishedAt",
  "publishedVersion",
  "hasUnpublishedChanges",
  "createdBy",
  "createdAt",
  "updatedAt",
]

export async function readDefinitionFile(path: string): Promise<FileDefinition> {
  const given = await readJsonObject(path === "-" ? "-" : `@${path}`, "--file")
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => [toCamelCase(name), value])
  const { configSchema, ...rest } = Object.fromEntries(entries)
  const unknownName = Object.keys(rest).find((name) => !(fields as readonly string[]).includes(name) && !shownFields.includes(name))
  if (unknownName !== undefined)
    throw new UsageError(`--file: a definition has no field '${unknownName.slice(0, 80)}'; it has ${fields.join(", ")}`)
  const { implementation, execution } = isRecord(configSchema) ? configSchema : {}
  const all = { implementationConfig: implementation, executionConfig: execution, ...rest }
  // What the file says is checked by the API, which names what is wrong; null stands for none in a shown tool.
  return Object.fromEntries(
    fields.flatMap((name) => (all[name as keyof typeof all] == null ? [] : [[name, all[name as keyof typeof all]]])),
  )
}

const toCamelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
