// The playground itself: what is written, how it is run, and which run is shown.
import type { ReactNode } from "react"
import { Suspense, lazy, useCallback, useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { ExecutionView } from "toolplane/client"
import { Play } from "lucide-react"
import { client } from "../../api/client.ts"
import { queryClient } from "../../api/query.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { commandKey } from "../../ui/command-key.ts"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Skeleton, messageOf } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Prose } from "../../ui/text/text.tsx"
import { executionQuery } from "../executions/queries.ts"
import { CopyMenu } from "./copy/copy-menu.tsx"
import type { Subject } from "./copy/copy-as.ts"
import { codeOf, readArgs } from "./form/args.ts"
import { RecordSwitch } from "./record-switch.tsx"
import type { TypesState } from "./types/use-types.ts"
import { TypesChip } from "./types-chip.tsx"
import { useDraft } from "./use-draft.ts"
import { useFailed } from "./use-failed.ts"

/** Each is loaded when it is shown. */
const Editor = lazy(() => import("./editor/editor.tsx"))
const FormTab = lazy(() => import("./form/form-tab.tsx"))
const RunPanel = lazy(() => import("./run-panel.tsx"))

export type PlaygroundFilters = "tab" | "tool" | "from" | "record" | "execution" | "out" | "call" | "detail"

/** It finds something also where nothing is connected yet. */
const firstCode = `// Every tool is a function: type "tools." to see which there are.
const { items } = await tools.search({ query: "what time is it" })
return items.map(({ path, description }) => ({ path, description }))
`

type PlaygroundProps = { readonly user: string; /** Whose code it begins with. */ readonly source: ExecutionView | null }

export function Playground({ user, source }: PlaygroundProps): ReactNode {
  const [{ tab, tool, execution: id, out, call, detail, record }, set] = useFilters<PlaygroundFilters>()
  const isForm = tab === "form"
  const [code, setCode] = useDraft(`${user}:code:${source?.executionId ?? ""}`, source?.code ?? firstCode)
  const [argsText, setArgsText] = useDraft(`${user}:args:${tool ?? ""}`, "")
  const [types, setTypes] = useState<TypesState>("loading")
  const subject = isForm
    ? formSubject(tool, argsText)
    : { subject: { code, tool: null }, reason: code.trim() === "" ? "There is no code" : null }
  const run = useMutation({
    mutationFn: ({ code: asked }: Subject) =>
      client.run(asked, { wait: false, ...(source === null || isForm || record === "off" ? {} : { replayOf: source.executionId }) }),
    onSuccess: ({ executionId }) => {
      void queryClient.prefetchQuery(executionQuery(executionId))
      set({ execution: executionId, out: undefined, call: undefined, detail: undefined })
    },
  })
  const start = useCallback(() => {
    if (subject.reason === null && !run.isPending) run.mutate(subject.subject)
  }, [subject, run])
  const failed = useFailed(id, code)
  const tabs = [
    {
      id: "code",
      label: "Code",
      content: (
        <div className="flex h-[45dvh] flex-col gap-3 min-h-52 min-[1100px]:h-[calc(100dvh-190px)]">
          {source === null ? null : (
            <RecordSwitch source={source} isOn={record !== "off"} onChange={(isOn) => set({ record: isOn ? undefined : "off" })} />
          )}
          <div className="min-h-0 flex-1">
            <Suspense fallback={<Skeleton rows={8} />}>
              <Editor code={code} failed={failed} onChange={setCode} onRun={start} onTypes={setTypes} />
            </Suspense>
          </div>
        </div>
      ),
    },
    {
      id: "form",
      label: "Form",
      content: (
        <Suspense fallback={<Skeleton />}>
          <FormTab
            tool={tool}
            text={argsText === "" ? null : argsText}
            onText={setArgsText}
            onTool={(path) => set({ tool: path })}
            onCode={() => {
              setCode(subject.subject.code)
              set({ tab: undefined })
            }}
          />
        </Suspense>
      ),
    },
  ]
  return (
    <PageFrame
      title="Playground"
      actions={
        <>
          {isForm ? null : <TypesChip state={types} />}
          <CopyMenu subject={subject.subject} reason={subject.reason} />
          <Button
            kind="primary"
            reason={subject.reason}
            isBusy={run.isPending}
            onClick={start}
            aria-keyshortcuts="Meta+Enter Control+Enter"
          >
            <Play size={14} aria-hidden="true" /> Run
            <kbd className="hidden text-xs min-[900px]:inline">{commandKey}↵</kbd>
          </Button>
        </>
      }
    >
      <div className="grid gap-4 min-[1100px]:min-h-0 min-[1100px]:flex-1 min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <section
          aria-label="What to run"
          className="-m-1 min-w-0 p-1 min-[1100px]:overflow-y-auto"
          onKeyDown={(event) => {
            if (!isForm || event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return
            event.preventDefault()
            start()
          }}
        >
          <Tabs
            label="What to run"
            tabs={tabs}
            open={isForm ? "form" : "code"}
            onOpen={(next) => set({ tab: next === "form" ? next : undefined })}
          />
        </section>
        <section aria-label="What became of it" className="-m-1 flex min-w-0 flex-col gap-3 p-1 min-[1100px]:overflow-y-auto">
          {run.error === null ? null : (
            <div role="alert">
              <Prose className="tint-danger rounded-control p-2">{messageOf(run.error)}</Prose>
            </div>
          )}
          {id === undefined ? (
            <Empty title="Nothing has run yet">Run it to see its calls, its console and its result here.</Empty>
          ) : (
            <Suspense fallback={<Skeleton rows={8} />}>
              <RunPanel id={id} shown={{ out, call, detail }} onShow={(shown) => set(shown)} />
            </Suspense>
          )}
        </section>
      </div>
    </PageFrame>
  )
}

type Asked = { readonly subject: Subject; readonly reason: string | null }

function formSubject(tool: string | undefined, text: string): Asked {
  if (tool === undefined) return { subject: { code: "", tool: null }, reason: "Choose a tool first" }
  const read = readArgs(text === "" ? "{}" : text)
  if ("problem" in read) return { subject: { code: "", tool: null }, reason: "The arguments are not a JSON object" }
  return { subject: { code: codeOf(tool, read.args), tool: { path: tool, args: read.args } }, reason: null }
}
