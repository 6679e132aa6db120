/** Companies of the Basque provinces in the product, and the sending of their test books. */
import { findCompany } from '../../../server/company/index.ts'
import { taxpayerOf } from '../../../server/registry/chain/append.ts'
import type { Authority } from '../../../server/registry/queue/authority.ts'
import { authorityOf } from '../../../server/registry/queue/jobs.ts'
import { sendDueRecords } from '../../../server/registry/queue/sender.ts'
import { unpackXml } from '../../../server/registry/systems/packing.ts'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import type { TestBooks } from '../books.ts'

export interface Place {
  province: 'araba' | 'bizkaia' | 'gipuzkoa'
  postalCode: string
  registry: string
}

export const PLACES: readonly Place[] = [
  { province: 'araba', postalCode: '01001', registry: 'signed-01' },
  { province: 'gipuzkoa', postalCode: '20001', registry: 'signed-20' },
  { province: 'bizkaia', postalCode: '48001', registry: 'signed-48' },
]

/** A company; with a code of an activity a person's. */
export const basqueCompany = (postalCode: string, activityCode?: string) => ({
  legalName: activityCode === undefined ? 'Ibaizabal Arotzak, S.L.' : 'Lejardi Arriola, Ane',
  nif: activityCode === undefined ? 'B12345674' : '12345678Z',
  territory: 'basque' as const,
  address: { street: 'Kale Nagusia, 1', postalCode, city: 'Hiria', province: 'Euskadi', country: 'ES' },
  ...(activityCode === undefined ? {} : { activityCode }),
})

/** Does the next thing the queue of the test book asks for; returns how many records were settled. */
export async function sendOnce(world: TestBooks, authority?: Authority<unknown>): Promise<number> {
  const { settled } = await sendDueRecords(world.test, {
    authority: authority ?? (await authorityOf(world.test)),
    issuer: taxpayerOf(await findCompany(world.test)),
    onStatus: setRegistryStatus,
    random: () => 0.5,
  })
  return settled
}

/** Sends until nothing more is settled. */
export async function sendAll(world: TestBooks): Promise<number> {
  let settled = 0
  for (;;) {
    const now = await sendOnce(world)
    if (now === 0) return settled
    settled += now
  }
}

/** Returns the records of the test book in the order of their sequence. */
export async function recordsOf(world: TestBooks) {
  const rows = await world.test.db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .select([
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.xml',
      'registry_records.link',
      'registry_submissions.status',
      'registry_submissions.authority_code',
      'registry_submissions.conflict',
      'registry_submissions.csv_lost',
    ])
    .where('registry_records.book_id', '=', world.books.test.id)
    .orderBy('registry_records.sequence')
    .execute()
  return rows.map(({ xml, ...row }) => ({ ...row, text: unpackXml(xml) }))
}
