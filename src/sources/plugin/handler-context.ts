// The context of a handler during one call.
import { fail } from "../../core/result.ts"
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import { viewLink } from "../../core/text/question.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { Question, ToolContext } from "../../plugin/definition.ts"
import { inputJsonSchema } from "../../plugin/json-schema.ts"
import { isStandardSchema } from "../../plugin/standard-schema.ts"
import { ToolError } from "../../plugin/tool-error.ts"
import { tokenOf } from "./auth-options.ts"
import type { HandlerCall, HandlerRun } from "./handler-call.ts"
import { createHandlerFetch } from "./handler-fetch.ts"
import { validate } from "./handler-validate.ts"
import { maskDeep, maskSecrets } from "./secret-mask.ts"

const textCharsMax = 2000
/** A schema that nothing fits must not ask for ever. */
const roundsMax = 5

export function createContext(call: HandlerCall, run: HandlerRun): ToolContext {
  const { credential, plugin, tool } = call
  const shown = (text: unknown): string => maskSecrets(String(text), credential.secrets).slice(0, textCharsMax)
  const log =
    (level: "debug" | "info" | "warn" | "error") =>
    (text: string): void => {
      if (run.isOver()) return
      call.log[level]({ plugin: plugin.id, tool: tool.path }, shown(text))
      call.notify({ type: "log", level, text: shown(text) })
    }
  const send = createHandlerFetch({ outbound: call.outbound, limits: call.limits, answerTurn: call.answerTurn, ...run })
  return {
    auth: { getToken: (id) => unthrown(getToken(id, call)) },
    elicit: (question) => unthrown(ask(question, call, run)),
    signal: run.signal,
    log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    fetch: (input, init) => unthrown(send(input, init)),
    progress(progress, total, message) {
      if (run.isOver() || !Number.isFinite(progress)) return
      call.notify({
        type: "progress",
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: shown(message) }),
      })
    },
  }
}

/** A promise that a handler forgot to await must not end the process when it is rejected. */
function unthrown<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function getToken(id: string, { plugin, credential }: HandlerCall): Promise<string> {
  const providers = plugin.authProviders ?? []
  const provider = providers.find((one) => one.id === id)
  if (provider === undefined) {
    const known = providers.map((one) => one.id).join(", ") || "none"
    throw new TypeError(`The plugin '${plugin.id}' has no auth provider '${id.slice(0, 80)}'; it has ${known}`)
  }
  const token = tokenOf(provider, providers, credential)
  if (token === null)
    throw new ToolError("auth_required", `The connection has no credential for '${id}' of the plugin '${plugin.id}'; bind one to use it`)
  return token
}

/** What a schema finds wrong with the human's answer is asked anew, with the reason; a handler gets what the schema made of it. */
async function ask(question: Question, call: HandlerCall, run: HandlerRun): Promise<ElicitAnswer> {
  const schema = "requestedSchema" in question && isStandardSchema(question.requestedSchema) ? question.requestedSchema : null
  let request = toRequest(question, call)
  for (let round = 0; round < roundsMax; round += 1) {
    const answer = await askOnce(request, call, run)
    if (schema === null || answer.action !== "accept") return answer
    const checked = await validate(schema, answer.content)
    if (!("issues" in checked)) return { action: "accept", content: checked.value }
    const [issue] = checked.issues
    const place = issue === undefined || issue.path === "" ? "" : `${issue.path}: `
    const again = `${question.message.slice(0, textCharsMax / 2)} (${place}${issue?.message ?? "the answer is invalid"})`
    request = toRequest({ ...question, message: again }, call)
  }
  throw new ToolError("invalid_arguments", `The answer to '${request.message}' was invalid ${roundsMax} times`)
}

async function askOnce(request: ElicitRequest, call: HandlerCall, run: HandlerRun): Promise<ElicitAnswer> {
  if (run.isOver()) throw new Error("The call has ended and can no longer ask a human")
  try {
    return await call.elicit(request)
  } catch (error) {
    // The execution pauses here. The handler starts anew when the answer is there, so this run of it is waited for no longer.
    run.end(fail("approval_required", "The call waits for a human's answer"))
    throw error
  }
}

/** Authors write JavaScript as well, so that what they pass is looked at. It is shown and kept, so that it has no secrets. */
function toRequest(question: Question, { tool, credential: { secrets } }: HandlerCall): ElicitRequest {
  const message = typeof question.message === "string" ? maskSecrets(question.message, secrets).slice(0, textCharsMax) : ""
  if (message.trim() === "") throw new TypeError("ctx.elicit needs a message that says what is asked")
  if ("url" in question) {
    const link = viewLink(question.url)
    if (link === null) throw new TypeError("ctx.elicit: url must be an http or https URL without a user name or password")
    return { kind: "url", message, url: maskSecrets(link.href, secrets) }
  }
  const { requestedSchema } = question
  if ((typeof requestedSchema !== "object" && typeof requestedSchema !== "function") || requestedSchema === null)
    throw new TypeError("ctx.elicit needs a requestedSchema for a form, or a url")
  const schema: unknown = isStandardSchema(requestedSchema)
    ? inputJsonSchema(requestedSchema, `${tool.path}: requestedSchema`)
    : JSON.parse(JSON.stringify(requestedSchema))
  return { kind: "form", message, requestedSchema: maskDeep(schema, secrets) as JsonSchema } // an object, as the type says and the check above
}
