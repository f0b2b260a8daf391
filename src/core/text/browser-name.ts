// Names the browser and the system that a user agent claims to be, as far as people tell them apart.

/** The first that fits: most browsers also claim to be those below. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
]

/** What is unknown stays as it is. */
export function browserName(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((some) => some.find(([pattern]) => pattern.test(userAgent))?.[1])
  return browser === undefined ? userAgent : system === undefined ? browser : `${browser} on ${system}`
}
