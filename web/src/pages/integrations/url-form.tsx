// Adding by URL: the server looks at what is there.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { DialogActions } from "../../ui/dialogs/dialog.tsx"
import { isWebUrl } from "../../ui/text/external-link.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { messageOf } from "../../ui/states.tsx"
import { Prose } from "../../ui/text/text.tsx"
import type { Draft } from "./draft.ts"
import { fromDetection } from "./draft.ts"

type UrlProps = { readonly onFound: (draft: Draft) => void; readonly onFile: () => void }

export function UrlForm({ onFound, onFile }: UrlProps): ReactNode {
  const [url, setUrl] = useState("")
  const detect = useMutation({
    mutationFn: (at: string) => client.integrations.detect(at),
    onSuccess: (found, at) => onFound(fromDetection(found, at)),
  })
  const given = url.trim()
  const reason = given === "" ? "Enter a URL first" : isWebUrl(given) ? null : "A URL begins with https:// or http://"
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !detect.isPending) detect.mutate(given)
      }}
    >
      <Field
        label="URL"
        hint="Of an OpenAPI document, a GraphQL endpoint, an MCP server, or a page that leads to one. What it is gets detected."
        error={given !== "" && reason !== null ? reason : null}
      >
        {(ids) => (
          <Input
            {...ids}
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="https://api.example.com/openapi.json"
            value={url}
            onChange={(event) => {
              setUrl(event.target.value)
              detect.reset()
            }}
          />
        )}
      </Field>
      {detect.error === null ? null : (
        <div role="alert" className="tint-danger flex flex-col items-start gap-2 rounded-control p-3">
          <Prose>{messageOf(detect.error)}</Prose>
          <Button onClick={onFile}>Use a file instead</Button>
        </div>
      )}
      <DialogActions>
        <Button kind="primary" type="submit" isBusy={detect.isPending} reason={reason}>
          {detect.isPending ? "Looking…" : "Look what is there"}
        </Button>
      </DialogActions>
    </form>
  )
}
