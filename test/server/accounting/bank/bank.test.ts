/** Bank import and matching: files are imported once, matches are undone without a trace, and the balances reconcile. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ibanOfCcc } from '../../../../server/accounting/bank/formats/ccc.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { creditorIdOf } from '../../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { centsToText } from '../../../../server/domain/money.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { openWorld } from '../../../support/world.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const OWN = 'ES9121000418450200051332'
const SAVINGS = 'ES6901822370470201504569'
const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../golden/bank', name)).toString('base64')

/** Returns a CSV with the balance after each movement. */
function csv(
  rows: readonly (readonly [date: string, text: string, cents: number])[],
  opening = 100_000,
): string {
  let balance = opening
  const lines = rows.map(([date, text, cents]) => {
    balance += cents
    const [year, month, day] = date.split('-')
    const amount = (value: number) => centsToText(value).replace('.', ',')
    return `${day}/${month}/${year};${text};${amount(cents)};${amount(balance)}`
  })
  return Buffer.from(['Fecha;Concepto;Importe;Saldo', ...lines].join('\n')).toString('base64')
}

async function account(books: TestBooks, changes: object = {}) {
  return books.run('bank.createAccount', {
    name: 'Corriente',
    iban: OWN,
    openingBalance: 1000,
    openingDate: '2026-11-01',
    ...changes,
  })
}

async function take(books: TestBooks, accountId: string, content: string, more: object = {}) {
  return books.run('bank.import', { fileName: 'movimientos.csv', content, accountId, ...more })
}

async function pending(books: TestBooks): Promise<OutputOf<'bank.window'>['items']> {
  return (await books.run('bank.window', { status: 'pending', limit: 200 })).items
}

/** Returns everything that matching may change, as text. */
async function stateOf(books: TestBooks): Promise<string> {
  const tables = {
    invoices: 'select id, paid_cents, is_owed, due_cents from invoices order by id',
    payments: 'select id, amount_cents, bank_transaction_id from payments order by id',
    allocations: 'select * from payment_allocations order by payment_id, position',
    lines: `select e.source_type, e.source_id, e.day, l.amount_cents, a.code from journal_lines l
      join journal_entries e on e.id = l.entry_id join ledger_accounts a on a.id = l.account_id order by 1, 2, l.position`,
    months: `select a.code, m.month, m.debit_cents - m.credit_cents as cents from account_months m
      join ledger_accounts a on a.id = m.account_id where m.debit_cents <> m.credit_cents order by 1, 2`,
    movements: 'select id, status, note, rule_id, learned_rule_id from bank_transactions order by id',
    parts: 'select * from bank_parts order by transaction_id, position',
    rules:
      'select origin, direction, counterparty_iban, text_key, ledger_account, contact_id, uses from bank_rules order by 3, 4, 5',
  }
  const state: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(tables))
    state[name] = (await sql.raw(query).execute(books.test.db)).rows
  return JSON.stringify(state, null, 1)
}

