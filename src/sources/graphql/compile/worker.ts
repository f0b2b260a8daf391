// The thread in which a schema is read and compiled: a hostile one can be ended, and takes its memory with it.
import { parentPort } from "node:worker_threads"
import type { MessagePort } from "node:worker_threads"
import { ExecutorError } from "../../../core/errors.ts"
import { collectWarnings } from "../../document-warnings.ts"
import { compileSchema } from "./compile.ts"
import type { CompileJob, FromCompiler, ToCompiler } from "./message.ts"
import { readSchema } from "./schema-read.ts"

if (parentPort) listen(parentPort)

function listen(port: MessagePort): void {
  port.once("message", (message: ToCompiler) => {
    if (message.kind === "job") port.postMessage(answer(message.job))
    port.close()
  })
}

function answer({ bytes, limits }: CompileJob): FromCompiler {
  try {
    const warnings = collectWarnings(limits.warningsMax)
    const schema = readSchema(new TextDecoder().decode(bytes), warnings, limits)
    const { description, tools, definitions } = compileSchema(schema, warnings, limits)
    return { kind: "done", answer: { description, tools, definitions: [...definitions], warnings: warnings.list() } }
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return { kind: "refused", code: error.code, message: error.message }
  }
}
