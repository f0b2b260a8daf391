// Says who asks a question: the questions of tools are written by strangers, and must never read like Executor's own.
//
// A server may ask for "your Executor token" in a form, or send people to a host that only looks like one they know. So
// every surface names the integration that asks, quotes its text line by line, and shows a link by its real host.
import { ToolAddress, withoutRoot } from "../address.ts"
import type { AskingAgent, Interaction } from "../execution.ts"

export const questionWarning =
  "This text is written by the integration, not by Executor. Executor never asks for passwords or tokens in a question like this."

/** Null for Executor's own question: whether a call is approved. */
export function questionSource({ kind, address }: Pick<Interaction, "kind" | "address">): string | null {
  if (kind === "approval") return null
  const tool = ToolAddress.check(address)
  if (!tool.ok) return `The tool "${withoutRoot(address)}"`
  const { integration, owner, connection } = tool.value
  return `The integration "${integration}" (connection ${owner}.${connection})`
}

/** Whose run asks, in words. */
export const agentText = ({ slug, version, step }: AskingAgent): string =>
  `the agent ${slug} ${version}, ${step === undefined ? "before it begins" : `step ${step}`}`

type Question = Pick<Interaction, "kind" | "message" | "address" | "url">

/** Plain text for terminals and models. */
export function questionText(interaction: Question): string {
  const source = questionSource(interaction)
  if (source === null) return interaction.message
  const quoted = interaction.message.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => `> ${line}`)
  const link = interaction.url === undefined ? [] : [linkText(interaction.url)]
  return [`${source} ${interaction.kind === "url" ? "asks you to open a link" : "asks"}:`, ...quoted, ...link, questionWarning].join("\n")
}

export type LinkView = {
  /** As a browser reads it: the host in ASCII. */
  readonly href: string
  readonly host: string
  /** Host and path, without the parameters, which are often long. */
  readonly place: string
  /** Why a human should look twice; null if there is no reason. */
  readonly warning: string | null
}

/** Null for links that nobody should open: not a web page, or an address that hides its host behind a user name. */
export function viewLink(text: string): LinkView | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null
  const isForeign = url.hostname.split(".").some((label) => label.startsWith("xn--"))
  return {
    href: url.href,
    host: url.host,
    place: `${url.protocol === "http:" ? "http://" : ""}${url.host}${url.pathname === "/" ? "" : url.pathname}`,
    warning: isForeign ? `${url.host} is written with letters outside ASCII, which can look like those of another site.` : null,
  }
}

export function linkText(text: string): string {
  const link = viewLink(text)
  if (link === null) return "The link is not shown because it is not a plain web address."
  return [`It leads to ${link.place}`, `  ${link.href}`, ...(link.warning === null ? [] : [`  Caution: ${link.warning}`])].join("\n")
}
