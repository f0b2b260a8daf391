// The command palette: pages, tools, recent executions and actions by a few letters.
import type { ReactNode, RefObject } from "react"
import { useDeferredValue, useState } from "react"
import { useNavigate } from "@tanstack/react-router"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Command } from "cmdk"
import { SquareTerminal } from "lucide-react"
import { client } from "../api/client.ts"
import { withoutRoot } from "../../../src/core/address.ts"
import { summaryOf } from "../pages/executions/summary.ts"
import { Line, Mono } from "../ui/text/text.tsx"
import { Time } from "../ui/text/time.tsx"
import { navigationItems } from "./navigation.ts"
import { paletteActions } from "./palette-actions.ts"
import { executionActions, toolActions, useOpenSubject } from "./palette-subject.ts"
import type { PaletteAction } from "./palette-subject.ts"

type PaletteProps = {
  /** What was typed before it was here. */
  readonly typed: RefObject<string>
  readonly isOpen: boolean
  readonly onClose: () => void
}

const row = "flex min-h-9 cursor-pointer items-center gap-2 rounded-control px-2 aria-selected:bg-hover"
const toolsMax = 8
const executionsMax = 5

export function Palette({ typed, isOpen, onClose }: PaletteProps): ReactNode {
  const [text, setText] = useState(() => typed.current)
  const navigate = useNavigate()
  const query = useDeferredValue(text.trim())
  const tools = useQuery({
    queryKey: ["tools", "palette", query],
    queryFn: () => client.tools.search({ query, limit: toolsMax }),
    enabled: isOpen && query.length > 1,
    placeholderData: keepPreviousData,
  })
  const executions = useQuery({
    queryKey: ["executions", "palette"],
    queryFn: () => client.executions.list({ limit: executionsMax }),
    enabled: isOpen,
  })
  const subject = useOpenSubject()
  const run = (act: () => void): void => {
    onClose()
    setText("")
    act()
  }
  // Of what is typed now: whoever types and presses Enter at once means what they see next.
  const fits = (label: string): boolean => label.toLowerCase().includes(text.trim().toLowerCase())
  const pages = navigationItems.filter(({ label }) => fits(label))
  const found = query.length > 1 ? (tools.data?.items ?? []) : []
  const ofOpen = [
    ...(subject.tool === null ? [] : toolActions(withoutRoot(subject.tool))),
    ...(subject.execution === null ? [] : executionActions(subject.execution)),
  ]
  const actions = [...ofOpen, ...paletteActions].filter(({ label }) => fits(label))
  const recent = (executions.data?.items ?? [])
    .map((one) => ({ id: one.executionId, createdAt: one.createdAt, line: summaryOf(one) }))
    .filter(({ id, line }) => fits(id) || fits(line))
  // What somebody looked for they may want to do something with.
  const [first] = found
  const ofFound = first === undefined || first.path === subject.tool ? [] : toolActions(first.path)
  const values = [
    ...pages.map(({ to }) => `page ${to}`),
    ...actions.map(({ label }) => `action ${label}`),
    ...recent.map(({ id }) => `execution ${id}`),
    ...found.map(({ path }) => `tool ${path}`),
    ...ofFound.map(({ label }) => `action ${label}`),
  ]
  const [chosen, setChosen] = useState("")
  // Enter takes the first, until another is chosen.
  const selected = values.includes(chosen) ? chosen : (values[0] ?? "")
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      label="Search or go to"
      shouldFilter={false}
      value={selected}
      onValueChange={setChosen}
      overlayClassName="fade-in fixed inset-0 z-40 bg-black/40"
      contentClassName="fade-in fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-dialog border border-line bg-raised shadow-xl"
    >
      <Command.Input
        value={text}
        onValueChange={(written) => {
          setText(written)
          setChosen("")
        }}
        placeholder="Search tools, go to a page, act…"
        className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-2">
        <Command.Empty className="px-2 py-6 text-center text-secondary">
          {tools.isFetching ? "Searching…" : `Nothing fits “${query}”.`}
        </Command.Empty>
        {pages.length === 0 ? null : (
          <Command.Group heading={<Heading>Go to</Heading>}>
            {pages.map(({ to, label, icon: Icon }) => (
              <Command.Item key={to} value={`page ${to}`} onSelect={() => run(() => void navigate({ to }))} className={row}>
                <Icon size={15} aria-hidden="true" /> {label}
              </Command.Item>
            ))}
          </Command.Group>
        )}
        <Actions heading="Actions" actions={actions} onRun={(act) => run(() => act(navigate))} />
        {recent.length === 0 ? null : (
          <Command.Group heading={<Heading>Recent executions</Heading>}>
            {recent.map(({ id, line, createdAt }) => (
              <Command.Item
                key={id}
                value={`execution ${id}`}
                onSelect={() => run(() => void navigate({ to: "/executions/$id", params: { id } }))}
                className={row}
              >
                <SquareTerminal size={15} aria-hidden="true" className="shrink-0" />
                <Mono className="min-w-0 flex-1 truncate">{line}</Mono>
                <span className="shrink-0 text-sm text-secondary">
                  <Time at={createdAt} />
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {found.length === 0 ? null : (
          <Command.Group heading={<Heading>Tools</Heading>}>
            {found.map(({ path, description }) => (
              <Command.Item
                key={path}
                value={`tool ${path}`}
                onSelect={() => run(() => void navigate({ to: "/registry", search: { tool: path } }))}
                className={row}
              >
                <Mono className="shrink-0">{path}</Mono>
                <Line className="truncate text-secondary">{description ?? ""}</Line>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        <Actions heading="With the first tool" actions={ofFound} onRun={(act) => run(() => act(navigate))} />
      </Command.List>
    </Command.Dialog>
  )
}

type ActionsProps = {
  readonly heading: string
  readonly actions: readonly PaletteAction[]
  readonly onRun: (act: PaletteAction["act"]) => void
}

const Actions = ({ heading, actions, onRun }: ActionsProps): ReactNode =>
  actions.length === 0 ? null : (
    <Command.Group heading={<Heading>{heading}</Heading>}>
      {actions.map(({ label, icon: Icon, act }) => (
        <Command.Item key={label} value={`action ${label}`} onSelect={() => onRun(act)} className={row}>
          <Icon size={15} aria-hidden="true" className="shrink-0" /> <span className="min-w-0 break-all">{label}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )

const Heading = ({ children }: { readonly children: string }): ReactNode => (
  <div className="px-2 pt-2 pb-1 text-xs font-medium text-tertiary">{children}</div>
)
