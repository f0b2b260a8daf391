// Policies: which calls run, ask or are refused, tried on one call and on those that were made.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PolicyView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { moveRule } from "./order.ts"
import { matchesQuery, policiesQuery } from "./queries.ts"
import type { PolicyFilters } from "./queries.ts"
import { RuleDialog } from "./rule-dialog.tsx"
import { RuleList } from "./rule-list.tsx"
import type { RuleActs } from "./rule-list.tsx"
import { shortPattern } from "./rule-text.tsx"
import { TryCall } from "./try-call.tsx"

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<keyof PolicyFilters>()
  const rules = useQuery(policiesQuery)
  const open = (rule: string): void => setFilters({ rule }, { isStep: true })
  const close = (): void => setFilters({ rule: undefined, pattern: undefined })
  const count = rules.data?.length
  return (
    <PageFrame
      title="Policies"
      note={count === undefined ? "" : `${count.toLocaleString("en")} ${count === 1 ? "rule" : "rules"}`}
      actions={
        <Button kind="primary" onClick={() => open("new")}>
          New rule
        </Button>
      }
    >
      <Tabs
        label="Policies"
        open={filters.tab === "try" ? "try" : "rules"}
        onOpen={(tab) => setFilters({ tab: tab === "rules" ? undefined : tab })}
        tabs={[
          {
            id: "rules",
            label: "Rules",
            content:
              rules.error !== null ? (
                <Failure error={rules.error} onRetry={() => void rules.refetch()} />
              ) : rules.data === undefined ? (
                <Skeleton />
              ) : rules.data.length === 0 ? (
                <NoRules onCreate={() => open("new")} />
              ) : (
                <Rules rules={rules.data} onEdit={open} />
              ),
          },
          {
            id: "try",
            label: "Try a call",
            content: <TryCall address={filters.address ?? ""} onAddress={(address) => setFilters({ address })} />,
          },
        ]}
      />
      {filters.rule === undefined || rules.data === undefined ? null : (
        <RuleDialog
          key={`${filters.rule} ${filters.pattern ?? ""}`}
          id={filters.rule}
          pattern={filters.pattern ?? ""}
          rules={rules.data}
          onClose={close}
        />
      )}
    </PageFrame>
  )
}

const NoRules = ({ onCreate }: { readonly onCreate: () => void }): ReactNode => (
  <Empty
    title="No rule yet"
    action={
      <Button kind="primary" onClick={onCreate}>
        New rule
      </Button>
    }
    command='executor policies add "github.**.delete*" block'
  >
    Without rules, calls that only read run at once, and everything else asks first.
  </Empty>
)

function Rules({ rules, onEdit }: { readonly rules: readonly PolicyView[]; readonly onEdit: (id: string) => void }): ReactNode {
  const missing = useMissingRight("policies.edit")
  const patterns = [...new Set(rules.map(({ pattern }) => pattern))]
  const matches = useQuery(matchesQuery(patterns))
  const counts = new Map((matches.data ?? []).map((count) => [count.pattern, count]))
  const [removed, setRemoved] = useState<PolicyView | null>(null)
  const move = useMove()
  const remove = useRemove(() => setRemoved(null))
  const own = rules.filter(({ owner }) => owner === "user")
  const shared = rules.filter(({ owner }) => owner === "org")
  const acts = (list: readonly PolicyView[]): RuleActs => ({
    onMove: (id, by) => (move.isPending ? undefined : move.mutate({ list, id, by })),
    onEdit,
    onRemove: setRemoved,
  })
  return (
    <div className="flex flex-col gap-6">
      <RuleList
        title="For everybody"
        about="The first rule that fits a call decides. Of these and somebody's own rules, the stricter one counts."
        rules={shared}
        counts={counts}
        missing={missing}
        {...acts(shared)}
      />
      <RuleList
        title="Only for you and your agents"
        about="Your own rules. They can make a call stricter than the rules for everybody, never laxer."
        rules={own}
        counts={counts}
        missing={null}
        {...acts(own)}
      />
      {removed === null ? null : (
        <Confirm
          title={`Remove the rule ${safeLine(shortPattern(removed.pattern))}`}
          action="Remove the rule"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(removed.id)}
          onClose={() => setRemoved(null)}
        >
          From the next call on, the rules below it decide. The audit keeps what it said.
        </Confirm>
      )}
    </div>
  )
}

function useMove() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ list, id, by }: { readonly list: readonly PolicyView[]; readonly id: string; readonly by: -1 | 1 }) => {
      for (const move of moveRule(list, id, by)) await client.policies.update(move.id, { position: move.position })
    },
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: ["policies"] }),
  })
}

function useRemove(done: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.policies.remove(id),
    onSuccess: async () => {
      toast("The rule is removed")
      done()
      await queries.invalidateQueries({ queryKey: ["policies"] })
    },
    onError: toastError,
  })
}
