// Serializes a document that was given as an object in a config into the text that is stored.
import { isLargeJson, writeJsonText } from "../../io/json-write.ts"

/** Of large ones only: a small one is written by its adapter, which says what is wrong with it. */
export async function withDocumentText(config: unknown, field: string | null): Promise<unknown> {
  if (field === null || typeof config !== "object" || config === null) return config
  const document: unknown = Object.getOwnPropertyDescriptor(config, field)?.value
  if (typeof document !== "object" || document === null || !isLargeJson(document)) return config
  return { ...config, [field]: await writeJsonText(document) }
}
