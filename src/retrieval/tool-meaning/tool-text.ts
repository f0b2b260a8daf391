// What a tool's vector is made of: its integration, the words of its path, its texts, and the names of what it takes.
import { sha256 } from "../../io/ids.ts"
import type { IndexedTool } from "../../search/search.ts"

/** Endpoints cut longer ones at other places. */
const textCharsMax = 2000
const descriptionCharsMax = 1200

export function textOfTool(integration: string, { name, title, summary, description, parameters }: IndexedTool): string {
  const told = description.startsWith(summary) ? description : `${summary}\n${description}`
  const takes = [...new Set(parameters.map((parameter) => parameter.name))].join(", ")
  const lines = [`${integration}: ${wordsOf(name)}`, title, told.slice(0, descriptionCharsMax), takes === "" ? "" : `Takes ${takes}`]
  return lines
    .filter((line) => line.trim() !== "")
    .join("\n")
    .slice(0, textCharsMax)
}

/** "issues.createComment" is "issues create Comment". */
const wordsOf = (name: string): string => name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replaceAll(/[._-]+/g, " ")

/** Half of the digits: two texts of one tenant never share them. */
export const hashOfText = (text: string): string => sha256(text).slice(0, 32)
