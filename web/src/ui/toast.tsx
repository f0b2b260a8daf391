// Short messages about what was just done; failures stay until they are closed.
import type { ReactNode } from "react"
import { useSyncExternalStore } from "react"
import { X } from "lucide-react"
import { messageOf } from "./states.tsx"
import { safeText } from "./text/text.tsx"

type Toast = { readonly id: number; readonly text: string; readonly isBad: boolean }

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
const shownMs = 5000
const keptMax = 4

function set(next: readonly Toast[]): void {
  toasts = next
  listeners.forEach((listen) => listen())
}

const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

function add(text: string, isBad: boolean): void {
  const id = count++
  set([...toasts, { id, text, isBad }].slice(-keptMax))
  if (!isBad) setTimeout(() => remove(id), shownMs)
}

export const toast = (text: string): void => add(text, false)
export const toastError = (error: unknown): void => add(messageOf(error), true)

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
      {shown.map(({ id, text, isBad }) => (
        <div
          key={id}
          role={isBad ? "alert" : "status"}
          className={`fade-in pointer-events-auto flex max-w-md items-start gap-2 rounded-card border bg-raised px-3 py-2 shadow-lg ${isBad ? "border-danger" : "border-line"}`}
        >
          <span className="stranger min-w-0 break-words">{safeText(text)}</span>
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
