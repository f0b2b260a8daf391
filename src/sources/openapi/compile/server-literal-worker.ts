// The thread in which a long inline document is looked through for its servers.
import { parentPort } from "node:worker_threads"
import { ExecutorError } from "../../../core/errors.ts"
import { defaultLimits } from "../../../core/limits.ts"
import type { FromThread, ToThread } from "../../thread-message.ts"
import { parseText } from "../document/parse.ts"
import { documentServerUrls } from "./server-literal.ts"
import type { ServersJob } from "./server-literal-thread.ts"

const port = parentPort
port?.once("message", (message: ToThread<ServersJob>) => {
  if (message.kind === "job") port.postMessage(answer(message.job))
  port.close()
})

function answer({ document, variables }: ServersJob): FromThread<string[]> {
  try {
    return { kind: "done", answer: documentServerUrls(parseText(document, defaultLimits.documentNodesMax).value, variables) }
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return { kind: "refused", code: error.code, message: error.message }
  }
}
