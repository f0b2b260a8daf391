// What can be done with a tool that was made here: publish, deprecate, disable, take up again, remove.
import type { ReactNode } from "react"
import { Suspense, lazy, useState } from "react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { MoreHorizontal } from "lucide-react"
import type { RegistryToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { EditDialog, editReason } from "./new/edit-dialog.tsx"

const PublishTool = lazy(async () => ({ default: (await import("./publish-dialog.tsx")).PublishTool }))

type ActionsProps = { readonly made: RegistryToolView; readonly onGone: () => void; readonly onTab: (tab: string) => void }

export function LifecycleActions({ made, onGone, onTab }: ActionsProps): ReactNode {
  const [open, setOpen] = useState<"publish" | "deprecate" | "disable" | "remove" | null>(null)
  const [{ edit }, set] = useFilters<"edit">()
  const mayPublish = useMissingRight("registry.publish")
  const mayWrite = useMissingRight("registry.write")
  const change = useToolChange(made.id, () => setOpen(null))
  if (made.scope === "global") return null
  const { status } = made
  return (
    <div className="flex flex-wrap gap-2">
      <Button kind="primary" reason={mayPublish ?? publishReason(made)} onClick={() => setOpen("publish")}>
        Publish
      </Button>
      <Button reason={mayWrite ?? editReason(made)} onClick={() => set({ edit: "1" }, { isStep: true })}>
        Edit
      </Button>
      <Button onClick={() => onTab("test")}>Test</Button>
      <Menu
        trigger={
          <Button aria-label="More actions">
            <MoreHorizontal size={14} aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen("deprecate")} reason={mayPublish ?? (status === "published" ? null : "Only what is published")}>
          Deprecate…
        </MenuItem>
        <MenuItem
          onSelect={() => setOpen("disable")}
          reason={mayPublish ?? (status === "published" || status === "deprecated" ? null : "Only what is in production")}
        >
          Disable…
        </MenuItem>
        <MenuItem
          onSelect={() => change.mutate({ status: "draft" })}
          reason={mayWrite ?? (status === "disabled" ? null : "Only what is disabled")}
        >
          Back to draft
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          onSelect={() => setOpen("remove")}
          reason={mayWrite ?? (made.publishedAt === null ? null : "It was published: disable it instead")}
        >
          Remove the draft…
        </MenuItem>
      </Menu>
      <EditDialog made={made} isOpen={edit !== undefined && mayWrite === null} onClose={() => set({ edit: undefined })} />
      <Suspense>{open === "publish" ? <PublishTool made={made} onClose={() => setOpen(null)} /> : null}</Suspense>
      <DeprecateDialog made={made} isOpen={open === "deprecate"} onClose={() => setOpen(null)} />
      <Dialog title={`Disable ${safeLine(made.name)}?`} isOpen={open === "disable"} onClose={() => setOpen(null)}>
        <p>Calls of it fail from now on. Its versions stay, and it can become a draft again.</p>
        <DialogActions>
          <Button onClick={() => setOpen(null)}>Keep it</Button>
          <Button kind="danger" isBusy={change.isPending} onClick={() => change.mutate({ status: "disabled" })}>
            Disable the tool
          </Button>
        </DialogActions>
      </Dialog>
      <RemoveDialog made={made} isOpen={open === "remove"} onClose={() => setOpen(null)} onGone={onGone} />
    </div>
  )
}

function publishReason({ status, hasUnpublishedChanges, isActive }: RegistryToolView): string | null {
  if (status === "deprecated") return "It is deprecated: disable it, then take it back to draft"
  if (status === "disabled") return "It is disabled: take it back to draft first"
  if (!isActive) return "It is not active"
  return status === "published" && !hasUnpublishedChanges ? "Everything is published" : null
}

function useToolChange(id: string, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: { readonly status: "draft" | "deprecated" | "disabled"; readonly replacedBy?: string }) =>
      client.registry.update(id, change),
    onSuccess: async ({ status }) => {
      toast(`The tool is ${status === "draft" ? "a draft again" : status}`)
      onDone()
      await queries.invalidateQueries({ queryKey: ["tools"] })
    },
    onError: toastError,
  })
}

type DialogProps = { readonly made: RegistryToolView; readonly isOpen: boolean; readonly onClose: () => void }

function DeprecateDialog({ made, isOpen, onClose }: DialogProps): ReactNode {
  const [slug, setSlug] = useState("")
  const change = useToolChange(made.id, onClose)
  const replacedBy = slug.trim()
  return (
    <Dialog title={`Deprecate ${safeLine(made.name)}?`} isOpen={isOpen} onClose={onClose}>
      <p className="pb-3">It still runs, ranks below others in search, and its answers say so.</p>
      <Field label="Use instead" hint="The slug of another tool of the registry. May be left empty.">
        {(ids) => <Input {...ids} value={slug} onChange={(event) => setSlug(event.target.value)} placeholder="read_item" />}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          kind="primary"
          isBusy={change.isPending}
          onClick={() => change.mutate({ status: "deprecated", ...(replacedBy === "" ? {} : { replacedBy }) })}
        >
          Deprecate the tool
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function RemoveDialog({ made, isOpen, onClose, onGone }: DialogProps & { readonly onGone: () => void }): ReactNode {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.registry.remove(made.id),
    onSuccess: async () => {
      toast("The draft is gone")
      onGone()
      await queries.invalidateQueries({ queryKey: ["tools"] })
    },
    onError: toastError,
  })
  return (
    <Dialog title={`Remove ${safeLine(made.name)}?`} isOpen={isOpen} onClose={onClose}>
      <p>It was never published, so that nothing of it stays.</p>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove the draft
        </Button>
      </DialogActions>
    </Dialog>
  )
}
