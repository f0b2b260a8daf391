// Finds the values in a request, such as paths, dates and coordinates: their kind tells what a tool must take, their words name no subject.

export type ReadValues = {
  /** The request with a space for each value. */
  readonly rest: string
  /** The words of the values themselves. */
  readonly values: readonly string[]
  /** What tools call what they take, for each kind of value that was found. */
  readonly kinds: readonly string[]
}

const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"

/** By what a file's ending says of its content; any other is a file. */
const contents: readonly (readonly [endings: RegExp, names: string])[] = [
  [/^(?:xlsx?|ods)$/, "file excel spreadsheet"],
  [/^(?:csv|tsv)$/, "file data csv"],
  [/^(?:docx?|odt|rtf)$/, "file word document"],
  [/^pptx?$/, "file presentation powerpoint"],
  [/^pdf$/, "file pdf document"],
  [/^(?:png|jpe?g|gif|webp|svg|bmp|tiff?)$/, "file image"],
  [/^(?:mp4|mov|avi|mkv|webm)$/, "file video"],
  [/^(?:mp3|wav|flac|ogg|m4a)$/, "file audio"],
  [/^(?:md|txt|log|ya?ml|json|xml|html?|toml|ini|conf)$/, "file text content"],
]
const endings = [...contents.map(([known]) => known.source.slice(1, -1)), "py|js|ts|java|go|rs|c|cpp|sh|sql|db|zip|gz|tar"].join("|")

/** Earlier ones are looked for first: a URL has a path, and a path may have a date. */
const kinds: readonly (readonly [pattern: RegExp, names: string | ((value: string) => string)])[] = [
  [/\b(?:https?|ftp):\/\/[^\s)\]>"']+/gi, "url link website page"],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g, "email address"],
  [/(?<![\w/])(?:~|\.{1,2})?(?:\/[\w.*@-]+)+\/?|\b[A-Za-z]:\\[^\s"']+/g, fileNames],
  [new RegExp(`(?<![\\w.])[\\w*-]+(?:\\.[\\w-]+)*\\.(?:${endings})\\b`, "gi"), fileNames],
  [/\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|gov|edu|co|uk|de|fr|ai|app|info)\b/gi, "domain website url"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, "ip address"],
  [/-?\d{1,3}\.\d{2,}[\s°NS,]{0,8}(?:and\s{1,8})?-?\d{1,3}\.\d{2,}(?:[\s°]{0,8}[EW]\b)?/g, "latitude longitude coordinate location"],
  [
    new RegExp(
      `\\b(?:\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}|(?:${months})\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?(?:${months})(?:,?\\s+\\d{4})?|(?:${months})\\s+\\d{4})\\b`,
      "gi",
    ),
    "date day time",
  ],
  [/\b\d{1,2}:\d{2}(?:\s*[ap]m)?\b|\b\d{1,2}\s*[ap]m\b/gi, "time hour"],
  [/[$€£¥]\s?\d[\d,.]*|\b\d[\d,.]*\s?(?:usd|eur|gbp|dollars|euros)\b/gi, "price amount currency"],
  [/\b(?:19|20)\d\d\b/g, "year date"],
  [/\b(?:\d+|one|two|three|few)[ -](day|week|month|year|hour|minute)s?\b/gi, "days period"],
  [/\b(?:[a-z]+_)*(?=[a-z0-9-]*\d)(?=[a-z0-9-]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*(?<=[a-z0-9-]{8,})\b/gi, "id"],
]

function fileNames(value: string): string {
  const ending = /\.(\w+)$/.exec(value)?.[1]?.toLowerCase() ?? ""
  return contents.find(([known]) => known.test(ending))?.[1] ?? (ending === "" ? "path directory file" : "file path")
}

/** A name after one of these words is mostly a place. */
const place = /\b(?:in|near|at|from|to|around|for|visit|visiting)\s+[A-Z]\p{Ll}+/u

export function valuesIn(text: string): ReadValues {
  const values: string[] = []
  const found = new Set<string>()
  let rest = text
  for (const [pattern, names] of kinds)
    rest = rest.replaceAll(pattern, (value) => {
      values.push(value)
      for (const name of (typeof names === "string" ? names : names(value)).split(" ")) found.add(name)
      return " "
    })
  // The name itself may be that of an integration, and stays.
  if (place.test(rest)) for (const name of ["location", "city"]) found.add(name)
  return { rest, values, kinds: [...found] }
}
