// How a text becomes the value of a header.

/** A header carries bytes; what is beyond Latin-1 travels as the bytes of its UTF-8 form. */
export const headerText = (text: string): string => (beyondLatin1.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text)

const beyondLatin1 = /[\u0100-\uffff]/
