/** Verifies the connections: the key of each open one can be opened, in its own row; a closed one has no key. */
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { canOpenSealed } from '../../db/seal.ts'
import { connectionsOf, keySealContext } from './connection/rows.ts'

export async function verifyErpKeys(ctx: Ctx): Promise<Proof> {
  return proveRows(await connectionsOf(ctx), ({ public_id, book_id, sealed_key, state }) => {
    if (sealed_key === null)
      return state === 'disconnected' ? null : `${public_id} is ${state} and has no key.`
    return canOpenSealed(ctx.env.store.sealer, sealed_key, keySealContext(public_id, book_id))
      ? null
      : `The key of ${public_id} does not open.`
  })
}
