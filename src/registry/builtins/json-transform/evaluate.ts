// Evaluates a JMESPath expression within a budget of steps.
//
// The language has no loops and no functions of its own, so every expression ends; but it can copy, join and compare what
// it has made, again and again, so that time and memory grow exponentially with its length. Therefore each visit of the
// interpreter, each value that it makes and each value that a function looks at is a step. Only fields that the data
// itself has are found: the library would also find what JavaScript's objects inherit.
import { TreeInterpreter, compile } from "@jmespath-community/jmespath"
import type { JSONValue } from "@jmespath-community/jmespath"

type Visit = (this: unknown, node: { readonly type: string; readonly name?: unknown }, value: unknown) => unknown
type RuntimeFunction = (args: readonly unknown[]) => unknown
type Interpreter = { visit: Visit; readonly runtime: { readonly _functionTable: Record<string, { _func: RuntimeFunction }> } }

export class StepsExceeded extends Error {}

let stepsLeft = 0

function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new StepsExceeded()
}

bound(TreeInterpreter as unknown as Interpreter) // its fields are checked by `bound`

/** The interpreter of this thread is made to count. */
function bound(interpreter: Interpreter): void {
  const shared = Object.getPrototypeOf(interpreter) as { visit: Visit } // the class, which `let` makes new interpreters of
  const { visit } = shared
  const table = interpreter.runtime._functionTable
  if (typeof visit !== "function" || typeof table !== "object") throw new Error("This version of the JMESPath library cannot be bounded")
  shared.visit = function (node, value) {
    spend(1)
    if (node.type === "Field") return ownField(value, String(node.name))
    const made = visit.call(this, node, value)
    if (made !== value && (typeof made === "string" || Array.isArray(made))) spend(made.length)
    return made
  }
  for (const [name, entry] of Object.entries(table)) {
    const { _func: work } = entry
    entry._func = function (this: unknown, args: readonly unknown[]) {
      for (const arg of args) spendWalk(arg)
      spend(growthOf(name, args))
      return work.call(this, args)
    }
  }
}

const ownField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? ((value as Record<string, unknown>)[name] ?? null) // just checked
    : null

/** As large as it would be written: what was made of one value many times counts each time. */
function spendWalk(value: unknown): void {
  if (typeof value === "string") return spend(value.length + 1)
  spend(1)
  if (typeof value !== "object" || value === null || ("type" in value && "children" in value)) return
  if (Array.isArray(value)) for (const item of value) spendWalk(item)
  else
    for (const [key, item] of Object.entries(value)) {
      spend(key.length)
      spendWalk(item)
    }
}

/** How much larger than its arguments a result can be. */
function growthOf(name: string, args: readonly unknown[]): number {
  if (name === "pad_left" || name === "pad_right") return typeof args[1] === "number" && args[1] > 0 ? args[1] : 0
  const [subject, old, given, ...glue] = args
  if (name === "replace" && typeof subject === "string" && typeof old === "string" && typeof given === "string")
    return (subject.length / Math.max(1, old.length) + 1) * given.length
  if (name === "join" && typeof subject === "string" && Array.isArray(old)) return subject.length * old.length
  return glue.length
}

/** JSON text of the result. */
export function transform(dataJson: string, expression: string, stepsMax: number): string {
  stepsLeft = stepsMax
  const tree = compile(expression)
  const made = TreeInterpreter.search(tree, JSON.parse(dataJson) as JSONValue)
  spendWalk(made)
  return JSON.stringify(made) ?? "null"
}
