// JSON pointers: how places in a document are named.

export const pointerToken = (name: string): string => (/[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name)

export const pointerJoin = (pointer: string, ...names: readonly string[]): string =>
  names.reduce((joined, name) => `${joined}/${pointerToken(name)}`, pointer)

export const pointerNames = (pointer: string): string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

/** A fragment as documents write it: percent-encoded, if its author remembered. */
export function fragmentDecode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
