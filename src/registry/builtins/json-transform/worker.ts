// The thread that transforms JSON by strangers' expressions.
import { parentPort } from "node:worker_threads"
import { StepsExceeded, transform } from "./evaluate.ts"
import type { TransformAnswer, TransformJob } from "./transform-message.ts"

const messageCharsMax = 500

parentPort?.on("message", (job: TransformJob) => parentPort?.postMessage(answer(job), []))

function answer({ dataJson, expression, stepsMax }: TransformJob): TransformAnswer {
  try {
    return { ok: true, json: transform(dataJson, expression, stepsMax) }
  } catch (error) {
    if (error instanceof StepsExceeded) return { ok: false, reason: "steps", message: "" }
    const message = error instanceof RangeError ? "it is nested too deeply" : error instanceof Error ? error.message : String(error)
    return { ok: false, reason: "expression", message: message.slice(0, messageCharsMax) }
  }
}
