// The schemas of a tool as self-contained documents, with the definitions that they refer to.
import type { JsonSchema, ToolSchemaView } from "../../core/tool.ts"
import { referencesIn } from "../../core/json/schema.ts"

/** What goes beyond this is read with `describe.tool`. */
const definitionsCharsMax = 20_000

type WholeSchemas = Pick<ToolSchemaView, "inputSchema" | "outputSchema">

export function wholeSchemas(view: ToolSchemaView): WholeSchemas {
  const definitions = view.schemaDefinitions
  return {
    inputSchema: withDefinitions(view.inputSchema, definitions, definitionsCharsMax),
    outputSchema: view.outputSchema === null ? null : withDefinitions(view.outputSchema, definitions, definitionsCharsMax),
  }
}

/** Both in about so many characters: the input comes first, and leaves the rest to the output. */
export function schemasWithin(view: ToolSchemaView, charsMax: number): WholeSchemas {
  const inputSchema = schemaWithin(view.inputSchema, view.schemaDefinitions, charsMax)
  const left = charsMax - JSON.stringify(inputSchema).length
  return { inputSchema, outputSchema: view.outputSchema === null ? null : schemaWithin(view.outputSchema, view.schemaDefinitions, left) }
}

function schemaWithin(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>, charsMax: number): JsonSchema {
  const { length } = JSON.stringify(schema)
  return length > charsMax ? omitted : withDefinitions(schema, definitions, charsMax - length)
}

const omitted: JsonSchema = { description: "Omitted because of its size; describe.tool shows its type" }

/** Nearest first. A definition that does not fit takes anything, and says where it is described. */
function withDefinitions(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>, charsMax: number): JsonSchema {
  const reached = new Map<string, JsonSchema>()
  let wanted = referencesIn(JSON.stringify(schema))
  let chars = 0
  while (wanted.length > 0) {
    const texts: string[] = []
    for (const name of new Set(wanted)) {
      const definition = definitions[name]
      if (reached.has(name) || definition === undefined) continue
      const text = JSON.stringify(definition)
      if (chars + text.length > charsMax) reached.set(name, omitted)
      else {
        chars += text.length
        reached.set(name, definition)
        texts.push(text)
      }
    }
    wanted = texts.flatMap(referencesIn)
  }
  return reached.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(reached) }
}
