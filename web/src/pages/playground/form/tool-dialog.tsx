// Chooses a tool from the server's index.
import type { ReactNode } from "react"
import { useDeferredValue, useState } from "react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Command } from "cmdk"
import { withoutRoot } from "../../../../../src/core/address.ts"
import { client } from "../../../api/client.ts"
import { Dialog } from "../../../ui/dialogs/dialog.tsx"
import { messageOf } from "../../../ui/states.tsx"
import { Line, Mono, Prose } from "../../../ui/text/text.tsx"

const shownMax = 50

type DialogProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly onChoose: (path: string) => void }

export function ToolDialog({ isOpen, onClose, onChoose }: DialogProps): ReactNode {
  const [text, setText] = useState("")
  const query = useDeferredValue(text.trim())
  const { data, error, isFetching } = useQuery({
    queryKey: ["tools", "choose", query],
    queryFn: () => client.tools.page(query === "" ? {} : { query }, { limit: shownMax }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title="Choose a tool" isOpen={isOpen} onClose={onClose}>
      <Command shouldFilter={false} label="Tools" className="flex flex-col gap-2">
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search tools…"
          className="control-height w-full rounded-control border border-control bg-raised px-2 py-1"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto">
          <Command.Empty className="px-2 py-6 text-center text-secondary">
            {error !== null ? (
              <Prose>{messageOf(error)}</Prose>
            ) : isFetching ? (
              "Searching…"
            ) : (
              "No tool fits. Add an integration, or use other words."
            )}
          </Command.Empty>
          {(data?.items ?? []).map(({ address, description }) => (
            <Command.Item
              key={address}
              value={address}
              onSelect={() => onChoose(withoutRoot(address))}
              className="flex min-h-9 cursor-pointer flex-col justify-center rounded-control px-2 py-1 aria-selected:bg-hover"
            >
              <Mono className="break-all">{withoutRoot(address)}</Mono>
              <Line className="line-clamp-1 text-sm text-secondary">{description}</Line>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
