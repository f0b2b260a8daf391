// The nonce of the page's policy, by which the editor may add its styles.
export const pageNonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
