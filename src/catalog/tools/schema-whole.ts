// The schemas of a tool as self-contained documents, with the definitions that they refer to.
import type { JsonSchema, ToolSchemaView } from "../../core/tool.ts"
import { referencesIn } from "../../core/json/schema.ts"

/** An answer holds several tools; what goes beyond this is read with `describe.tool`. */
const definitionsCharsMax = 20_000

type WholeSchemas = Pick<ToolSchemaView, "inputSchema" | "outputSchema">

export function wholeSchemas(view: ToolSchemaView): WholeSchemas {
  const definitions = view.schemaDefinitions
  return {
    inputSchema: withDefinitions(view.inputSchema, definitions),
    outputSchema: view.outputSchema === null ? null : withDefinitions(view.outputSchema, definitions),
  }
}

/** Nearest first. A definition that does not fit takes anything, and says where it is described. */
function withDefinitions(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const reached = new Map<string, JsonSchema>()
  let wanted = referencesIn(JSON.stringify(schema))
  let chars = 0
  while (wanted.length > 0) {
    const texts: string[] = []
    for (const name of new Set(wanted)) {
      const definition = definitions[name]
      if (reached.has(name) || definition === undefined) continue
      const text = JSON.stringify(definition)
      chars += text.length
      if (chars > definitionsCharsMax) reached.set(name, { description: "Omitted because of its size; describe.tool shows its type" })
      else {
        reached.set(name, definition)
        texts.push(text)
      }
    }
    wanted = texts.flatMap(referencesIn)
  }
  return reached.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(reached) }
}
