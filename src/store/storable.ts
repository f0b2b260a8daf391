// What text becomes before either database stores it.

/** PostgreSQL has no NUL in text; a stranger's text must neither fail there nor differ from SQLite's. */
export const storable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value
