// Cleans a source's listing before it is stored and shown: removes the secrets it was read with, and characters that hide or reorder text.
//
// This is the one place for it: every listing is read through here, and whatever shows tools shows what was written.
import { mapTexts } from "../../core/json/texts.ts"
import { mayHoldSuspicious, plainText } from "../../core/text/plain.ts"
import type { JsonText } from "../../core/tool.ts"
import { longestFirst, redactText } from "../../credentials/redact.ts"
import { mapInSlices } from "../../io/time-slices.ts"
import type { ListedTool, ListedTools } from "../../sources/source-adapter.ts"

/** Passwords that are ordinary words stand in descriptions and schemas without having been echoed, and are no secrets worth the harm. */
const secretCharsMin = 8
/** The same of a tool's name, without which it is gone. */
const secretInNameCharsMin = 12

type Clean = {
  text(text: string): string
  json(text: JsonText): JsonText
}

export async function cleanListing(listed: ListedTools, given: readonly string[]): Promise<ListedTools> {
  const secrets = longestFirst(given.filter((secret) => secret.length >= secretCharsMin))
  const clean = cleanerFor(secrets)
  const inNames = secrets.filter((secret) => secret.length >= secretInNameCharsMin)
  const named = listed.tools.filter(({ name }) => !inNames.some((secret) => name.includes(secret)))
  const tools = await mapInSlices(named, (tool) => cleanTool(tool, clean))
  const definitions = await mapInSlices([...listed.definitions], ([name, text]) => [clean.text(name), clean.json(text)] as const)
  const { title, version, description, warnings, auth } = listed.facts
  const inFacts = cleanerFor(longestFirst(given))
  const lost = listed.tools.length - named.length
  const told = lost === 0 ? [] : [{ location: "", message: `${lost} of its tools have a credential in their name and were left out` }]
  return {
    facts: {
      ...listed.facts,
      ...(mapTexts({ title, version, description, warnings: [...warnings, ...told] }, inFacts.text) as Pick<
        ListedTools["facts"],
        "title" | "version" | "description" | "warnings"
      >), // only texts change
      auth: mapTexts(auth, (text) => redactText(text, secrets)) as ListedTools["facts"]["auth"], // as above
      toolCount: listed.facts.toolCount - lost,
    },
    tools,
    definitions: new Map(definitions),
    document: listed.document === null ? null : redactText(listed.document, secrets, inDocument),
  }
}

/** A word that is one in JSON and YAML wherever it stands. */
const inDocument = "REDACTED"

function cleanerFor(secrets: readonly string[]): Clean {
  const text = (said: string): string => redactText(plainText(said), secrets)
  const isTouched = (json: JsonText): boolean => mayHoldSuspicious(json) || secrets.some((secret) => json.includes(secret))
  return { text, json: (json) => (isTouched(json) ? JSON.stringify(mapTexts(JSON.parse(json), text)) : json) }
}

const cleanTool = (tool: ListedTool, { text, json }: Clean): ListedTool => ({
  ...tool,
  title: text(tool.title),
  summary: text(tool.summary),
  description: text(tool.description),
  approvalDescription: tool.approvalDescription === null ? null : text(tool.approvalDescription),
  tags: tool.tags.map(text),
  inputSchema: json(tool.inputSchema),
  outputSchema: tool.outputSchema === null ? null : json(tool.outputSchema),
})
