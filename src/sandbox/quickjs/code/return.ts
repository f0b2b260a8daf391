// Detects code that returned nothing although it was probably meant to, from how it ends.
import { bareCode } from "./shape.ts"

const value = /^(?!(?:return|break|continue|debugger|undefined|null)$)[\p{ID_Start}$_][\w$.?]*$/u
const awaitedCall = /^await\s+tools[.[].*\)$/
const declared = /^(?:async\s+)?function\s+([\w$]+)|^const\s+([\w$]+)\s*=\s*async\b/gm

/** What to write instead, or null. */
export function forgottenReturn(source: string): string | null {
  const code = bareCode(source)
  const last = lastLine(code).replace(/;+$/, "")
  if (value.test(last) || awaitedCall.test(last)) return `Nothing was returned: \`return ${last.length > 60 ? "…" : last}\` would.`
  if (last !== "}") return null
  const counts = new Map<string, number>()
  for (const [word] of code.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const unused = [...code.matchAll(declared)].map((match) => match[1] ?? match[2] ?? "").find((name) => counts.get(name) === 1)
  return unused === undefined ? null : `Nothing was returned: \`${unused}\` is never called; end with \`return await ${unused}()\`.`
}

/** Whether the code ends with returning something. */
export const returnsValue = (source: string): boolean => /^return\s+[^;\s]/.test(lastStatement(bareCode(source)))

/** As far as it can be told from the last line. */
const lastStatement = (code: string): string => lastLine(code).replace(/;\s*$/, "").split(/;\s*/).at(-1) ?? ""

function lastLine(code: string): string {
  const lines = code.trimEnd().split("\n")
  return (lines.findLast((line) => line.trim() !== "" && !line.trim().startsWith("//")) ?? "").trim()
}
