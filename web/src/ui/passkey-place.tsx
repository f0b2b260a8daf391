// What is said where passkeys do not work.
import type { ReactNode } from "react"

/** As the server says it of the address at which it was asked. */
export type PasskeyOffer = { readonly kind: "works" | "off" } | { readonly kind: "elsewhere"; readonly url: string | null }

/** `path`: of the same page there. */
export function PasskeyPlace({ offer, path }: { readonly offer: PasskeyOffer; readonly path: string }): ReactNode {
  if (offer.kind !== "elsewhere") return null
  return (
    <p data-caution className="tint-warn rounded-control px-2 py-1 break-words">
      {offer.url === null ? (
        <>
          Passkeys need an address that begins with https://. Whoever runs this server sets it with <code>EXECUTOR_PUBLIC_URL</code>.
        </>
      ) : (
        <>
          Passkeys do not work at this address. Open{" "}
          <a href={offer.url + path}>
            {offer.url}
            {path.replace(/[?#].*$/s, "")}
          </a>{" "}
          instead.
        </>
      )}
    </p>
  )
}
