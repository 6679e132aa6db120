/** Summary rows: facts mark them in their transaction, and they are computed again by themselves. */
import { describe, expect, test } from 'vitest'
import { checkBook } from '../../../../server/app/integrity/index.ts'
import { refreshSummaries, summaryRows } from '../../../../server/app/summaries/index.ts'
import { purchase } from '../../accounting/returns/worked.ts'
import { openConsole } from '../console/companies.ts'
import type { Console } from '../console/companies.ts'
import { THREE_FIELDS } from '../../../support/books.ts'

async function rowOf(desk: Console, index = 0) {
  const [row] = await summaryRows(desk.env.store.reader, [desk.clients[index]!.books.live.companyId])
  return row
}

const contact = (desk: Console, index = 0) =>
  desk.run('contacts.create', { name: 'Proveedor, S.L.' }, desk.ctx(desk.clients[index]!.books.live))

describe('a summary', () => {
  test('is computed for each company, and current until something is recorded', async () => {
    const desk = await openConsole(3)
    expect(await rowOf(desk)).toBeUndefined()
    expect(await desk.refresh()).toBe(3)
    const row = await rowOf(desk)
    expect(row).toMatchObject({ staleSince: null, computedOn: '2026-11-21' })
    expect(row?.facts).toMatchObject({
      from: null,
      bank: null,
      inbox: { waiting: 0, oldestAt: null },
      certificateUntil: null,
      owed: { cents: 0, lateCents: 0, lateInvoices: 0 },
    })
    expect(await desk.refresh()).toBe(0)
  })

  test('is marked by a fact in its transaction: that of its company alone, and not by what is rolled back', async () => {
    const desk = await openConsole(2)
    await desk.refresh()
    desk.setTime('2026-11-21T10:05:00+01:00')
    await contact(desk)
    expect((await rowOf(desk))?.staleSince).toBe(Date.parse('2026-11-21T10:05:00+01:00'))
    expect((await rowOf(desk, 1))?.staleSince).toBeNull()
    await desk.refresh()
    await expect(
      desk.ctx(desk.clients[0]!.books.live).transaction(async (tx) => {
        await desk.run('contacts.create', { name: 'Nadie, S.L.' }, tx)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect((await rowOf(desk))?.staleSince).toBeNull()
  })

  test('stays marked if a fact is recorded while it is computed', async () => {
    const desk = await openConsole(1)
    await desk.refresh()
    await contact(desk)
    let interfered: Promise<unknown> | null = null
    const { store } = desk.env
    const env = {
      ...desk.env,
      store: new Proxy(store, {
        get(target, name) {
          // The facts of a company are read by its own reader.
          if (name === 'readerOf') interfered ??= contact(desk)
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    }
    const { computed, isStale } = await refreshSummaries(env, { log: expect.fail, settleMs: 0 })
    expect(interfered).not.toBeNull()
    await interfered
    expect({ computed, isStale: isStale || (await rowOf(desk))?.staleSince !== null }).toEqual({
      computed: 1,
      isStale: true,
    })
    expect(await desk.refresh()).toBe(1)
    expect((await rowOf(desk))?.staleSince).toBeNull()
  })

  test('says what waits, what is owed, and which returns are late or filed', async () => {
    const desk = await openConsole(1, { at: '2026-10-20T10:00:00+02:00' })
    const live = desk.ctx(desk.clients[0]!.books.live)
    await desk.run(
      'received.create',
      purchase({ supplierNumber: 'A-1', taxLines: [{ base: 200, vatRate: 21 }] }),
      live,
    )
    await desk.run(
      'bank.createAccount',
      { name: 'Cuenta', iban: 'ES9121000418450200051332', openingBalance: 0 },
      live,
    )
    await desk.refresh()
    const facts = (await rowOf(desk))?.facts
    expect(facts).toMatchObject({
      from: '2026-10-16',
      receipts: 1,
      bank: { pending: 0, since: null },
      inbox: { waiting: 0 },
      lockedUntil: null,
    })
    // The books began in the fourth quarter, so that nothing of the third one is late.
    expect(facts?.returns.filter(({ year, code }) => year === 2026 && code === '3T')).toEqual([])
    expect(facts?.returns.find(({ model, code }) => model === '303' && code === '4T')).toMatchObject({
      dueFrom: '2027-01-01',
      dueTo: '2027-02-01',
      filedOn: null,
      applies: true,
    })
    desk.setTime('2027-01-10T10:00:00+01:00')
    await desk.run('fiscal.markFiled', { model: '303', year: 2026, quarter: 4, filedOn: '2027-01-10' }, live)
    await desk.refresh()
    const after = (await rowOf(desk))?.facts
    expect(after?.returns.find(({ model, code }) => model === '303' && code === '4T')?.filedOn).toBe(
      '2027-01-10',
    )
  })

  test('is computed again on another day, and after some hours without a reason', async () => {
    const desk = await openConsole(1)
    await desk.refresh()
    desk.setTime('2026-11-22T00:10:00+01:00')
    expect(await desk.refresh()).toBe(1)
    desk.setTime('2026-11-22T05:10:00+01:00')
    expect(await desk.refresh()).toBe(0)
    desk.setTime('2026-11-22T06:10:00+01:00')
    expect(await desk.refresh()).toBe(1)
  })

  test('of a company whose figures cannot be read keeps its mark, and holds up no other', async () => {
    const desk = await openConsole(2)
    await desk.refresh()
    await contact(desk, 0)
    await contact(desk, 1)
    const lines: string[] = []
    const { store } = desk.env
    const broken = desk.clients[0]!.books.live.companyId
    const env = {
      ...desk.env,
      store: new Proxy(store, {
        get(target, name) {
          if (name === 'readerOf')
            return (companyId: number) => {
              if (companyId === broken) throw new Error('damaged')
              return target.readerOf(companyId)
            }
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    }
    const { computed, failed } = await refreshSummaries(env, {
      log: (line) => lines.push(line),
      settleMs: 0,
    })
    expect({ computed, failed }).toEqual({ computed: 1, failed: 1 })
    expect(lines).toEqual([expect.stringContaining('damaged')])
    expect((await rowOf(desk, 0))?.staleSince).not.toBeNull()
    expect((await rowOf(desk, 1))?.staleSince).toBeNull()
  })
})

describe('the self-check', () => {
  const wrong = async (desk: Console) => {
    const { checks } = await checkBook(desk.ctx(desk.clients[0]!.books.live))
    return checks.filter(({ name }) => name === 'summaries').map(({ ok, detail }) => ({ ok, detail }))
  }

  test('finds a summary that is not what the ledgers say', async () => {
    const desk = await openConsole(1)
    await contact(desk)
    await desk.refresh()
    expect(await wrong(desk)).toEqual([{ ok: true, detail: 'The summary is what the ledgers say.' }])
    await desk.tamper(`update company_summaries set facts = replace(facts, '"receipts":0', '"receipts":7')`)
    expect(await wrong(desk)).toEqual([
      {
        ok: false,
        detail: expect.stringMatching(/^Summary of book_\w+, receipts: 7 is said, 0 is found\.$/),
      },
    ])
    // The repair mends it.
    desk.setTime('2026-11-21T17:00:00+01:00')
    await desk.refresh()
    expect(await wrong(desk)).toEqual([{ ok: true, detail: 'The summary is what the ledgers say.' }])
  })

  test('claims nothing of a summary that says of itself that it is not current', async () => {
    const desk = await openConsole(1)
    expect(await wrong(desk)).toMatchObject([{ ok: true, detail: 'No summary claims to be current.' }])
    await desk.refresh()
    await desk.run('contacts.create', { name: 'X, S.L.' }, desk.ctx(desk.clients[0]!.books.live))
    await desk.tamper(`update company_summaries set facts = replace(facts, '"receipts":0', '"receipts":7')`)
    expect(await wrong(desk)).toMatchObject([{ ok: true }])
  })
})

test('a live draft is no first day: books begin with what was issued or received', async () => {
  const desk = await openConsole(1)
  await desk.run('invoices.create', THREE_FIELDS, desk.ctx(desk.clients[0]!.books.live))
  await desk.refresh()
  expect((await rowOf(desk))?.facts?.from).toBeNull()
})
