// An organisation on this server, as whoever runs the server sees it.

export type TenantView = { readonly id: string; readonly createdAt: string }

export type TenantCreate = { readonly id: string }

/** `token` is that of the tenant's first admin; it is shown once. */
export type TenantCreated = TenantView & { readonly admin: string; readonly tokenId: string; readonly token: string }
