/** Sealed values of pairings, for a change of the key. */
import type { SealedColumn } from '../../../db/sealed-columns.ts'

/** Returns the place that the private keys of a pairing are sealed for. */
export const pairingPlace = (publicId: string): string => `bundle_pairings|secret_keys|${publicId}`

export const SEALED_PAIRING_KEYS: SealedColumn = {
  table: 'bundle_pairings',
  column: 'secret_keys',
  key: ['public_id'],
  place: ({ public_id }) => pairingPlace(String(public_id)),
}
