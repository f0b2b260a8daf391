// Keys that work on every page, unless somebody is typing, or a dialog or menu lies over it.
import { useEffect } from "react"

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** What lies over the page has keys of its own: nothing below it is answered or left by one. */
const isCovered = (): boolean => document.querySelector("[role=dialog], [role=menu]") !== null

/** Single keys (`"?"`), or two in a row (`"g i"`). The caller keeps `actions` the same between draws. */
export function useKeys(actions: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  useEffect(() => {
    let before = ""
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isCovered()) return
      const action = actions[`${before} ${event.key}`] ?? actions[event.key]
      before = action === undefined ? event.key : ""
      if (action === undefined) return
      event.preventDefault()
      action(event)
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [actions])
}
