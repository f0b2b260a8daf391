// Adding from a document that a person has, for APIs that the server cannot reach.
import type { ReactNode } from "react"
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { DialogActions } from "../../ui/dialogs/dialog.tsx"
import { isWebUrl } from "../../ui/text/external-link.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { messageOf } from "../../ui/states.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import type { DocumentFile } from "./document.ts"
import { documentKindOf, readDocumentFile } from "./document.ts"
import type { Draft } from "./draft.ts"
import { fromDocument } from "./draft.ts"

export function FileForm({ onRead }: { readonly onRead: (draft: Draft) => void }): ReactNode {
  const [file, setFile] = useState<DocumentFile | null>(null)
  const [endpoint, setEndpoint] = useState("")
  const isGraphql = file !== null && documentKindOf(file) === "graphql"
  const reason = file === null ? "Pick a file first" : isGraphql && !isWebUrl(endpoint.trim()) ? "Enter where calls are sent" : null
  return (
    <div className="flex flex-col gap-3">
      <DocumentInput label="Document" hint="An OpenAPI document (JSON or YAML) or a GraphQL schema." onRead={setFile} />
      {isGraphql ? (
        <Field label="Endpoint" hint="The schema does not say where calls are sent.">
          {(ids) => (
            <Input
              {...ids}
              type="url"
              spellCheck={false}
              placeholder="https://api.example.com/graphql"
              value={endpoint}
              onChange={(event) => setEndpoint(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      <DialogActions>
        <Button kind="primary" reason={reason} onClick={() => (file === null ? undefined : onRead(fromDocument(file, endpoint.trim())))}>
          Preview
        </Button>
      </DialogActions>
    </div>
  )
}

type InputProps = { readonly label: string; readonly hint: string; readonly onRead: (file: DocumentFile | null) => void }

export function DocumentInput({ label, hint, onRead }: InputProps): ReactNode {
  const [error, setError] = useState<string | null>(null)
  const read = async (file: File | undefined): Promise<void> => {
    setError(null)
    try {
      onRead(file === undefined ? null : await readDocumentFile(file))
    } catch (failure) {
      onRead(null)
      setError(safeLine(messageOf(failure)))
    }
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <Input
          {...ids}
          type="file"
          accept=".json,.yaml,.yml,.graphql,.graphqls,.gql,.txt"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}
