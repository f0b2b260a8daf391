// Credentials of a tenant for built-ins and registry tools; their values go in and never come out.

export type TenantCredentialView = {
  readonly id: string
  readonly category: string
  readonly providerKey: string
  readonly providerVariant: string | null
  readonly label: string
  /** The names of its values. */
  readonly values: Readonly<Record<string, "***">>
  /** The only address that it is sent to; null: the provider's own. */
  readonly endpoint: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** `values.endpoint` is no secret: it becomes `endpoint`. */
export type TenantCredentialCreate = {
  readonly category: string
  readonly providerKey: string
  readonly providerVariant?: string | null
  readonly label: string
  readonly values: Readonly<Record<string, string>>
}

export type TenantCredentialUpdate = Partial<TenantCredentialCreate>
