// Reads an error out of a guest: its name, message and stack, and what may explain it.
import type { Template } from "../vm/template.ts"
import type { Vm } from "../vm/vm.ts"

/** The name, message and stack of an error; of a ToolError what failed, as JSON; what may explain it, also the shapes of data, as JSON. */
export type ErrorFields = readonly [name: string, message: string, stack: string, tool: string, hint: string, shapes: string]

/** Reads a boxed error; the box is freed. */
export function describeError(error: number, vm: Vm, context: { readonly template: Template }): ErrorFields {
  const described = vm.call(context.template.entries.describeError, error)
  const text = vm.isException(described) ? null : vm.readText(described)
  if (vm.isException(described)) vm.exports.qjs_free_value(vm.takeException())
  vm.exports.qjs_free_value(described)
  return text === null ? ["InternalError", "out of memory", "", "", "", ""] : errorFields(text)
}

const unreadable: ErrorFields = ["Error", "The error could not be read.", "", "", "", ""]

/** The prelude writes six texts, but its tools may have been patched by the guest. */
function errorFields(text: string): ErrorFields {
  try {
    const fields = JSON.parse(text) as unknown[] // a wrong shape is caught here or below
    const [name, message, stack, tool, hint, shapes] = fields.map((field) => (typeof field === "string" ? field.toWellFormed() : null))
    if (name == null || message == null || stack == null) return unreadable
    return [name, message, stack, tool ?? "", hint ?? "", shapes ?? ""]
  } catch {
    return unreadable
  }
}
