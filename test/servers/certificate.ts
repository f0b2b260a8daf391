// Makes certificates for tests: an authority, and what it signs, on P-256, written as DER by hand.
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import type { KeyObject } from "node:crypto"
import { isIPv4 } from "node:net"

export type Issued = { readonly cert: string; readonly key: string }
type Validity = { readonly from?: Date; readonly to?: Date }

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => element(0x30, ...parts)
const octets = (content: Uint8Array): Buffer => element(0x04, content)
const identifier = (hex: string): Buffer => element(0x06, Buffer.from(hex, "hex"))
const yes = element(0x01, Buffer.from([0xff]))
const time = (date: Date): Buffer => element(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, "")))
const commonName = (name: string): Buffer => sequence(element(0x31, sequence(identifier("550403"), element(0x0c, Buffer.from(name)))))
const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(identifier(id), ...(isCritical ? [yes] : []), octets(value))
const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"))

const alternativeName = (name: string): Buffer =>
  isIPv4(name) ? element(0x87, Buffer.from(name.split(".").map(Number))) : element(0x82, Buffer.from(name))

function certify(subject: string, issuer: string, key: KeyObject, signer: KeyObject, extensions: Buffer[], validity: Validity): string {
  const day = 86_400_000
  const { from = new Date(Date.now() - day), to = new Date(Date.now() + 90 * day) } = validity
  const content = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(from), time(to)),
    commonName(subject),
    key.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(...extensions)),
  )
  const signature = element(0x03, Buffer.from([0]), sign("sha256", content, signer))
  const text = sequence(content, ecdsaWithSha256, signature).toString("base64")
  return `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`
}

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" })
const pem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString()

export function makeAuthority(name = "Test authority"): Issued & { issue(names: readonly string[], validity?: Validity): Issued } {
  const own = newKey()
  const isAuthority = extension("551d13", true, sequence(yes))
  const cert = certify(name, name, own.publicKey, own.privateKey, [isAuthority], {})
  const key = pem(own.privateKey)
  return {
    cert,
    key,
    issue(names, validity = {}) {
      const leaf = newKey()
      const forNames = extension("551d11", false, sequence(...names.map(alternativeName)))
      const forServers = extension("551d25", false, sequence(identifier("2b06010505070301")))
      const issued = certify(names[0] ?? "", name, leaf.publicKey, createPrivateKey(key), [forNames, forServers], validity)
      return { cert: issued, key: pem(leaf.privateKey) }
    },
  }
}
