// The ports and settings that search for tools by meaning takes as its last parameter.
import type { RetrievalParts } from "../parts.ts"
import type { VectorThread } from "../vectors/vector-thread.ts"

export type ToolMeaningParts = Pick<RetrievalParts, "store" | "limits" | "clock" | "log" | "embedders"> & { readonly thread: VectorThread }
