// Documents of APIs that a person picks from their machine.
import { kindOfDocument } from "../../../../src/core/text/document-kind.ts"

export type DocumentFile = { readonly name: string; readonly text: string }

/** Larger ones would only be refused by the server after a long upload. */
const megabytesMax = 32

export async function readDocumentFile(file: File): Promise<DocumentFile> {
  if (file.size > megabytesMax * 1024 * 1024)
    throw new Error(`${file.name} is larger than ${megabytesMax} MB. Pick the document itself, without what it is packed with.`)
  const text = await file.text()
  if (text.trim() === "") throw new Error(`${file.name} is empty. Pick an OpenAPI document or a GraphQL schema.`)
  return { name: file.name, text }
}

export const documentKindOf = ({ name, text }: DocumentFile): "openapi" | "graphql" => kindOfDocument(name, text)
