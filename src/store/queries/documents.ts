// Source documents, compressed, by the hash of their text.
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import { sha256Of } from "../../io/ids.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { DocumentRows } from "../store.ts"

// These run outside the main thread: a document has up to 32 MB.
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const bytesPerPiece = 1024 * 1024

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += bytesPerPiece) yield bytes.subarray(at, at + bytesPerPiece)
}

export function documentQueries({ kysely }: Builder): (session: Session) => DocumentRows {
  const find = prepare(["tenant", "hash"], ({ tenant, hash }) =>
    kysely.selectFrom("documents").select("compressed").where("tenant_id", "=", tenant).where("document_hash", "=", hash),
  )
  const exists = prepare(["tenant", "hash"], ({ tenant, hash }) =>
    kysely.selectFrom("documents").select("document_hash").where("tenant_id", "=", tenant).where("document_hash", "=", hash),
  )

  return (session) => ({
    async get(scope, hash) {
      const [row] = await session.all(find({ tenant: scope.tenant, hash }))
      return row ? (await decompress(row.compressed)).toString() : null
    },

    async put(scope, text) {
      const bytes = Buffer.from(text)
      const document_hash = await sha256Of(piecesOf(bytes))
      const isStored = async (where: Session): Promise<boolean> =>
        (await where.all(exists({ tenant: scope.tenant, hash: document_hash }))).length > 0
      const compressed = (await isStored(session)) ? null : await compress(bytes)
      await atomicIn(session, scope.tenant, async (transaction) => {
        if (await isStored(transaction)) return
        // It was there a moment ago and has been collected since.
        const content = compressed ?? (await compress(bytes))
        const query = kysely.insertInto("documents").values({ tenant_id: scope.tenant, document_hash, compressed: content })
        await transaction.change(compile(query.onConflict((conflict) => conflict.doNothing())))
      })
      return document_hash
    },
  })
}
