/** Direct debits and transfers by file: identifiers, bank days, complete XML, and the states of a file. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SaxesParser } from 'saxes'
import { verifyPayments } from '../../../../server/accounting/payments/index.ts'
import { bankDayAfter, isBankDay } from '../../../../server/accounting/payments/debits/target-calendar.ts'
import { bankText } from '../../../../server/domain/formats/bank-text.ts'
import {
  creditorIdOf,
  readCreditorId,
} from '../../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { debitXml } from '../../../../server/accounting/payments/debits/sepa-xml.ts'
import type { DebitFile } from '../../../../server/accounting/payments/debits/sepa-xml.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const GOLDEN = join(import.meta.dirname, '../../../golden/payments')
const OWN_IBAN = 'ES9121000418450200051332'
const THEIR_IBAN = 'ES7921000813610123456789'

test('the check digits of a creditor identifier cover NIF and country, not its suffix', () => {
  // The guide of the Spanish banks has no example for NIF B12345674; the identity 98 - n mod 97 is that of EPC262-08.
  const id = creditorIdOf('B12345674')
  expect(id).toMatch(/^ES\d{2}000B12345674$/)
  expect(readCreditorId(id)).toBe(id)
  expect(readCreditorId(id.replace('000', '001'))).toBe(id.replace('000', '001'))
  expect(readCreditorId(id.slice(0, -1) + '5')).toBeNull()
  // Published in the scheme's guide as a German example.
  expect(readCreditorId('DE98ZZZ09999999999')).toBe('DE98ZZZ09999999999')
  expect(readCreditorId('DE97ZZZ09999999999')).toBeNull()
})

test('banks of the euro area are closed at weekends and on six days of the year', () => {
  expect(
    ['2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2027-01-01', '2026-11-21'].map(isBankDay),
  ).toEqual(Array.from({ length: 6 }, () => false))
  expect(['2026-04-02', '2026-04-07', '2026-12-24', '2026-12-08', '2026-10-12'].every(isBankDay)).toBe(true)
  expect(bankDayAfter('2026-04-02', 1)).toBe('2026-04-07')
  expect(bankDayAfter('2026-11-21', 2)).toBe('2026-11-24')
})

test('text for banks contains only characters that every bank accepts', () => {
  expect(bankText('Peñalver & Núñez, S.L. «€»', 70)).toBe('Penalver + Nunez, S.L. .E.')
  expect(bankText('x'.repeat(80), 70)).toHaveLength(70)
})

const FILE: DebitFile = {
  version: '02',
  scheme: 'CORE',
  messageId: 'SELLO1',
  createdAt: '2026-11-21T10:00:00',
  executionDate: '2026-11-24',
  name: 'Talleres Ejemplo, S.L.',
  creditorId: creditorIdOf('B12345674'),
  iban: OWN_IBAN,
  bic: 'CAIXESBBXXX',
  items: [
    {
      endToEndId: 'E2E-1',
      cents: 12_100,
      name: 'Cliente Primero, S.L.',
      iban: THEIR_IBAN,
      bic: null,
      text: 'Factura F2026-0001',
      sequence: 'FRST',
      mandate: { reference: 'M-1', signedOn: '2026-01-02' },
    },
    {
      endToEndId: 'E2E-2',
      cents: 5,
      name: 'Peña & Hijos',
      iban: THEIR_IBAN,
      bic: 'BBVAESMMXXX',
      text: 'Factura F2026-0002',
      sequence: 'RCUR',
      mandate: { reference: 'M-2', signedOn: '2025-01-02' },
    },
  ],
}

test.each(['02', '08'] as const)(
  'direct debits as pain.008.001.%s equal the golden file',
  async (version) => {
    await expect(debitXml({ ...FILE, version })).toMatchFileSnapshot(
      join(GOLDEN, `pain.008.001.${version}.xml`),
    )
  },
)

/** Elements in ISO 20022 order; those listed are optional, others are not allowed. */
const ORDER: Record<string, readonly string[]> = {
  CstmrDrctDbtInitn: ['GrpHdr', 'PmtInf'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty'],
  PmtInf: [
    ...['PmtInfId', 'PmtMtd', 'BtchBookg', 'NbOfTxs', 'CtrlSum', 'PmtTpInf', 'ReqdExctnDt', 'ReqdColltnDt'],
    ...['Cdtr', 'CdtrAcct', 'CdtrAgt', 'Dbtr', 'DbtrAcct', 'DbtrAgt', 'ChrgBr', 'CdtrSchmeId'],
    ...['DrctDbtTxInf', 'CdtTrfTxInf'],
  ],
  PmtTpInf: ['SvcLvl', 'LclInstrm', 'SeqTp'],
  DrctDbtTxInf: ['PmtId', 'InstdAmt', 'DrctDbtTx', 'DbtrAgt', 'Dbtr', 'DbtrAcct', 'RmtInf'],
  CdtTrfTxInf: ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf'],
  MndtRltdInf: ['MndtId', 'DtOfSgntr'],
}

/** Returns faults of order, counts and sums. */
function faultsOf(xml: string): string[] {
  const faults: string[] = []
  const stack: {
    name: string
    children: string[]
    text: string
    cents: number
    count: number
    said: string[]
  }[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => faults.push(error.message))
  parser.on('opentag', (tag) => {
    const parent = stack.at(-1)
    parent?.children.push(tag.local)
    stack.push({ name: tag.local, children: [], text: '', cents: 0, count: 0, said: [] })
  })
  parser.on('text', (text) => {
    const top = stack.at(-1)
    if (top) top.text += text
  })
  parser.on('closetag', () => {
    const node = stack.pop()!
    const order = ORDER[node.name]
    if (order) {
      const places = node.children.map((name) => order.indexOf(name))
      if (places.includes(-1)) faults.push(`${node.name} holds ${node.children.join(' ')}`)
      if (places.some((place, index) => index > 0 && place < places[index - 1]!))
        faults.push(`${node.name} is out of order`)
    }
    const parent = stack.at(-1)
    if (!parent) return
    if (node.name === 'InstdAmt') parent.cents += Math.round(Number(node.text) * 100)
    else parent.cents += node.cents
    parent.count += node.name === 'InstdAmt' ? 1 : node.count
    if (node.name === 'NbOfTxs' || node.name === 'CtrlSum') parent.said.push(node.text)
    parent.said.push(...(node.name === 'GrpHdr' ? node.said : []))
    if (['PmtInf', 'CstmrDrctDbtInitn', 'CstmrCdtTrfInitn'].includes(node.name)) {
      const found = [String(node.count), (node.cents / 100).toFixed(2)]
      if (node.said.join() !== found.join())
        faults.push(`${node.name} says ${node.said.join()} and has ${found.join()}`)
    }
  })
  parser.write(xml).close()
  return faults
}

test('every file follows the order of the schemas, and its sums are those of its items', () => {
  for (const version of ['02', '08'] as const) expect(faultsOf(debitXml({ ...FILE, version }))).toEqual([])
  expect(faultsOf(debitXml(FILE).replace('<CtrlSum>121.05', '<CtrlSum>121.06'))).not.toEqual([])
  expect(
    faultsOf(debitXml(FILE).replace(/(\s*<ChrgBr>SLEV<\/ChrgBr>)([\s\S]*?<\/CdtrSchmeId>)/, '$2$1')),
  ).not.toEqual([])
})

async function withMandate(): Promise<{ books: TestBooks; contactId: string; mandateId: string }> {
  const books = await openBooks()
  const contact = await books.run('contacts.create', { name: 'Cliente Primero, S.L.', nif: 'B87654323' })
  await books.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: OWN_IBAN })
  const mandate = await books.run('mandates.create', {
    contactId: contact.id,
    signedOn: '2026-01-02',
    iban: 'ES79 2100 0813 6101 2345 6789',
  })
  return { books, contactId: contact.id, mandateId: mandate.id }
}

