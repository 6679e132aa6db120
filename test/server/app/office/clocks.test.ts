/** Servers whose clocks differ by ten minutes: one time for records, confirmations, keys and repetitions. */
import { expect, test } from 'vitest'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { EXAMPLE_DRAFT } from '../../../support/world.ts'

const TEN_MINUTES = 600_000

test('records, history and events never go back in time, and tokens last as long on every server', async () => {
  const office = await openOfficeOf(0)
  await office.start({ monotonicMs: () => performance.now() })
  await office.start({ monotonicMs: () => performance.now() + TEN_MINUTES })
  await office.start({ monotonicMs: () => performance.now() - TEN_MINUTES })
  const { servers } = office
  const { test: book } = await office.company()
  const { key } = await office.key(book)
  const [, , last] = servers
  const ask = async (path: string, at: number, body: unknown, headers = {}) => {
    const answer = await servers[at % servers.length]!.ask('POST', path, key, { body, headers })
    expect([200, 201], answer.body).toContain(answer.statusCode)
    return JSON.parse(answer.body).data
  }
  // Each step on another server; three invoices at a time.
  const issue = async (number: number): Promise<void> => {
    const { id } = await ask('/invoices', number, EXAMPLE_DRAFT)
    const { confirmation } = await ask(`/invoices/${id}/validate`, number + 1, {})
    const { confirmationToken } = confirmation
    const left = Date.parse(confirmation.expiresAt) - Date.now()
    expect(Math.abs(left - TEN_MINUTES)).toBeLessThan(20_000)
    await ask(
      `/invoices/${id}/issue`,
      number + 2,
      { confirmationToken },
      { 'idempotency-key': `issue-${number}` },
    )
    await ask(
      `/invoices/${id}/issue`,
      number,
      { confirmationToken },
      { 'idempotency-key': `issue-${number}` },
    )
  }
  for (let round = 0; round < 4; round += 1) await Promise.all([0, 1, 2].map((one) => issue(round * 3 + one)))

  const { store } = last!.env
  const inOrder = async (rows: Promise<{ at: number }[]>, least: number): Promise<void> => {
    const dates = (await rows).map(({ at }) => at)
    expect(dates.length).toBeGreaterThanOrEqual(least)
    expect(dates).toEqual(dates.toSorted((a, b) => a - b))
    for (const at of dates) expect(Math.abs(at - Date.now())).toBeLessThan(120_000)
  }
  const db = store.readerOf(book.companyId)
  await inOrder(
    db
      .selectFrom('registry_records')
      .select('generated_at as at')
      .where('book_id', '=', book.id)
      .orderBy('sequence')
      .execute(),
    12,
  )
  await inOrder(
    db.selectFrom('audit_events').select('at').where('book_id', '=', book.id).orderBy('sequence').execute(),
    12,
  )
  await inOrder(
    db.selectFrom('events').select('at').where('book_id', '=', book.id).orderBy('id').execute(),
    12,
  )

  // A key that ends in a minute is accepted by all three, whose own clocks are before and after its end.
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const short = await servers[0]!.run(
    'keys.createByPerson',
    { name: 'short', scopes: ['company.read'], expiresAt },
    book,
  )
  for (const server of servers)
    expect((await server.ask('GET', '/companies/current', short.key)).statusCode).toBe(200)
})
