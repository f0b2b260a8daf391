// Checks the arguments of a call against its tool's schema, in a time that neither of them can stretch.
//
// In this order: the size of the arguments (nothing below sees more than the limits allow), a quick yes for plain
// ones, then the validator with a meter running. When the meter runs out, or the schema is too large to prepare,
// names and types at the top level are checked and the rest is left to the upstream.
import { validate } from "@cfworker/json-schema"
import type { OutputUnit, Schema } from "@cfworker/json-schema"
import { defaultLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import { isLongInteger } from "../core/long-integer.ts"
import type { JsonSchema } from "../core/tool.ts"
import { measureArgs, withoutUndefined } from "./check-args/args-measure.ts"
import { refuseArgs } from "./check-args/issue.ts"
import type { ArgsVerdict, Finding } from "./check-args/issue.ts"
import { invalidValue, wrongType } from "./check-args/issue-text.ts"
import { translateUnits } from "./check-args/issue-translate.ts"
import { quickAccept } from "./check-args/quick-accept.ts"
import type { Accepts } from "./check-args/quick-accept.ts"
import { isRecord, refResolver } from "./check-args/schema-ref.ts"
import type { Definitions } from "./check-args/schema-ref.ts"
import { sanitiseSchema } from "./check-args/schema-sanitise.ts"
import type { SchemaDocument } from "./check-args/schema-sanitise.ts"
import { withMeter } from "./check-args/step-meter.ts"
import { topLevelCheck } from "./check-args/top-level.ts"
import type { TopLevelCheck } from "./check-args/top-level.ts"

export type ArgsCheck = {
  /** `undefined` properties count as absent. */
  check(args: unknown): ArgsVerdict
  /** How much memory it takes, in nodes; it grows while checks reach further definitions. */
  weight(): number
}

/** Never throws: a schema that cannot be prepared is checked at its top level. */
export function prepareArgsCheck(schema: JsonSchema | boolean, definitions: Definitions, limits: Limits = defaultLimits): ArgsCheck {
  const document = prepareDocument(schema, definitions, limits)
  let accepts: Accepts | null = null
  let topLevel: TopLevelCheck | null = null
  const validateArgs = (args: Record<string, unknown>, prepared: SchemaDocument): OutputUnit[] => {
    accepts ??= quickAccept(prepared)
    return accepts(args) ? [] : validatorErrors(args, prepared)
  }
  const check = (input: unknown): ArgsVerdict => {
    if (!isRecord(input)) return refuseArgs([wrongType("", ["object"], input)], 1)
    const measured = measureArgs(input, limits)
    if (!measured.ok) return refuseArgs([measured.finding], 1)
    const args = measured.size.hasUndefined ? (withoutUndefined(input) as Record<string, unknown>) : input // an object stays one
    const deep = document === null ? null : withMeter(limits, measured.size, () => validateArgs(args, document))
    if (document === null || deep?.done !== true) {
      topLevel ??= topLevelCheck(schema)
      return verdictOf(topLevel(args, limits.argsIssuesMax).filter(isNoDigits), limits)
    }
    if (deep.value.length === 0) return accepted
    const findings = translateUnits(deep.value, { args, document, findingsMax: limits.argsIssuesMax })
    return verdictOf(findings.length > 0 ? findings.filter(isNoDigits) : [invalidValue("", "does not fit the tool's schema", args)], limits)
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

function validatorErrors(args: Record<string, unknown>, document: SchemaDocument): OutputUnit[] {
  // Nodes are schemas in the validator's own terms; its type only has no exact optional fields.
  const result = validate(args, document.root as Schema | true, "2020-12", document.lookup as Record<string, Schema | true>, false)
  return result.valid ? [] : result.errors
}

/** An integer that no number holds is given as a text of its digits, whatever the schema says. */
const isNoDigits = ({ expected, found }: Finding): boolean =>
  !(expected.kind === "types" && (expected.types.includes("integer") || expected.types.includes("number")) && isLongInteger(found))

const accepted: ArgsVerdict = { ok: true }
const verdictOf = (findings: readonly Finding[], limits: Limits): ArgsVerdict =>
  findings.length === 0 ? accepted : refuseArgs(findings, limits.argsIssuesMax)