async function invoiceOf(books: TestBooks, contactId: string) {
  return books.invoice({
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    clientId: contactId,
    lines: [{ description: 'Cuota', quantity: 1, unitPrice: 100 }],
  })
}

test('a file of debits is prepared, downloaded and executed, and one debit is returned', async () => {
  const { books, contactId, mandateId } = await withMandate()
  const first = await invoiceOf(books, contactId)
  const second = await invoiceOf(books, contactId)
  const { items, executionDate } = await books.run('remittances.candidates', { kind: 'debit' })
  expect(executionDate).toBe('2026-11-23')
  expect(items.map(({ id, missing, sequence }) => [id, missing, sequence])).toEqual([
    [first.id, null, 'FRST'],
    [second.id, null, 'FRST'],
  ])
  const made = await books.run('remittances.create', {
    kind: 'debit',
    items: [{ id: first.id }, { id: second.id }],
  })
  expect(made).toMatchObject({ state: 'prepared', count: 2, total: 242 })
  expect(made.items.map(({ sequence, amount, mandateId: id }) => [sequence, amount, id])).toEqual([
    ['FRST', 121, mandateId],
    ['RCUR', 121, mandateId],
  ])
  const file = await books.run('remittances.file', { id: made.id })
  const xml = new TextDecoder().decode(file.bytes)
  expect(faultsOf(xml)).toEqual([])
  expect(xml).toContain('<CtrlSum>242.00</CtrlSum>')
  expect((await books.run('remittances.file', { id: made.id })).sha256).toBe(file.sha256)
  const again = books.run('remittances.create', { kind: 'debit', items: [{ id: first.id }] })
  expect((await refused(again)).details).toMatchObject({
    faults: [{ code: 'in_other_file', field: 'items[0].id' }],
  })

  books.setTime('2026-11-24T10:00:00+01:00')
  const settled = await books.run('remittances.settle', { id: made.id, date: '2026-11-24' })
  expect(settled.items.every(({ paymentId }) => paymentId !== null)).toBe(true)
  expect((await books.run('invoices.get', { id: first.id })).amountDue).toBe(0)
  expect((await refused(books.run('payments.delete', { id: settled.items[0]!.paymentId! }))).code).toBe(
    'payment_in_use',
  )

  const returned = await books.run('remittances.return', {
    id: made.id,
    index: 1,
    date: '2026-11-24',
    reason: 'AM04',
    fee: 3.5,
  })
  expect(returned.items[1]?.returned).toEqual({ date: '2026-11-24', reason: 'AM04', fee: 3.5 })
  expect((await books.run('invoices.get', { id: second.id })).amountDue).toBe(121)
  const [back] = (await books.run('payments.list', { direction: 'out' })).items
  expect(back).toMatchObject({ amount: 124.5, fee: 3.5, allocations: [{ amount: -121 }] })
  const twice = books.run('remittances.return', { id: made.id, index: 1, date: '2026-11-24' })
  expect((await refused(twice)).code).toBe('debit_already_returned')
  expect((await verifyPayments(books.test)).faults).toEqual([])
  expect((await refused(books.run('mandates.delete', { id: mandateId }))).code).toBe('mandate_in_use')
})

