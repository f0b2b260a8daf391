// The dialog that adds a document that somebody writes or pastes.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { PipelineView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Field, Input, Select, TextArea } from "../../ui/field.tsx"
import { messageOf } from "../../ui/states.tsx"
import { safeText } from "../../ui/text/text.tsx"
import { toast } from "../../ui/toast.tsx"
import { counted, refreshPipelines } from "./queries.ts"

type DialogProps = { readonly pipeline: PipelineView; readonly onClose: () => void }

type Format = "text" | "markdown" | "html"

export function TextDialog({ pipeline, onClose }: DialogProps): ReactNode {
  const [title, setTitle] = useState("")
  const [source, setSource] = useState("")
  const [format, setFormat] = useState<Format>("markdown")
  const [text, setText] = useState("")
  const add = useMutation({
    mutationFn: () =>
      client.pipelines.documents.add(pipeline.id, {
        ...(title.trim() === "" ? {} : { title: title.trim() }),
        ...(source.trim() === "" ? {} : { source: source.trim() }),
        [format]: text,
      }),
    onSuccess: async (added) => {
      onClose()
      await refreshPipelines()
      toast(
        added.outcome === "unchanged"
          ? `${added.title} was there already`
          : `${added.title} is found now, in ${counted(added.chunks, "chunk")}`,
      )
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== "" && !add.isPending) add.mutate()
  }
  return (
    <Dialog title="Add a text" isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Title" hint="Left empty, the first heading.">
          {(ids) => <Input {...ids} value={title} onChange={({ target: { value } }) => setTitle(value)} />}
        </Field>
        <Field label="Source" hint="Where it comes from, such as a path or a URL. A document with the same source is replaced.">
          {(ids) => <Input {...ids} spellCheck={false} value={source} onChange={({ target: { value } }) => setSource(value)} />}
        </Field>
        <Field label="Format">
          {(ids) => (
            <Select
              {...ids}
              value={format}
              onChange={({ target: { value } }) => setFormat(value === "html" ? "html" : value === "text" ? "text" : "markdown")}
            >
              <option value="markdown">Markdown</option>
              <option value="text">Plain text</option>
              <option value="html">HTML</option>
            </Select>
          )}
        </Field>
        <Field label="Text">
          {(ids) => <TextArea {...ids} rows={10} required value={text} onChange={({ target: { value } }) => setText(value)} />}
        </Field>
        {add.error === null ? null : (
          <p role="alert" className="tint-danger stranger rounded-control px-3 py-2 break-words">
            {safeText(messageOf(add.error))}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={add.isPending} reason={text.trim() === "" ? "Write the text first" : null}>
            Add the document
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