describe('accounts', () => {
  test('the first bank uses 572 and further ones its subaccounts; an IBAN is validated and belongs to one account', async () => {
    const books = await openBooks()
    const first = await account(books)
    expect(first).toMatchObject({ ledgerAccount: '572', balance: 1000, movements: 0, iban: OWN })
    const second = await account(books, { name: 'Ahorro', iban: SAVINGS })
    expect(second.ledgerAccount).toBe('5720001')
    expect((await refused(account(books, { name: 'Otra' }))).code).toBe('bank_account_taken')
    expect((await refused(account(books, { name: 'Otra', iban: 'ES00' }))).code).toBe('validation_failed')
    expect((await refused(account(books, { iban: null, ledgerAccount: '430' }))).code).toBe(
      'validation_failed',
    )
    const stale = books.run('bank.updateAccount', { id: first.id, name: 'X', expectedVersion: 9 })
    expect((await refused(stale)).code).toBe('version_conflict')
    expect(await books.run('bank.deleteAccount', { id: second.id })).toEqual({ deleted: true })
    expect((await books.run('bank.accounts', {})).items).toHaveLength(1)
  })

  test('over REST a key can read bank data, but not import or match', async () => {
    const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
    const made = await world.post('/api/v1/bank/accounts', {
      name: 'Corriente',
      iban: OWN,
      openingBalance: 10.5,
    })
    expect([made.status, made.body.data.balance]).toEqual([201, 10.5])
    const id: string = made.body.data.id
    expect((await world.get('/api/v1/bank/accounts')).body.data.items).toHaveLength(1)
    expect((await world.patch(`/api/v1/bank/accounts/${id}`, { name: 'Taller' })).body.data.name).toBe(
      'Taller',
    )
    expect((await world.get(`/api/v1/bank/accounts/${id}/reconciliation`)).body.data).toMatchObject({
      bankBalance: 10.5,
      bookBalance: 0,
      unexplained: 10.5,
    })
    expect((await world.get('/api/v1/bank/transactions?limit=5')).body.data).toEqual({
      items: [],
      nextCursor: null,
    })
    expect((await world.get('/api/v1/bank/imports')).body.data).toEqual({
      items: [],
      nextCursor: null,
    })
    expect((await world.post('/api/v1/bank/transactions/btx_0/match', {})).status).toBe(404)
    expect((await world.delete(`/api/v1/bank/accounts/${id}`)).body.data).toEqual({ deleted: true })
  })
})

describe('files', () => {
  test('a file is assigned to accounts by IBAN; statements of other accounts are reported', async () => {
    const books = await openBooks()
    const main = await account(books, { openingBalance: 10_000 })
    const preview = await books.run('bank.preview', {
      fileName: 'a.n43',
      content: golden('two-accounts.n43'),
    })
    expect(preview).toMatchObject({ format: 'n43', encoding: 'windows-1252', csv: null })
    expect(preview.statements.map(({ accountId, iban, rows }) => [accountId, iban, rows])).toEqual([
      [main.id, OWN, 5],
      [null, SAVINGS, 1],
    ])
    const taken = await books.run('bank.import', { fileName: 'a.n43', content: golden('two-accounts.n43') })
    expect(taken).toMatchObject({ imported: 5, duplicates: 0, accounts: [main.id] })
    expect(taken.warnings.map(({ code }) => code)).toEqual(['bank_account_unknown'])
    expect((await books.run('bank.account', { id: main.id })).balance).toBe(8337.8)
    expect((await books.run('bank.imports', {})).items[0]).toMatchObject({
      movements: 5,
      matched: 0,
      from: '2026-11-01',
    })
  })

  test('the same file again has nothing new; another format of the same days has only probable duplicates', async () => {
    const books = await openBooks()
    const main = await account(books, { openingBalance: 10_000 })
    const file = { fileName: 'a.n43', content: golden('two-accounts.n43') }
    await books.run('bank.import', file)
    expect(await books.run('bank.import', file)).toMatchObject({ importId: null, imported: 0, duplicates: 5 })
    const other = { fileName: 'a.csv', content: golden('newest-first.csv'), accountId: main.id }
    expect(await books.run('bank.import', other)).toMatchObject({ imported: 0, duplicates: 1, probable: 4 })
    expect((await books.run('bank.account', { id: main.id })).movements).toBe(5)
  })

  test('overlapping files give each movement once, including two identical ones on one day', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const days: [string, string, number][] = [
      ['2026-11-02', 'CAFE', -150],
      ['2026-11-02', 'CAFE', -150],
      ['2026-11-03', 'PAGO TPV', 5000],
      ['2026-11-04', 'CAFE', -150],
    ]
    expect(await take(books, id, csv(days.slice(0, 3)))).toMatchObject({ imported: 3 })
    const second = csv(days.slice(2), 100_000 - 300)
    expect(await take(books, id, second)).toMatchObject({ imported: 1, duplicates: 1 })
    expect(await take(books, id, csv(days))).toMatchObject({ imported: 0, duplicates: 4 })
    expect((await books.run('bank.account', { id })).balance).toBe(1045.5)
  })

  longTest('missing days between two files are reported', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    await take(books, id, csv([['2026-11-02', 'UNO', -1000]]))
    const later = await take(books, id, csv([['2026-11-09', 'DOS', -1000]], 90_000))
    expect(later.warnings).toMatchObject([{ code: 'bank_gap', params: { before: '990.00', now: '900.00' } }])
  })

  test('an import is undone completely, unless one of its movements is booked', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const before = await stateOf(books)
    const { importId } = await take(
      books,
      id,
      csv([
        ['2026-11-02', 'COMISION', -1000],
        ['2026-11-03', 'X', 500],
      ]),
    )
    const [, fee] = await pending(books)
    await books.run('bank.match', {
      id: fee!.id,
      parts: [{ kind: 'account', ledgerAccount: '626', amount: -10 }],
    })
    const error = await refused(books.run('bank.undoImport', { id: importId! }))
    expect([error.code, error.details]).toEqual(['bank_import_matched', { matched: 1 }])
    await books.run('bank.unmatch', { id: fee!.id })
    expect(await books.run('bank.undoImport', { id: importId! })).toEqual({ removed: 2 })
    expect(await stateOf(books)).toBe(before)
  })

  test('a damaged file leaves nothing behind', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const broken = Buffer.from('Fecha;Concepto;Importe\n02/11/2026;A;1,00\nayer 3;B;2,00').toString('base64')
    expect((await refused(take(books, id, broken))).details?.faults).toMatchObject([
      { code: 'csv_date', params: { line: 3, column: 1 } },
    ])
    expect((await books.run('bank.imports', {})).items).toEqual([])
  })

  test('the column mapping of a CSV is stored for the account', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const content = golden('two-columns.csv')
    const preview = await books.run('bank.preview', { fileName: 'x.csv', content, accountId: id })
    expect(preview.csv).toMatchObject({
      source: 'guessed',
      mapping: { debit: 2, credit: 3, dateOrder: 'mdy' },
    })
    await take(books, id, content, { mapping: { ...preview.csv!.mapping, text: [1] } })
    expect((await books.run('bank.preview', { fileName: 'x.csv', content, accountId: id })).csv?.source).toBe(
      'remembered',
    )
  })
})

