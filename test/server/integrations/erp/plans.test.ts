/** Frequent queries use indexes, however many records there are. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openStage } from '../../../support/erp/erp-stage.ts'

const PLANS = {
  'how many documents there are': `select side, count(*) from erp_documents where connection_id = 1 group by side`,
  'how many are gone': `select count(*) from erp_documents where connection_id = 1 and missing_since is not null`,
  'a record by its identity': `select id from erp_documents where connection_id = 1 and external_kind = 'invoice' and external_id = 'x'`,
  'a list by day': `select * from erp_documents where connection_id = 1 and side = 'issued' order by list_date desc, id desc limit 50`,
  'the oldest open one': `select min(list_date) from erp_documents where connection_id = 1 and side = 'issued' and state = 'approved' and payment_state in ('unpaid', 'partial') and missing_since is null`,
  'the tax number of a party': `select tax_id from erp_contacts where connection_id = 1 and tax_id = 'B12345674'`,
  'calls of a month': `select count(*) from erp_calls where connection_id = 1 and month = 202611`,
  'purchases of a quarter': `select count(*) from erp_documents where connection_id = 1 and side = 'received' and list_date >= '2026-04-01' and list_date <= '2026-06-30'`,
  'the same received invoice': `select id from received_invoices where book_id = 1 and number_key = 'A1' and number_key <> '' and state = 'entered' and (supplier_nif = 'B1' or external_ref = 'x')`,
}

test('no frequent query scans or sorts a whole table', async () => {
  const { world } = await openStage()
  for (const [name, query] of Object.entries(PLANS)) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(
      world.env.store.reader,
    )
    const plan = rows.map(({ detail }) => detail).join('; ')
    expect(plan, name).toMatch(/USING (?:COVERING )?INDEX/)
    expect(plan, name).not.toMatch(/SCAN (?!.*USING)|TEMP B-TREE/)
  }
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(
    PLANS['how many documents there are'],
  )}`.execute(world.env.store.reader)
  expect(rows[0]!.detail).toContain('COVERING')
})
