// Gives every definition a TypeScript name: readable, unique in its scope, never one that means something else.

export type Names = {
  /** A free name made of the given one. It is taken from then on. */
  take(wanted: string): string
}

const nameCharsMax = 60

/** `taken`: names that the surrounding text uses itself. */
export function createNames(taken: readonly string[] = []): Names {
  const used = new Set<string>(taken)
  const suffixes = new Map<string, number>()
  const take = (name: string): string => {
    used.add(name)
    return name
  }
  return {
    take(wanted) {
      for (const candidate of candidates(wanted)) if (!used.has(candidate)) return take(candidate)
      const base = identifier(wanted)
      let suffix = suffixes.get(base) ?? 2
      while (used.has(`${base}${suffix}`)) suffix++
      suffixes.set(base, suffix + 1)
      return take(`${base}${suffix}`)
    },
  }
}

/** Of `io.k8s.api.core.v1.Pod` the shortest free ending is the name: `Pod`, then `V1Pod`, then longer ones. */
function* candidates(wanted: string): Generator<string> {
  const segments = wanted.slice(-segmentCharsMax).split(".")
  for (let from = segments.length - 1; from >= Math.max(0, segments.length - segmentsMax); from--) {
    const ending = segments.slice(from).join(".")
    if (startsWithLetter(ending)) yield identifier(ending)
  }
  yield identifier(wanted)
}
const segmentCharsMax = 300
const segmentsMax = 6

const startsWithLetter = (text: string): boolean => /^[A-Za-z]/.test(text) || /^\p{L}/u.test(text)

/** Scripts whose letters every TypeScript release knows, within the basic plane. */
const otherThanLetters =
  /[^A-Za-z0-9\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/u
// Most names are plain, and these take a hundredth of the time to prepare.
const plainText = /^[ -~]*$/
const otherThanPlainLetters = /[^A-Za-z0-9]+/
const letterOrDigit = /^[\p{L}\p{Nd}]+$/u

/** `minimal-repository` becomes `MinimalRepository`. */
export function identifier(text: string): string {
  const start = text.slice(0, segmentCharsMax)
  const isPlain = plainText.test(start)
  let name = ""
  for (const part of start.split(isPlain ? otherThanPlainLetters : otherThanLetters)) {
    if (part === "" || (!isPlain && (!letterOrDigit.test(part) || hasAstral(part)))) continue
    name += part.charAt(0).toUpperCase() + part.slice(1)
    if (name.length >= nameCharsMax) break
  }
  name = name.slice(0, nameCharsMax)
  if (name === "") return "Schema"
  if (name.charCodeAt(0) >= 0x30 && name.charCodeAt(0) <= 0x39) name = `_${name}`
  return reserved.has(name) ? `${name}_` : name
}

function hasAstral(text: string): boolean {
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xf800) === 0xd800) return true
  return false
}

/**
 * Names that have a meaning of their own in the language, in its libraries or in the printed text. Keywords
 * and primitive types begin with a small letter and names here never do, so they need no entry.
 */
const reserved: ReadonlySet<string> = new Set(
  `AggregateError Array ArrayBuffer ArrayBufferLike ArrayBufferView ArrayIterator ArrayLike AsyncDisposable AsyncGenerator AsyncIterable
  AsyncIterator Atomics Awaited BigInt Boolean CallableFunction Capitalize ClassDecorator ConstructorParameters DataView Date
  Disposable DisposableStack Error ErrorOptions EvalError Exclude Extract Function Generator IArguments ImportAttributes ImportMeta
  Infinity InstanceType Intl Iterable IterableIterator Iterator IteratorResult JSON Lowercase Map Math MethodDecorator NaN
  NewableFunction NoInfer NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike PropertyDecorator
  PropertyDescriptor PropertyKey Proxy RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp
  Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError Temporal ThisType TypeError URIError Uncapitalize Uppercase
  WeakKey WeakMap WeakRef WeakSet
  Algorithm Animatable Animation Attr Audio Blob Body Buffer Cache Client Clients Clipboard Comment Console Credential Crypto Document
  Element Event EventTarget External File Gamepad Geolocation Headers Highlight History Image Keyframe Location Lock Navigation
  Navigator Node Notification Option Performance Permissions Plugin Range Report Request Response Sanitizer Scheduler Screen
  Selection Storage Text Touch Transferable Window Worker Worklet URL FormData
  Input Output Tools ToolCall ToolResult ToolError ToolFile`.split(/\s+/),
)