describe('matching', () => {
  test('accepting a suggestion pays the invoice, and undoing it leaves no trace', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const invoice = await books.invoice({})
    const due = Math.round(invoice.amountDue * 100)
    await take(books, id, csv([['2026-11-20', `TRANSFERENCIA ${invoice.number}`, due]]))
    const before = await stateOf(books)
    const [movement] = await pending(books)
    expect(movement?.suggestion).toMatchObject({ confidence: 'sure', kind: 'invoice' })
    expect(movement?.suggestion?.parts).toMatchObject([{ invoiceId: invoice.id, amount: invoice.amountDue }])
    const matched = await books.run('bank.match', {
      id: movement!.id,
      parts: [{ kind: 'invoice', invoiceId: invoice.id, amount: invoice.amountDue }],
    })
    expect(matched).toMatchObject({ status: 'matched', parts: [{ invoiceId: invoice.id }] })
    expect((await books.run('invoices.get', { id: invoice.id })).payment.status).toBe('paid')
    expect((await books.run('bank.reconciliation', { id })).bookBalance).toBe(invoice.amountDue)
    const again = books.run('bank.match', {
      id: movement!.id,
      parts: [{ kind: 'account', ledgerAccount: '626', amount: 1 }],
    })
    expect((await refused(again)).code).toBe('bank_already_matched')
    await books.run('bank.unmatch', { id: movement!.id })
    expect(await stateOf(books)).toBe(before)
    expect((await refused(books.run('bank.unmatch', { id: movement!.id }))).code).toBe('bank_not_matched')
  })

  test('the parts of a match add up to the movement, to the cent', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    await take(books, id, csv([['2026-11-20', 'COMPRA', -1000]]))
    const [movement] = await pending(books)
    const error = await refused(
      books.run('bank.match', {
        id: movement!.id,
        parts: [{ kind: 'account', ledgerAccount: '629', amount: -9.99 }],
      }),
    )
    expect(error.details?.faults).toMatchObject([
      { code: 'parts_do_not_add_up', params: { missing: '-0.01' } },
    ])
  })

  test('the database rejects a match that does not add up', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    await take(books, id, csv([['2026-11-20', 'COMPRA', -1000]]))
    const attempt = books.test.transaction((tx) =>
      tx.db.updateTable('bank_transactions').set({ status: 'matched' }).execute(),
    )
    await expect(attempt).rejects.toThrow('unbalanced: bank_parts')
  })

  test('a payment recorded earlier is linked to its movement and cannot be removed while it is matched', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const invoice = await books.invoice({})
    const payment = await books.run('payments.payInvoice', {
      id: invoice.id,
      date: '2026-11-19',
      amount: invoice.amountDue,
      method: 'transfer',
    })
    await take(books, id, csv([['2026-11-20', 'ABONO', Math.round(invoice.amountDue * 100)]]))
    const before = await stateOf(books)
    const [movement] = await pending(books)
    expect(movement?.suggestion?.parts).toMatchObject([{ kind: 'payment', paymentId: payment.id }])
    await books.run('bank.match', { id: movement!.id, parts: [{ kind: 'payment', paymentId: payment.id }] })
    expect((await refused(books.run('payments.delete', { id: payment.id }))).code).toBe('payment_in_use')
    await books.run('bank.unmatch', { id: movement!.id })
    expect(await stateOf(books)).toBe(before)
  })

  test('a remittance is settled by its movement, and is prepared again when the match is undone', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const contact = await books.run('contacts.create', {
      name: 'Cliente Primero, S.L.',
      nif: 'B87654323',
    })
    await books.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: OWN })
    await books.run('mandates.create', {
      contactId: contact.id,
      signedOn: '2026-01-02',
      iban: 'ES7921000813610123456789',
    })
    const client = { clientName: contact.name, clientNif: 'B87654323', clientId: contact.id }
    const invoices = [await books.invoice(client), await books.invoice(client)]
    const file = await books.run('remittances.create', {
      kind: 'debit',
      items: invoices.map((invoice) => ({ id: invoice.id })),
    })
    books.setTime('2026-11-30T10:00:00+01:00')
    const total = Math.round(file.total * 100)
    await take(books, id, csv([[file.executionDate, 'ABONO REMESA ADEUDOS SEPA', total]]))
    const before = await stateOf(books)
    const [movement] = await pending(books)
    const { suggestions } = await books.run('bank.transaction', { id: movement!.id })
    const found = suggestions.find(({ kind }) => kind === 'remittance')
    expect(found?.parts).toMatchObject([{ remittanceId: file.id, amount: file.total }])
    await books.run('bank.match', {
      id: movement!.id,
      parts: [{ kind: 'remittance', remittanceId: file.id }],
    })
    expect((await books.run('remittances.get', { id: file.id })).state).toBe('settled')
    expect((await books.run('invoices.get', { id: invoices[0]!.id })).amountDue).toBe(0)
    expect((await books.run('bank.reconciliation', { id })).bookBalance).toBe(file.total)
    expect((await refused(books.run('remittances.unsettle', { id: file.id }))).code).toBe('payment_in_use')
    await books.run('bank.unmatch', { id: movement!.id })
    expect((await books.run('remittances.get', { id: file.id })).state).toBe('prepared')
    expect(await stateOf(books)).toBe(before)
  })

  test('a transfer between own accounts is one entry, whichever half comes first', async () => {
    const books = await openBooks()
    const from = await account(books)
    const to = await account(books, { name: 'Ahorro', iban: SAVINGS, openingBalance: 0 })
    await take(books, from.id, csv([['2026-11-10', 'TRASPASO', -50_000]]))
    const [out] = await pending(books)
    await books.run('bank.match', { id: out!.id, parts: [{ kind: 'transfer', accountId: to.id }] })
    const waiting = await stateOf(books)
    await take(books, to.id, csv([['2026-11-11', 'TRASPASO', 50_000]], 0))
    const [half] = await pending(books)
    expect(half?.suggestion).toMatchObject({
      kind: 'transfer',
      parts: [{ accountId: from.id, transactionId: out!.id }],
    })
    const parts = [{ kind: 'transfer' as const, accountId: from.id, transactionId: out!.id }]
    await books.run('bank.match', { id: half!.id, parts })
    for (const { id } of [from, to])
      expect((await books.run('bank.reconciliation', { id })).pendingCount).toBe(0)
    expect((await books.run('bank.reconciliation', { id: to.id })).bookBalance).toBe(500)
    await books.run('bank.unmatch', { id: half!.id })
    expect((await books.run('bank.transaction', { id: out!.id })).status).toBe('matched')
    await books.run('bank.match', { id: half!.id, parts })
    await books.run('bank.unmatch', { id: out!.id })
    expect((await pending(books)).map((row) => row.id).toSorted()).toEqual([half!.id, out!.id].toSorted())
    expect(waiting).toContain('5720001')
    expect((await books.run('bank.reconciliation', { id: to.id })).bookBalance).toBe(0)
  })

  test('an accepted match is learned; only a rule of the person books automatically', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    await take(books, id, csv([['2026-11-02', 'COMPRA PARKING CENTRO 1', -300]]))
    const [first] = await pending(books)
    await books.run('bank.match', {
      id: first!.id,
      parts: [{ kind: 'account', ledgerAccount: '629', amount: -3 }],
    })
    const second = await take(books, id, csv([['2026-11-03', 'COMPRA PARKING CENTRO 2', -450]], 99_700))
    expect(second.booked).toBe(0)
    const [next] = await pending(books)
    expect(next?.suggestion).toMatchObject({ kind: 'rule', parts: [{ ledgerAccount: '629', amount: -4.5 }] })
    await books.run('bank.createRule', {
      direction: 'out',
      textContains: 'Parking centro',
      ledgerAccount: '629',
      automatic: true,
    })
    const unbooked = await stateOf(books)
    const applied = await books.run('bank.applyRules', {})
    expect(applied).toEqual({ booked: 1, transactionIds: [next!.id] })
    expect(await books.run('bank.unapplyRules', { transactionIds: applied.transactionIds })).toEqual({
      unbooked: 1,
      kept: 0,
    })
    expect(await stateOf(books)).toBe(unbooked)
    await books.run('bank.applyRules', {})
    const third = await take(books, id, csv([['2026-11-04', 'COMPRA PARKING CENTRO 3', -100]], 99_250))
    expect(third.booked).toBe(1)
    const booked = await books.run('bank.window', { status: 'matched' })
    expect(booked.items.map(({ automatic }) => automatic)).toEqual([true, true, false])
    expect((await books.run('bank.reconciliation', { id })).bookBalance).toBe(-8.5)
    await books.run('bank.unmatch', { id: booked.items[0]!.id })
    // Movements that are no longer booked, or that a person booked, stay as they are.
    const others = booked.items.flatMap(({ id, automatic }, at) => (at === 0 || !automatic ? [id] : []))
    expect(await books.run('bank.unapplyRules', { transactionIds: others })).toEqual({ unbooked: 0, kept: 2 })
    expect((await pending(books)).map((row) => row.text)).toEqual(['COMPRA PARKING CENTRO 3'])
  })

  longTest('an import is undone with the bookings of rules, and leaves no trace', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    await books.run('bank.createRule', {
      direction: 'out',
      textContains: 'Parking centro',
      ledgerAccount: '629',
      automatic: true,
    })
    const before = await stateOf(books)
    const { importId, booked } = await take(books, id, csv([['2026-11-02', 'COMPRA PARKING CENTRO', -300]]))
    expect(booked).toBe(1)
    expect((await books.run('bank.imports', {})).items[0]).toMatchObject({ matched: 1, booked: 1 })
    expect(await books.run('bank.undoImport', { id: importId! })).toEqual({ removed: 1 })
    expect(await stateOf(books)).toBe(before)
  })

  test('an ignored movement needs no match, and can be restored', async () => {
    const books = await openBooks()
    const { id } = await account(books, { openingBalance: 0 })
    await take(books, id, csv([['2026-11-02', 'YA CONTABILIZADO', 2500]], 0))
    const [movement] = await pending(books)
    await books.run('bank.ignore', { id: movement!.id, ignored: true, note: 'En la apertura' })
    expect(await books.run('bank.reconciliation', { id })).toMatchObject({
      bankBalance: 25,
      bookBalance: 0,
      difference: 25,
      ignored: 25,
      unexplained: 0,
    })
    expect(await books.run('bank.ignore', { id: movement!.id, ignored: false })).toMatchObject({
      status: 'pending',
      note: null,
    })
  })

  longTest('accepting and undoing matches in any order leaves the books as before', async () => {
    const books = await openBooks()
    const { id } = await account(books)
    const invoices = [await books.invoice({}), await books.invoice({}), await books.invoice({})]
    const due = Math.round(invoices[0]!.amountDue * 100)
    await take(
      books,
      id,
      csv([
        ['2026-11-10', `PAGO ${invoices[0]!.number}`, due],
        ['2026-11-11', `PAGO ${invoices[1]!.number} Y ${invoices[2]!.number}`, due * 2],
        ['2026-11-12', 'COMISION MANTENIMIENTO', -1250],
        ['2026-11-13', 'IMPUESTOS AEAT MODELO 303', -30_000],
        ['2026-11-14', 'COMPRA VARIA', -999],
      ]),
    )
    const before = await stateOf(books)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 1 }),
        fc.integer({ min: 0, max: 99 }),
        async (order, turn) => {
          const all = (await books.run('bank.window', { limit: 10 })).items.toReversed()
          const accepted: string[] = []
          for (const at of order) {
            const {
              suggestions,
              id: movementId,
              amount,
            } = await books.run('bank.transaction', { id: all[at]!.id })
            const best = suggestions[0]
            const parts = best
              ? best.parts.map((part) =>
                  part.kind === 'invoice'
                    ? { kind: 'invoice' as const, invoiceId: part.invoiceId!, amount: part.amount }
                    : { kind: 'account' as const, ledgerAccount: part.ledgerAccount!, amount: part.amount },
                )
              : [{ kind: 'account' as const, ledgerAccount: '555', amount }]
            await books.run('bank.match', { id: movementId, parts })
            accepted.push(movementId)
          }
          const shift = turn % accepted.length
          for (const each of [...accepted.slice(shift), ...accepted.slice(0, shift)])
            await books.run('bank.unmatch', { id: each })
          expect(await stateOf(books)).toBe(before)
        },
      ),
      { numRuns: 12 },
    )
  })
})

longTest('ten thousand movements are imported at once, and are found by account number', async () => {
  const books = await openBooks()
  const { id } = await account(books, {
    iban: ibanOfCcc('0182', '2370', '0201504569'),
    openingDate: '2025-01-01',
  })
  const rows = Array.from({ length: 10_000 }, (_, index): [string, string, number] => {
    const day = new Date(Date.UTC(2025, 0, 1) + Math.floor(index / 20) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    return [day, `MOVIMIENTO ${index}`, index % 3 === 0 ? 1234 : -567]
  })
  expect(await take(books, id, csv(rows))).toMatchObject({ imported: 10_000, duplicates: 0 })
  const shown = await books.run('bank.window', { accountId: id, text: 'movimiento 9999' })
  expect(shown.count).toBe(1)
  const { balance, movements } = await books.run('bank.account', { id })
  expect([movements, balance]).toEqual(
    [10_000, 1000 + (3334 * 12.34 - 6666 * 5.67)].map((value) => Math.round(value * 100) / 100),
  )
})
