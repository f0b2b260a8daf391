// Tells by its name whether a field holds a secret.

/** Names such as `x-api-key`, `accessToken` and `client_secret`; not `max_tokens`. */
export function isSensitiveKey(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some(
    (word, at) =>
      ["token", "secret", "password", "passwd", "authorization", "apikey"].includes(word) ||
      ((word === "api" || word === "private") && words[at + 1] === "key"),
  )
}
