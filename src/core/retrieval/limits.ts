// The limits of retrieval, a part of the one table.

const second = 1000
const megabyte = 1024 * 1024

export const retrievalLimits = {
  pipelinesMax: { value: 100, why: "Retrieval pipelines of one tenant; each has an index of its own." },
  pipelineDocumentsMax: { value: 100_000, why: "Documents of one pipeline." },
  pipelineDocumentBytesMax: { value: 32 * megabyte, why: "The text of one document; the largest book has a tenth of it." },
  pipelineChunksMax: {
    value: 200_000,
    why: "Chunks of one pipeline: about 250 MB of text. Split what is larger by subject, which also finds better.",
  },
  pipelineVectorBytesMax: {
    value: 1024 * megabyte,
    why: "Vectors of one pipeline (four bytes for each chunk and dimension), and those of all pipelines that a server holds in memory.",
  },
  pipelineDimensionsMax: { value: 8192, why: "More than any embedding model has." },
  pipelineChunkTokensMax: { value: 2000, why: "A chunk is shown to a model as a whole, several at a time." },
  pipelineQueryCharsMax: { value: 10_000, why: "A question; its first words say what it is about." },
  pipelineTopKMax: { value: 100, why: "Results of one query; a model reads no more." },
  pipelineFilterDocumentsMax: { value: 10_000, why: "Documents that the filter of a query may let through." },
  pipelineEmbedMs: { value: 10 * second, why: "A question waits for its vector this long; then only words are compared." },
  pipelineEmbedBatchMs: { value: 60 * second, why: "The same for the chunks of a document, which nobody waits for." },
  toolVectorsMax: { value: 100_000, why: "Tools of one tenant that search finds by meaning; in larger catalogs it compares words alone." },
  toolVectorBytesMax: {
    value: 192 * megabyte,
    why: "Vectors of tools that a server holds in memory, one byte for each dimension; a tenant has no more of them.",
  },
  toolEmbedMs: { value: second, why: "A search for tools waits for the vector of its request this long; then only words are compared." },
  pipelineRetryMs: { value: 30 * second, why: "How long indexing waits after the embedding endpoint has failed." },
} as const
