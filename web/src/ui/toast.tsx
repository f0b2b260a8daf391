// Short messages about what was just done; failures stay until they are closed.
import type { ReactNode } from "react"
import { useSyncExternalStore } from "react"
import { Link } from "@tanstack/react-router"
import { X } from "lucide-react"
import { messageOf } from "./states.tsx"
import { safeText } from "./text/text.tsx"

type Toast = { readonly id: number; readonly text: string; readonly isBad: boolean; readonly executionId?: string }

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
const shownMs = 5000
/** Whoever wants to follow it needs longer. */
const linkShownMs = 10_000
const keptMax = 4

function set(next: readonly Toast[]): void {
  toasts = next
  listeners.forEach((listen) => listen())
}

const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

function add(given: Omit<Toast, "id">): void {
  const id = count++
  set([...toasts, { ...given, id }].slice(-keptMax))
  if (!given.isBad) setTimeout(() => remove(id), given.executionId === undefined ? shownMs : linkShownMs)
}

export const toast = (text: string): void => add({ text, isBad: false })
/** With a link to the execution that it is about. */
export const toastOf = (executionId: string, text: string): void => add({ text, isBad: false, executionId })
export const toastError = (error: unknown): void => add({ text: messageOf(error), isBad: true })

const subscribe = (listen: () => void): (() => void) => {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      role="region"
      data-messages
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-3 left-3 z-50 flex flex-col items-end gap-2"
    >
      {shown.map(({ id, text, isBad, executionId }) => (
        <div
          key={id}
          role={isBad ? "alert" : "status"}
          className={`fade-in pointer-events-auto flex max-w-md items-start gap-2 rounded-card border bg-raised px-3 py-2 shadow-lg ${isBad ? "border-danger" : "border-line"}`}
        >
          <span className="stranger min-w-0 break-words">{safeText(text)}</span>
          {executionId === undefined ? null : (
            <Link to="/executions/$id" params={{ id: executionId }} onClick={() => remove(id)} className="shrink-0 underline">
              See the execution
            </Link>
          )}
          <button
            type="button"
            aria-label="Close this message"
            onClick={() => remove(id)}
            className="rounded p-0.5 text-secondary hover:bg-hover"
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
    </div>
  )
}
