// The last step before adding: what it would bring, where it calls, and what it is called.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { IntegrationAdd } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { DialogActions } from "../../ui/dialogs/dialog.tsx"
import { ExternalLink, isWebUrl } from "../../ui/text/external-link.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { Skeleton, messageOf } from "../../ui/states.tsx"
import { Line, Prose } from "../../ui/text/text.tsx"
import { toast } from "../../ui/toast.tsx"
import type { Draft } from "./draft.ts"
import { nameOf, needsNothing, toAdd, withDocument } from "./draft.ts"
import { DocumentInput } from "./file-form.tsx"
import { PreviewView } from "./preview.tsx"
import { addIntegration, counted } from "../../api/catalog.ts"
import type { Added } from "../../api/catalog.ts"

type ReviewProps = { readonly draft: Draft; readonly onChange: (draft: Draft) => void; readonly onBack: () => void }

const slugPattern = /^[a-z][a-z0-9_]{0,62}$/

export function Review({ draft, onChange, onBack }: ReviewProps): ReactNode {
  const [slug, setSlug] = useState(draft.slug)
  const [name, setName] = useState<string | null>(null)
  const [baseUrl, setBaseUrl] = useState("")
  const navigate = useNavigate()
  const missing = useMissingRight("connections.org")
  const needsBase = draft.preset?.baseUrl ?? null
  const isReadable = needsBase === null || isWebUrl(baseUrl)
  const config = toAdd(draft, { slug, name: "", baseUrl }).config
  const preview = useQuery({
    queryKey: ["preview", draft.id, baseUrl],
    queryFn: () => client.integrations.preview({ kind: draft.kind, config }),
    enabled: isReadable,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const add = useMutation({
    mutationFn: (input: IntegrationAdd) => addIntegration(input, needsNothing(draft)),
    onSuccess: (added) => {
      toast(addedText(added))
      void navigate({ to: "/integrations/$slug", params: { slug: added.integration.slug } })
    },
  })
  const shownName = name ?? nameOf(draft, preview.data)
  const slugError = slugPattern.test(slug) ? null : "Small letters, digits and _, beginning with a letter"
  // What is read at each connection can be added before it can be read.
  const mustBeRead = draft.kind === "openapi"
  const reason =
    missing ??
    slugError ??
    (isReadable ? null : `Enter ${needsBase?.description ?? "its address"}`) ??
    (mustBeRead && preview.isPending ? "It is being read" : null) ??
    (mustBeRead && preview.error !== null ? "It could not be read" : null)
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-secondary">
        <Badge>{draft.kind}</Badge>
        <ExternalLink url={draft.source} />
      </p>
      <div className="grid gap-3 min-[600px]:grid-cols-2">
        <Field label="Slug" hint="The paths of its tools begin with it." error={slugError}>
          {(ids) => (
            <Input {...ids} value={slug} spellCheck={false} onChange={(event) => setSlug(event.target.value)} className="font-mono" />
          )}
        </Field>
        <Field label="Name" hint="As people see it.">
          {(ids) => <Input {...ids} value={shownName} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {needsBase === null ? null : (
          <Field label="Base URL" hint={`Enter ${needsBase.description}, such as ${needsBase.example}`}>
            {(ids) => (
              <Input {...ids} type="url" spellCheck={false} value={baseUrl} onChange={(event) => setBaseUrl(event.target.value.trim())} />
            )}
          </Field>
        )}
      </div>
      {isReadable && preview.isPending ? <Skeleton rows={4} /> : null}
      {preview.error === null ? null : <Unreadable draft={draft} error={preview.error} isFinal={mustBeRead} onChange={onChange} />}
      {preview.data === undefined ? null : <PreviewView preview={preview.data} />}
      {draft.preset === null ? null : <PresetHelp draft={draft} />}
      {add.error === null ? null : (
        <div role="alert" className="tint-danger rounded-control p-3">
          <Prose>{messageOf(add.error)}</Prose>
        </div>
      )}
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          isBusy={add.isPending}
          reason={reason}
          onClick={() => add.mutate(toAdd(draft, { slug, name: shownName, baseUrl }))}
        >
          {add.isPending ? "Adding…" : "Add integration"}
        </Button>
      </DialogActions>
    </div>
  )
}

type UnreadableProps = {
  readonly draft: Draft
  readonly error: Error
  readonly isFinal: boolean
  readonly onChange: (draft: Draft) => void
}

/** Whoever sits behind a network that does not lead there can bring the document. */
const Unreadable = ({ draft, error, isFinal, onChange }: UnreadableProps): ReactNode => (
  <div role="alert" className={`flex flex-col gap-3 rounded-control p-3 ${isFinal ? "tint-danger" : "tint-warn"}`}>
    <div>
      <p className="font-semibold">{isFinal ? "It could not be read" : "Its tools are not known before it is connected"}</p>
      <Prose>{messageOf(error)}</Prose>
    </div>
    {draft.kind === "mcp" ? null : (
      <div className="text-text">
        <DocumentInput
          label="Its document, as a file"
          hint="Download it where that is possible, and pick it here."
          onRead={(file) => (file === null ? undefined : onChange(withDocument(draft, file)))}
        />
      </div>
    )}
  </div>
)

function PresetHelp({ draft: { preset } }: { readonly draft: Draft }): ReactNode {
  const first = preset?.auth[0]
  if (preset === null || first === undefined) return null
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt className="text-secondary">Connects with</dt>
      <dd>
        {first.template === "none" ? "No credentials" : first.template}{" "}
        {first.note === "" ? null : <Line className="text-secondary">{`· ${first.note}`}</Line>}
      </dd>
      {first.keyUrl === null ? null : (
        <>
          <dt className="text-secondary">Get the key</dt>
          <dd>
            <ExternalLink url={first.keyUrl} />
          </dd>
        </>
      )}
      <dt className="text-secondary">Documentation</dt>
      <dd>
        <ExternalLink url={preset.docsUrl} />
      </dd>
    </dl>
  )
}

function addedText({ integration, connection }: Added): string {
  if (connection === null) return `Added ${integration.slug}. Connect it to use its tools.`
  return connection.status === "ready"
    ? `Added and connected ${integration.slug}: ${counted(connection.toolCount, "tool")}`
    : `Added ${integration.slug}, but it is not usable yet: ${connection.error ?? connection.status}`
}
