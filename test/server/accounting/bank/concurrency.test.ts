/** Concurrent bank requests: each movement is imported and matched once, in any order. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const OWN = 'ES9121000418450200051332'
const OTHER = 'ES7921000813610123456789'

const csv = (...lines: string[]): string =>
  Buffer.from(['Fecha;Concepto;Importe', ...lines].join('\n')).toString('base64')

/** Returns a statement that names its account. */
const statementOf = (iban: string, text: string): string =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-20T10:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><CreDtTm>2026-11-20T10:00:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
<AddtlNtryInf>${text}</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`,
  ).toString('base64')

async function account(books: TestBooks, changes: object = {}) {
  return books.run('bank.createAccount', { name: 'Corriente', openingDate: '2026-11-01', ...changes })
}

async function movement(books: TestBooks, accountId: string) {
  await books.run('bank.import', { fileName: 'a.csv', content: csv('20/11/2026;COMISION;-10,00'), accountId })
  const [row] = (await books.run('bank.window', { status: 'pending' })).items
  if (!row) throw new Error('Nothing was taken.')
  return row.id
}

test('an account is created once for its IBAN, and each version is changed once', async () => {
  const books = await openBooks()
  const both = [account(books, { iban: OWN }), account(books, { iban: OWN, name: 'Otra' })]
  expect(await togetherSorted(...both)).toEqual(['bank_account_taken', 'done'])
  const [row] = (await books.run('bank.accounts', {})).items
  const change = (name: string) =>
    books.run('bank.updateAccount', { id: row!.id, name, expectedVersion: row!.version })
  expect(await togetherSorted(change('Una'), change('Dos'))).toEqual(['done', 'version_conflict'])
})

longTest('accounts created concurrently use different ledger accounts', async () => {
  const books = await openBooks()
  const made = await Promise.all([account(books), account(books), account(books)])
  expect(new Set(made.map(({ ledgerAccount }) => ledgerAccount)).size).toBe(3)
})

test('a file imported twice gives its movements once', async () => {
  const books = await openBooks()
  const { id } = await account(books)
  const take = () =>
    books.run('bank.import', {
      fileName: 'a.csv',
      content: csv('20/11/2026;UNO;-1,00', '20/11/2026;UNO;-1,00'),
      accountId: id,
    })
  const taken = await Promise.all([take(), take()])
  expect(taken.map(({ imported, duplicates }) => [imported, duplicates]).toSorted()).toEqual([
    [0, 2],
    [2, 0],
  ])
  expect((await books.run('bank.account', { id })).movements).toBe(2)
})

longTest(
  'an account without an IBAN accepts the first file chosen for it, and none of another account',
  async () => {
    const books = await openBooks()
    const { id } = await account(books)
    // Loads the format reader first, so that both requests read the account before either writes.
    await books.run('bank.preview', { fileName: 'a.xml', content: statementOf(OWN, 'UNO'), accountId: id })
    const take = (iban: string, text: string) =>
      books.run('bank.import', { fileName: 'a.xml', content: statementOf(iban, text), accountId: id })
    const outcomes = await togetherSorted(take(OWN, 'UNO'), take(OTHER, 'DOS'))
    expect(outcomes).toEqual(['done', 'validation_failed'])
    expect(await books.run('bank.account', { id })).toMatchObject({ iban: OWN, movements: 1 })
  },
)

longTest('a file for an account deleted meanwhile is rejected', async () => {
  const books = await openBooks()
  const { id } = await account(books)
  await books.run('bank.preview', { fileName: 'a.csv', content: csv('20/11/2026;X;1,00'), accountId: id })
  const outcomes = await togetherSorted(
    books.run('bank.deleteAccount', { id }),
    books.run('bank.import', { fileName: 'a.csv', content: csv('20/11/2026;X;1,00'), accountId: id }),
  )
  expect(outcomes).toEqual(['done', 'not_found'])
})

test('a movement is matched, ignored and unmatched once', async () => {
  const books = await openBooks()
  const id = await movement(books, (await account(books)).id)
  const match = (ledgerAccount: string) =>
    books.run('bank.match', { id, parts: [{ kind: 'account', ledgerAccount, amount: -10 }] })
  expect(await togetherSorted(match('626'), match('629'))).toEqual(['bank_already_matched', 'done'])
  const unmatch = () => books.run('bank.unmatch', { id })
  expect(await togetherSorted(unmatch(), unmatch())).toEqual(['bank_not_matched', 'done'])
  const ignore = () => books.run('bank.ignore', { id, ignored: true })
  expect(await togetherSorted(match('626'), ignore())).toEqual(['bank_already_matched', 'done'])
})

test('two movements do not pay the same invoice', async () => {
  const books = await openBooks()
  const { id: accountId } = await account(books)
  const invoice = await books.invoice()
  const amount = `${invoice.amountDue.toFixed(2).replace('.', ',')}`
  const content = csv(`20/11/2026;UNO;${amount}`, `20/11/2026;DOS;${amount}`)
  await books.run('bank.import', { fileName: 'a.csv', content, accountId })
  const { items } = await books.run('bank.window', { status: 'pending' })
  const match = (id: string) =>
    books.run('bank.match', {
      id,
      parts: [{ kind: 'invoice', invoiceId: invoice.id, amount: invoice.amountDue }],
    })
  const outcomes = await togetherSorted(...items.map(({ id }) => match(id)))
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect((await books.run('invoices.get', { id: invoice.id })).amountDue).toBe(0)
})

test('an import is not undone while one of its movements is being matched', async () => {
  const books = await openBooks()
  const { id: accountId } = await account(books)
  const id = await movement(books, accountId)
  const [taken] = (await books.run('bank.imports', {})).items
  const outcomes = await togetherSorted(
    books.run('bank.match', { id, parts: [{ kind: 'account', ledgerAccount: '626', amount: -10 }] }),
    books.run('bank.undoImport', { id: taken!.id }),
  )
  expect(outcomes).toEqual(['bank_import_matched', 'done'])
})
