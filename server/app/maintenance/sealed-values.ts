/** Every sealed value of the books, for what gives them another key. */
import { SEALED_CERTIFICATE_KEYS } from './certificates/index.ts'
import { SEALED_LOCK_CODE } from './desk/index.ts'
import { SEALED_ERP_KEYS } from './erp/index.ts'
import { SEALED_REPLIES } from './idempotency/index.ts'
import { SEALED_KEY_FACTS } from './keys/index.ts'
import { SEALED_MAIL_PASSWORDS } from './mail/index.ts'
import type { Connection } from './store/connection.ts'
import { resealColumns } from './store/sealed-columns.ts'
import type { SealedColumn } from './store/sealed-columns.ts'
import { sealerOf } from './store/seal.ts'
import { SEALED_WEBHOOK_SECRETS } from './webhooks/index.ts'

/** Each slice names its own; `test/server/key-change.test.ts` finds a value that is in none. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_CERTIFICATE_KEYS,
  SEALED_ERP_KEYS,
  SEALED_KEY_FACTS,
  SEALED_LOCK_CODE,
  SEALED_MAIL_PASSWORDS,
  SEALED_REPLIES,
  ...SEALED_WEBHOOK_SECRETS,
]

/** Seals every value of a copy of the books for another key. Answers how many; throws when one does not open. */
export function resealBooks(connection: Connection, from: Uint8Array, to: Uint8Array): number {
  return resealColumns(connection, SEALED_COLUMNS, sealerOf(from), sealerOf(to))
}
