// Checks the arguments of a call against its tool's schema, within a time limit that neither can exceed.
//
// In this order: the size of the arguments (nothing below sees more than the limits allow), a quick yes for plain
// ones, then the validator part by part with a meter running. When the meter runs out, what was found until then
// counts, names and types at the top level are checked, and the rest is left to the upstream; so it is when the
// schema is too large to prepare.
import type { OutputUnit } from "@cfworker/json-schema"
import { defaultLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import { isLongInteger } from "../core/json/long-integer.ts"
import type { JsonSchema } from "../core/tool.ts"
import { measureArgs, withoutUndefined } from "./measure.ts"
import { refuseArgs } from "./issue.ts"
import type { ArgsVerdict, Finding } from "./issue.ts"
import { invalidValue, wrongType } from "./issue-text.ts"
import { translateUnits } from "./issue-translate.ts"
import type { Translation } from "./issue-translate.ts"
import { quickAccept } from "./quick-accept.ts"
import { isRecord, refResolver } from "./schema-ref.ts"
import type { Definitions } from "./schema-ref.ts"
import { sanitiseSchema } from "./schema-sanitise.ts"
import type { SchemaDocument } from "./schema-sanitise.ts"
import { withMeter } from "./step-meter.ts"
import { topLevelCheck } from "./top-level.ts"
import type { TopLevelCheck } from "./top-level.ts"
import { validateParts } from "./validate-parts.ts"

export type ArgsCheck = {
  /** `undefined` properties count as absent. `argsJson`: their text, where there is one, tells their size. */
  check(args: unknown, argsJson?: string): ArgsVerdict
  /** How much memory it takes, in nodes; it grows while checks reach further definitions. */
  weight(): number
}

/** Each finding is compared with those before it. */
const findingsReadMax = 500

/** Never throws: a schema that cannot be prepared is checked at its top level. */
export function prepareArgsCheck(schema: JsonSchema | boolean, definitions: Definitions, limits: Limits = defaultLimits): ArgsCheck {
  const document = prepareDocument(schema, definitions, limits)
  const accepts = document === null ? null : quickAccept(document)
  let topLevel: TopLevelCheck | null = null
  const checkTopLevel = (args: Record<string, unknown>): Finding[] => (topLevel ??= topLevelCheck(schema))(args, limits.argsIssuesMax)
  const check = (input: unknown, argsJson?: string): ArgsVerdict => {
    if (!isRecord(input)) return refuseArgs([wrongType("", ["object"], input)], 1)
    const measured = measureArgs(input, limits, argsJson)
    if (!measured.ok) return refuseArgs([measured.finding], 1)
    const args = measured.size.hasUndefined ? (withoutUndefined(input) as Record<string, unknown>) : input // an object stays one
    if (document === null || accepts === null) return verdictOf(checkTopLevel(args), limits)
    const units: OutputUnit[] = []
    const { done } = withMeter(limits, () => validateParts(args, units, { document, accepts, limits }))
    if (done && units.length === 0) return accepted
    const first = translated(units, { args, document, findingsMax: limits.argsIssuesMax })
    // Where all of them are digits that will be dropped, another may stand behind.
    const findings = first.some(isNoDigits) ? first : translated(units, { args, document, findingsMax: findingsReadMax })
    const told = findings.length > 0 || units.length === 0 ? findings : [invalidValue("", "does not match the tool's schema", args)]
    return verdictOf(done ? told : mergeFindings(checkTopLevel(args), told), limits)
  }
  return { check, weight: () => document?.nodesBuilt() ?? 1 }
}

/** Null: too large or too deep. */
function prepareDocument(schema: JsonSchema | boolean, definitions: Definitions, limits: Limits): SchemaDocument | null {
  try {
    return sanitiseSchema(schema, refResolver(schema, definitions), limits)
  } catch {
    return null
  }
}

/** Nothing when naming the schema's parts would build more of it than its limits allow. */
function translated(units: readonly OutputUnit[], translation: Translation): Finding[] {
  try {
    return translateUnits(units, translation)
  } catch {
    return []
  }
}

/** Both may have found the same. */
const mergeFindings = (findings: readonly Finding[], more: readonly Finding[]): Finding[] => [
  ...findings,
  ...more.filter(({ issue }) => !findings.some((known) => known.issue.path === issue.path && known.issue.code === issue.code)),
]

/** An integer that no number holds is given as a text of its digits, whatever the schema says. */
const isNoDigits = ({ expected, found }: Finding): boolean =>
  !(expected.kind === "types" && (expected.types.includes("integer") || expected.types.includes("number")) && isLongInteger(found))

const accepted: ArgsVerdict = { ok: true }

function verdictOf(found: readonly Finding[], limits: Limits): ArgsVerdict {
  const findings = found.filter(isNoDigits)
  return findings.length === 0 ? accepted : refuseArgs(findings, limits.argsIssuesMax)
}
