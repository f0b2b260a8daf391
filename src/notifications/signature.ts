// Signs what a webhook is sent, so that its receiver knows who sent it, and when.
import { createHmac } from "node:crypto"

export const signatureHeader = "X-Executor-Signature"

/** `t=<seconds>,v1=<HMAC-SHA256 of "t.body" in hex>`. */
export function signBody(body: string, secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`
}
