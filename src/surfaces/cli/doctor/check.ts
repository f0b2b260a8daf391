// What one look of the doctor found: that it is well, that it is odd, or that it is broken with what to do.

export type Check =
  | { readonly name: string; readonly status: "ok"; readonly message: string }
  | { readonly name: string; readonly status: "warning" | "problem"; readonly message: string; readonly fix: string }

export const well = (name: string, message: string): Check => ({ name, status: "ok", message })
export const odd = (name: string, message: string, fix: string): Check => ({ name, status: "warning", message, fix })
export const broken = (name: string, message: string, fix: string): Check => ({ name, status: "problem", message, fix })

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
