// Dialogs and drawers: the page behind waits, Escape closes, the focus returns.
import type { ComponentProps, ReactNode } from "react"
import { useRef } from "react"
import { Dialog as Radix } from "radix-ui"
import { X } from "lucide-react"

type DialogProps = {
  readonly title: string
  /** One sentence below the title. */
  readonly about?: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const close = (
  <Radix.Close
    aria-label="Close"
    className="control-height inline-flex min-w-7 items-center justify-center rounded-control text-secondary hover:bg-hover"
  >
    <X size={16} aria-hidden="true" />
  </Radix.Close>
)

const Head = ({ title, about }: Pick<DialogProps, "title" | "about">): ReactNode => (
  <div className="flex items-start justify-between gap-3 border-b border-line px-4 py-3">
    <div className="min-w-0">
      <Radix.Title className="text-lg font-semibold break-words">{title}</Radix.Title>
      {about === undefined ? null : (
        <Radix.Description asChild>
          <div className="text-secondary">{about}</div>
        </Radix.Description>
      )}
    </div>
    {close}
  </div>
)

type ContentProps = Pick<ComponentProps<typeof Radix.Content>, "onOpenAutoFocus" | "onCloseAutoFocus" | "onInput" | "onInteractOutside">

/** Where the focus of a dialog begins: on the first of them, else on what closes. On a phone a keyboard would cover half of it. */
const fields = "input:not([type=radio], [type=checkbox], [type=file], :disabled, [readonly]), textarea:not(:disabled, [readonly])"
const isPointerFine = matchMedia("(pointer: fine)")

const isMessage = (target: EventTarget | null): boolean => target instanceof Element && target.closest("[data-messages]") !== null

/**
 * These dialogs open without a trigger of Radix, which would take the focus back otherwise. A click beside one in which
 * something was typed does not throw that away, nor does closing a message close it.
 */
function useContentProps(isForm: boolean): ContentProps {
  const before = useRef<Element | null>(null)
  const isTyped = useRef(false)
  return {
    onInput: () => {
      isTyped.current = true
    },
    onInteractOutside: (event) => (isTyped.current || isMessage(event.target) ? event.preventDefault() : undefined),
    onOpenAutoFocus: (event) => {
      before.current = document.activeElement
      isTyped.current = false
      const field =
        isForm && isPointerFine.matches && event.target instanceof Element ? event.target.querySelector<HTMLElement>(fields) : null
      if (field === null) return
      event.preventDefault()
      field.focus()
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}

/** As high as what it belongs to: of a dialog over a drawer, it covers the drawer. */
const overlay = <Radix.Overlay className="fade-in fixed inset-0 z-50 bg-black/40" />

export const Dialog = ({
  title,
  about,
  isOpen,
  onClose,
  isWide = false,
  children,
}: DialogProps & { readonly isWide?: boolean }): ReactNode => (
  <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
    <Radix.Portal>
      {overlay}
      <Radix.Content
        {...useContentProps(true)}
        {...(about === undefined ? { "aria-describedby": undefined } : {})}
        className={`fade-in fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-dialog border border-line bg-raised shadow-xl ${isWide ? "max-w-4xl" : "max-w-lg"}`}
      >
        <Head title={title} about={about} />
        <div className="min-h-0 overflow-y-auto p-4">{children}</div>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** At the right edge; the whole page on a phone. */
export const Drawer = ({ title, about, isOpen, onClose, children }: DialogProps): ReactNode => (
  <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
    <Radix.Portal>
      {overlay}
      <Radix.Content
        {...useContentProps(false)}
        {...(about === undefined ? { "aria-describedby": undefined } : {})}
        className="slide-in fixed inset-y-0 right-0 z-50 flex w-full flex-col border-l border-line bg-raised shadow-xl min-[900px]:w-[560px]"
      >
        <Head title={title} about={about} />
        <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

export const DialogActions = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className="mt-4 flex flex-wrap justify-end gap-2">{children}</div>
)
