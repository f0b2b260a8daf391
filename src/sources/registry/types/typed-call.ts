// A call of a registry tool as the file of its implementation type gets it.
import { isRecord } from "../../../core/json/record.ts"
import { fail } from "../../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import type { CallRequest } from "../../source-adapter.ts"
import { hasControlCharacters } from "../../openapi/call/serialize-encode.ts"
import type { CallPlan } from "../call-plan.ts"
import type { OpenTool } from "../credential.ts"
import type { RegistryPorts } from "../ports.ts"

export type TypedCall = OpenTool & {
  readonly plan: CallPlan
  readonly request: CallRequest<unknown>
  /** The shorter of what the call may take and what the tool allows. */
  readonly timeoutMs: number
}

export type PerformCall = (call: TypedCall, ports: RegistryPorts) => Promise<ToolResult>

export const textOf = (implementation: OpenTool["implementation"], field: string): string => {
  const value = implementation[field]
  return typeof value === "string" ? value : ""
}

export const headersIn = ({ headers }: OpenTool["implementation"]): Record<string, string> =>
  Object.fromEntries(Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [name, String(value)]))

/** The tool's own headers, which arguments never change. */
export function headersOf({
  implementation,
  plan,
}: Pick<TypedCall, "implementation" | "plan">): { readonly ok: true; readonly headers: Record<string, string> } | ToolFailure {
  const headers = headersIn(implementation)
  const broken = Object.entries(headers).find(([name, value]) => hasControlCharacters(`${name}${value}`))
  if (broken === undefined) return { ok: true, headers }
  return unusable(plan, `its header '${broken[0].replaceAll(/\p{C}/gu, "?")}' has a line break or another control character`)
}

/** A config that the checks before publishing refuse; what came another way is refused here. */
export const unusable = ({ binding: { slug } }: CallPlan, problem: string): ToolFailure =>
  fail(
    "invalid_request",
    `registry.${slug} cannot be called: ${problem}. Change it with \`executor registry edit ${slug}\`, then publish it`,
  )
