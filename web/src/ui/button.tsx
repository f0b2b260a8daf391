// Buttons. One that a person may not use stays visible, disabled, with the reason.
import type { ComponentProps, ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import { buttonLook } from "./button-look.ts"
import type { ButtonKind } from "./button-look.ts"
import { Tooltip } from "./tooltip.tsx"

type ButtonProps = Omit<ComponentProps<"button">, "disabled"> & {
  readonly kind?: ButtonKind
  readonly isBusy?: boolean
  /** Looks as always but takes no click for a moment, because it has just appeared. */
  readonly isGuarded?: boolean
  /** Why this cannot be done now: disables the button and is shown with it. */
  readonly reason?: string | null | undefined
}

export function Button({
  kind = "secondary",
  isBusy = false,
  isGuarded = false,
  reason = null,
  className = "",
  onClick,
  children,
  ...rest
}: ButtonProps): ReactNode {
  const isOff = isBusy || reason !== null
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff || isGuarded}
      aria-busy={isBusy}
      className={`${buttonLook(kind)} ${isOff ? "cursor-not-allowed opacity-60" : ""} ${className}`}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  )
  return reason === null ? button : <Tooltip text={reason}>{button}</Tooltip>
}

type LinkButtonProps = LinkProps & {
  readonly kind?: ButtonKind
  readonly className?: string
  /** Why nobody is led there now: it becomes a disabled button. */
  readonly reason?: string | null
  readonly children: ReactNode
}

export const LinkButton = ({ kind = "secondary", className = "", reason = null, children, ...rest }: LinkButtonProps): ReactNode =>
  reason === null ? (
    <Link {...rest} className={`no-underline ${buttonLook(kind)} ${className}`}>
      {children}
    </Link>
  ) : (
    <Button kind={kind} className={className} reason={reason}>
      {children}
    </Button>
  )

/** A button that is only a picture: its label is what it is called. */
export const IconButton = ({ label, children, ...rest }: Omit<ButtonProps, "aria-label"> & { readonly label: string }): ReactNode => (
  <Tooltip text={label}>
    <Button kind="quiet" {...rest} aria-label={label} className={`min-w-7 px-1.5 ${rest.className ?? ""}`}>
      {children}
    </Button>
  </Tooltip>
)
