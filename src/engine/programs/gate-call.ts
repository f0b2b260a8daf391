// A call of sandbox code in the form that the gate knows.
import { withoutRoot } from "../../core/address.ts"
import type { SandboxCall } from "../../sandbox/sandbox.ts"
import type { BuiltinStageParts } from "../gate/builtin-stage.ts"
import type { GateCall } from "../gate/call.ts"

export function toGateCall(
  { kind, key, seq, path, argsJson, line, behind }: SandboxCall,
  { builtins }: Pick<BuiltinStageParts, "builtins">,
): GateCall {
  // `tools.x.y()` means no arguments; anything else that is no object is refused by the schema. What is stored is only passed on.
  const value: unknown = argsJson === "" || kind !== "tool" ? null : JSON.parse(argsJson)
  const args = (value ?? {}) as Record<string, unknown> // checked against the tool's schema in the gate
  return {
    kind: kind === "tool" && builtins.has(withoutRoot(path)) ? "builtin" : kind,
    key,
    seq,
    path,
    argsJson,
    args,
    line,
    ...(behind === undefined ? {} : { behind }),
  }
}
