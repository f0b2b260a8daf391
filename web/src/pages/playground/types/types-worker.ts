// The worker with the types: answers one question after another, away from the page's own thread.
import type { Request, Response } from "./protocol.ts"
import { createTypeService } from "./language.ts"

const texts = import.meta.glob<string>(
  [
    "../../../../../node_modules/typescript-js/lib/lib.{es5,es20*,decorators*}.d.ts",
    "!../../../../../node_modules/typescript-js/lib/*.full.d.ts",
  ],
  { query: "?raw", import: "default", eager: true },
)
const libs = new Map(Object.entries(texts).map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1), text]))
const service = createTypeService(libs)

const answer = ({ verb, asked }: Request): unknown => {
  // The verb says what was asked.
  const does = service[verb] as (asked: Request["asked"]) => unknown
  return does(asked)
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const reply = (response: Response): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
    postMessage(response)
  }
  try {
    reply({ id: data.id, answer: answer(data) })
  } catch (error) {
    reply({ id: data.id, problem: error instanceof Error ? error.message : String(error) })
  }
})