test('a discarded file releases its invoices, and one executed by mistake is pending again', async () => {
  const { books, contactId } = await withMandate()
  const invoice = await invoiceOf(books, contactId)
  const create = () => books.run('remittances.create', { kind: 'debit', items: [{ id: invoice.id }] })
  const one = await create()
  await books.run('remittances.discard', { id: one.id })
  const two = await create()
  expect(two.items[0]?.sequence).toBe('FRST')
  books.setTime('2026-11-25T10:00:00+01:00')
  await books.run('remittances.settle', { id: two.id })
  expect((await books.run('remittances.unsettle', { id: two.id })).state).toBe('prepared')
  expect((await books.run('invoices.get', { id: invoice.id })).amountDue).toBe(121)
  expect((await refused(books.run('remittances.file', { id: one.id }))).code).toBe('remittance_discarded')
  expect(await verifyPayments(books.test)).toMatchObject({ ok: true, checked: 0 })
})

test('a file requires a creditor, a mandate, a bank day, an account and a valid IBAN', async () => {
  const books = await openBooks()
  const contact = await books.run('contacts.create', { name: 'Cliente Primero, S.L.', nif: 'B87654323' })
  const invoice = await invoiceOf(books, contact.id)
  const create = (changes: { executionDate?: string; account?: string } = {}) =>
    books.run('remittances.create', { kind: 'debit', items: [{ id: invoice.id }], ...changes })
  expect((await refused(create())).code).toBe('creditor_missing')
  const wrong = books.run('debits.saveCreditor', { creditorId: 'ES00000B12345674', iban: OWN_IBAN })
  expect((await refused(wrong)).details).toMatchObject({ faults: [{ code: 'creditor_id_invalid' }] })
  await books.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: OWN_IBAN })
  expect((await refused(create({ executionDate: '2026-11-22', account: '57743128' }))).details).toMatchObject(
    {
      faults: [
        { code: 'not_a_bank_day' },
        { code: 'account_unknown', field: 'account' },
        { code: 'mandate_missing', field: 'items[0].id' },
      ],
    },
  )
  const mandate = books.run('mandates.create', {
    contactId: contact.id,
    signedOn: '2026-01-02',
    iban: 'ES7921000813610123456788',
  })
  expect((await refused(mandate)).details).toMatchObject({ faults: [{ code: 'iban_invalid' }] })
})

test('suppliers are paid by a file of transfers', async () => {
  const { books } = await withMandate()
  const received = await books.run('received.create', {
    supplierName: 'Suministros Norte, S.L.',
    supplierNif: 'B87654323',
    supplierNumber: 'A-77',
    issueDate: '2026-11-20',
    taxLines: [{ base: 200, vatRate: 21 }],
  })
  const made = await books.run('remittances.create', {
    kind: 'transfer',
    items: [{ id: received.id, iban: THEIR_IBAN }],
  })
  for (const version of ['03', '09'] as const) {
    const xml = new TextDecoder().decode(
      (await books.run('remittances.file', { id: made.id, version })).bytes,
    )
    expect(faultsOf(xml)).toEqual([])
    expect(xml).toContain(`pain.001.001.${version}`)
    expect(xml).toContain('<InstdAmt Ccy="EUR">242.00</InstdAmt>')
  }
  books.setTime('2026-11-23T10:00:00+01:00')
  await books.run('remittances.settle', { id: made.id })
  expect((await books.run('payments.ofReceived', { id: received.id })).amountDue).toBe(0)
})

test('golden files are well-formed for another parser', () => {
  const files = ['02', '08'].map((version) => join(GOLDEN, `pain.008.001.${version}.xml`))
  for (const file of files)
    expect(readFileSync(file, 'utf8')).toContain('<?xml version="1.0" encoding="UTF-8"?>')
  try {
    execFileSync('xmllint', ['--version'], { stdio: 'ignore' })
  } catch {
    return
  }
  for (const file of files) execFileSync('xmllint', ['--noout', file])
})
