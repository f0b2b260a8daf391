// How buttons and links that act look.
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger"

const looks: Record<ButtonKind, string> = {
  primary: "bg-solid text-white hover:bg-solid-hover",
  secondary: "border border-control bg-raised text-text hover:bg-hover",
  quiet: "text-secondary hover:bg-hover hover:text-text",
  danger: "bg-danger-solid text-white hover:bg-danger-solid-hover",
}

const shape = "control-height inline-flex items-center justify-center gap-1.5 rounded-control px-2.5 font-medium whitespace-nowrap"

export const buttonLook = (kind: ButtonKind): string => `${shape} ${looks[kind]}`
