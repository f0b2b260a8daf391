// Percent-encoding: which characters stand for themselves in a value, a name and a cookie.

const strictExtras = /[!'()*]/g
const encodeExtra = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Everything but unreserved characters, as RFC 6570 expands a value. */
export const encodeValue = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(strictExtras, encodeExtra)

const readableInNames = /%(?:24|40|3A|2F|2C)/g

/** A name keeps `$ @ : / ,`, because upstreams compare names such as `$filter` without decoding them. */
export const encodeName = (text: string): string => encodeValue(text).replace(readableInNames, decodeURIComponent)

const keptReserved = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/g
const existingEscapes = /%25(?=[0-9A-Fa-f]{2})/g

/** Keeps reserved characters and existing escapes, except those that would end the value or the query: `# & + [ ]`. */
export const encodeReserved = (text: string): string =>
  encodeValue(text).replace(keptReserved, decodeURIComponent).replace(existingEscapes, "%")

// eslint-disable-next-line no-control-regex -- control characters are what must not pass
const notInCookies = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g

/** Only what a cookie value cannot hold, because many upstreams compare cookies without decoding them. */
export const encodeCookie = (text: string): string => text.toWellFormed().replace(notInCookies, encodeValue)

// eslint-disable-next-line no-control-regex -- as above
const controlCharacters = /[\x00-\x08\x0a-\x1f\x7f]/

export const hasControlCharacters = (text: string): boolean => controlCharacters.test(text)
