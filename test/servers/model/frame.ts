// What an API of a scripted model sends: one JSON body, or frames of server-sent events.
import type { FramePart, FullAnswer } from "./turn.ts"

/** `event` names the event where the API does so; a text as `data` is sent as it is. */
export type Frame = { readonly part: FramePart; readonly event?: string; readonly data: object | string }

export type ApiError = { readonly status: number; readonly code: string; readonly message: string }

/** How one API writes what the model answers. */
export interface ModelWriter {
  /** The body of an answer in one piece. */
  body(answer: FullAnswer): object
  frames(answer: FullAnswer, request: { readonly body: Readonly<Record<string, unknown>> }): Frame[]
  error(error: ApiError): object
  /** An error inside a stream that has begun. */
  errorFrame(error: ApiError): Frame
}

export const frameText = (frame: Frame): string => {
  const data = typeof frame.data === "string" ? frame.data : JSON.stringify(frame.data)
  return `${frame.event === undefined ? "" : `event: ${frame.event}\n`}data: ${data}\n\n`
}
