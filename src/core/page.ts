// How every list is cut into pages.

export type PageRequest = { readonly limit?: number; readonly cursor?: string }
export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null }
