// What a model is told about a tool: the words of whoever wrote its source, made safe, and no longer than every provider takes.
import type { ToolView } from "../tool.ts"
import { safeText } from "./safe.ts"

/** OpenAI refuses a question in which one is longer than 1,024; whoever tells the model of it may add a note. */
const charsMax = 950

export function modelDescription({ title, description }: Pick<ToolView, "title" | "description">): string {
  const text = safeText(description === "" ? title : description)
  return text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text
}
