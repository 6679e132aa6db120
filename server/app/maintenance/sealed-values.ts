/** All sealed columns of the books, for a key change. */
import { SEALED_CERTIFICATE_KEYS } from '../../company/certificates/index.ts'
import { SEALED_UNIT_SECRETS } from '../console/index.ts'
import { SEALED_PAIRING_KEYS } from '../bundles/index.ts'
import { SEALED_LOCK_CODE } from '../app-lock/index.ts'
import { SEALED_ERP_KEYS } from '../../integrations/erp/index.ts'
import { SEALED_REPLIES } from '../../platform/idempotency/index.ts'
import { SEALED_KEY_FACTS } from '../../platform/api-keys/index.ts'
import { SEALED_MAIL_PASSWORDS } from '../../documents/mail/index.ts'
import { SEALED_SOURCE_SECRETS } from '../../purchases/incoming/sources/index.ts'
import type { Connection } from '../../db/embedded/connection.ts'
import { resealColumns } from '../../db/embedded/reseal.ts'
import type { SealedColumn } from '../../db/sealed-columns.ts'
import { sealerOf } from '../../db/seal.ts'
import { SEALED_REPLY_SECRETS } from '../../sales/replies/index.ts'
import { SEALED_WEBHOOK_SECRETS } from '../../platform/webhooks/index.ts'

/** Each slice declares its own; `test/server/app/maintenance/change-key.test.ts` finds a value in none of them. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_CERTIFICATE_KEYS,
  SEALED_ERP_KEYS,
  SEALED_KEY_FACTS,
  SEALED_LOCK_CODE,
  SEALED_MAIL_PASSWORDS,
  SEALED_PAIRING_KEYS,
  SEALED_REPLIES,
  SEALED_REPLY_SECRETS,
  SEALED_SOURCE_SECRETS,
  SEALED_UNIT_SECRETS,
  ...SEALED_WEBHOOK_SECRETS,
]

/** Seals every value of a copy of the books for another key. Returns their number; throws when one cannot be opened. */
export function resealBooks(connection: Connection, from: Uint8Array, to: Uint8Array): number {
  return resealColumns(connection, SEALED_COLUMNS, sealerOf(from), sealerOf(to))
}
