// Reads the stream of an answer: text is told as it arrives, and the whole is put together in the order of its parts.
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider"
import type { ModelUsage } from "../../core/agents/model-provider.ts"
import type { ModelAnswer, ModelFinish, ModelMeta, ModelPart } from "../model.ts"

/** It ended before it was complete. */
export class AnswerIncomplete extends Error {
  override readonly name = "AnswerIncomplete"
}

export type AnswerReader = {
  readonly onText: (text: string) => void
  /** Called once, when the first piece of the answer is there. */
  readonly onPiece: () => void
}

type OpenPart = { type: "text" | "reasoning"; text: string; meta: ModelMeta | undefined }

export async function readAnswer(stream: ReadableStream<LanguageModelV4StreamPart>, reader: AnswerReader): Promise<ModelAnswer> {
  const parts: (OpenPart | Extract<ModelPart, { type: "call" }>)[] = []
  const open = new Map<string, OpenPart>()
  let end: Extract<LanguageModelV4StreamPart, { type: "finish" }> | null = null
  const begin = (type: OpenPart["type"], id: string, meta: SharedV4ProviderMetadata | undefined): void => {
    const part: OpenPart = { type, text: "", meta }
    open.set(`${type}/${id}`, part)
    parts.push(part)
  }
  const add = (type: OpenPart["type"], id: string, delta: string, meta: SharedV4ProviderMetadata | undefined): void => {
    if (!open.has(`${type}/${id}`)) begin(type, id, meta)
    const part = open.get(`${type}/${id}`)
    if (part === undefined) return
    part.text += delta
    if (meta !== undefined) part.meta = { ...part.meta, ...meta }
    if (type === "text" && delta !== "") reader.onText(delta)
  }
  for await (const piece of stream) {
    switch (piece.type) {
      case "error":
        throw piece.error
      case "text-start":
      case "reasoning-start":
        begin(piece.type === "text-start" ? "text" : "reasoning", piece.id, piece.providerMetadata)
        break
      case "text-delta":
      case "reasoning-delta":
        reader.onPiece()
        add(piece.type === "text-delta" ? "text" : "reasoning", piece.id, piece.delta, piece.providerMetadata)
        break
      case "text-end":
      case "reasoning-end":
        add(piece.type === "text-end" ? "text" : "reasoning", piece.id, "", piece.providerMetadata)
        break
      case "tool-input-start":
        reader.onPiece()
        break
      case "tool-call":
        reader.onPiece()
        parts.push({ type: "call", id: piece.toolCallId, name: piece.toolName, input: piece.input, ...metaOf(piece.providerMetadata) })
        break
      case "finish":
        end = piece
        break
      default: // Files, sources and the like are nothing that we ask for.
    }
  }
  if (end === null || isCut(end.finishReason)) throw new AnswerIncomplete("the answer ended before it was complete")
  return { ok: true, parts: parts.flatMap(closed), finish: finishOf(end.finishReason), usage: usageOf(end.usage) }
}

/** The packages say so where the provider never said why it stopped. */
const isCut = ({ unified, raw }: LanguageModelV4FinishReason): boolean => (unified === "other" || unified === "error") && raw === undefined

function closed(part: OpenPart | ModelPart): ModelPart[] {
  if (part.type === "call") return [part]
  const { type, text, meta } = part
  return text === "" && (type === "text" || meta === undefined) ? [] : [{ type, text, ...metaOf(meta) }]
}

const metaOf = (meta: ModelMeta | undefined): { meta?: ModelMeta } => (meta === undefined ? {} : { meta })

function finishOf({ unified }: LanguageModelV4FinishReason): ModelFinish {
  switch (unified) {
    case "stop":
    case "length":
      return unified
    case "tool-calls":
      return "calls"
    case "content-filter":
      return "filtered"
    case "error":
    case "other":
      return "other"
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage {
  const cached = tokensIn(inputTokens.cacheRead)
  return {
    inputTokens: tokensIn(inputTokens.total),
    outputTokens: tokensIn(outputTokens.total),
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
  }
}

/** A run's limit is held against what the provider says, which may be any number. */
const tokensIn = (said: number | undefined): number =>
  said === undefined || !Number.isFinite(said) ? 0 : Math.min(Math.max(0, Math.ceil(said)), Number.MAX_SAFE_INTEGER)
