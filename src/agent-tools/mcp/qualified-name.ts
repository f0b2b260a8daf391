// The names under which models know the tools of MCP servers: `mcp__<server>__<tool>`.
import { toModelName, toModelNames } from "../tool-names.ts"

export type ServerToolName = { readonly server: string; readonly tool: string }

const delimiter = "__"
const rawName = (server: string, tool: string): string => ["mcp", server, tool].join(delimiter)

/** The name of a tool, if no other tool that is offered beside it would have the same. */
export const qualifyToolName = (server: string, tool: string): string => toModelName(rawName(server, tool))

/** `a` with `b__c` and `a__b` with `c` have the same raw name, so they are told apart by their parts. */
export const qualifyToolNames = (tools: readonly ServerToolName[]): string[] =>
  toModelNames(tools.map(({ server, tool }) => ({ raw: rawName(server, tool), identity: `${server}\0${tool}` })))
