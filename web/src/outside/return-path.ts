// Where somebody goes once they are signed in: only to a path of this server, whatever a link says.

export function returnPath(text: string | null): string | null {
  if (text === null || !/^\/(?![/\\])/.test(text)) return null
  const url = URL.parse(text, location.origin)
  return url !== null && url.origin === location.origin ? url.pathname + url.search : null
}

export const homePath = "/inbox"
