/** Form of a received invoice: conversion from a reading to fields, and from fields to the API. */
import { otherStateOf } from '../../../server/domain/tax/vat-numbers.ts'
import { describe, expect, test } from 'vitest'
import {
  canPreview,
  emptyForm,
  emptyLine,
  formField,
  formOfCopy,
  formOfProposal,
  formOfReceived,
  proposeBearings,
  receivedInput,
} from '../../../renderer/purchases/form.ts'
import type { Proposal, Received } from '../../../renderer/purchases/form.ts'
import { ENTRY as entry } from './example-entry.ts'
import { receivedHeader } from '../../../server/purchases/invoices/fields.ts'

const UNREAD = { confidence: {}, levels: {}, evidence: {}, alternatives: {}, closes: false }

const proposal: Proposal = {
  source: 'facturae',
  format: 'Facturae 3.2.2',
  supplierName: 'Papelería Sol, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: 'V-77',
  issueDate: '2026-06-20',
  taxLines: [
    { base: 100, vatRate: 21, tax: 21.01 },
    { base: 50, taxTreatment: 'S2', nature: 'eu_goods' },
    { base: 10, taxTreatment: 'E1' },
  ],
  withholding: { rate: 15, base: 100, amount: 15 },
  total: 181.01,
  ...UNREAD,
}

describe('from a reading', () => {
  test('fills every field that was read, and sends it unchanged', () => {
    const form = formOfProposal(proposal, '2026-07-01')
    expect(form).toMatchObject({
      supplierName: 'Papelería Sol, S.L.',
      nif: 'B58818501',
      issueDate: '2026-06-20',
      receptionDate: '2026-07-01',
      withholding: '15',
    })
    expect(form.lines.map(({ base, bearing, tax }) => ({ base, bearing, tax }))).toEqual([
      { base: 10_000, bearing: '21', tax: 2_101 },
      { base: 5_000, bearing: 'eu_goods', tax: null },
      { base: 1_000, bearing: 'E1', tax: null },
    ])
    expect(receivedInput(form)).toMatchObject({
      supplierNumber: 'V-77',
      taxLines: [
        { base: 100, vatRate: 21, tax: 21.01 },
        { base: 50, taxTreatment: 'S2', nature: 'eu_goods' },
        { base: 10, taxTreatment: 'E1' },
      ],
      withholding: { rate: 15, base: 100, amount: 15 },
    })
    // The withholding was stated for other bases.
    const [first] = form.lines
    if (first) first.base = 20_000
    expect(receivedInput(form).withholding).toEqual({ rate: 15 })
  })

  test('leaves one empty line if nothing was read', () => {
    const nothing: Proposal = { source: 'none', format: null, taxLines: [], ...UNREAD }
    const form = formOfProposal(nothing, '2026-07-01')
    expect(form).toEqual(emptyForm('2026-07-01'))
    expect(canPreview(form)).toBe(false)
  })
})

describe('from an entry', () => {
  test('shows the amounts of the document, and preserves what the form does not show', () => {
    const form = formOfReceived(entry)
    expect(form.lines[0]).toMatchObject({ base: 11_000, bearing: 'foreign_services', deductible: '100' })
    expect(form.fxRate).toBe(1_100_000)
    expect(receivedInput(form)).toMatchObject({
      currency: 'USD',
      fxRate: 1.1,
      supplier: { country: 'US' },
      taxLines: [
        {
          base: 110,
          vatRate: 10,
          nature: 'foreign_services',
          description: 'Licencia',
          concept: 'G22',
          account: '629',
        },
      ],
    })
  })

  test('returns each field of the header unchanged', () => {
    const full: Received = {
      ...entry,
      kind: 'rectifying',
      operationDate: '2026-06-18',
      dueDate: '2026-07-20',
      paymentMethod: 'transfer',
      cashAccounting: true,
      notes: 'Dos cajas',
      externalRef: 'purchase-1',
    }
    const input = receivedInput(formOfReceived(full))
    for (const name of receivedHeader.names) expect(input[name], name).toEqual(full[name])
    for (const name of receivedHeader.names)
      if (entry[name] === null) expect(receivedInput(formOfReceived(entry))[name], name).toBeNull()
    expect(receivedInput(formOfCopy(full, '2026-09-01')).externalRef).toBeNull()
  })

  test('lets the account follow another concept', () => {
    const form = { ...formOfReceived(entry), concept: 'G19' }
    const [line] = receivedInput(form).taxLines
    expect(line).not.toHaveProperty('account')
    expect(receivedInput(form).concept).toBe('G19')
  })

  test('a copy is another invoice: no number, no dates, received today', () => {
    expect(formOfCopy(entry, '2026-09-01')).toMatchObject({
      supplierName: 'Tools Inc.',
      supplierNumber: '',
      issueDate: null,
      receptionDate: '2026-09-01',
    })
  })
})

test('a receipt bears no VAT, whatever the line had before', () => {
  const form = {
    ...emptyForm('2026-07-01'),
    kind: 'receipt' as const,
    lines: [{ ...emptyLine(), base: 1_000 }],
  }
  expect(receivedInput(form).taxLines).toEqual([{ base: 10, taxTreatment: 'N1' }])
})

test('the deductible part is typed with a comma', () => {
  const form = { ...emptyForm('2026-07-01'), lines: [{ ...emptyLine(), base: 1_000, deductible: '12,5' }] }
  expect(receivedInput(form).taxLines[0]).toMatchObject({ deductiblePct: 12.5 })
})

test("the server's fields are mapped to the form's", () => {
  expect(formField('taxLines[1].vatRate')).toBe('lines[1].bearing')
  expect(formField('taxLines[0].concept')).toBe('concept')
  expect(formField('supplierNif')).toBe('nif')
  expect(formField('issueDate')).toBe('issueDate')
})

describe('a supplier from abroad', () => {
  test.each([
    ['IE', 'IE6388047V', 'eu_services'],
    ['US', '', 'foreign_services'],
    ['ES', 'B58818501', '21'],
    // Registered in Spain: its VAT is Spanish.
    ['LU', 'W0184081H', '21'],
  ])('of %s with the number «%s» is proposed %s', (country, nif, bearing) => {
    const form = { ...emptyForm('2026-07-01'), country, nif }
    proposeBearings(form)
    expect(form.lines[0]?.bearing).toBe(bearing)
  })

  test('keeps what the user chose or a document states', () => {
    const form = { ...emptyForm('2026-07-01'), country: 'IE' }
    form.lines = ['10', 'eu_goods', '21'].map((bearing) => ({ ...emptyLine(), bearing }))
    const [, , charged] = form.lines
    if (charged) charged.tax = 2_100
    proposeBearings(form)
    expect(form.lines.map(({ bearing }) => bearing)).toEqual(['10', 'eu_goods', '21'])
    // VAT that the supplier charged is sent to the server as such.
    expect(receivedInput({ ...form, supplierName: 'x' }).taxLines).toMatchObject([
      { vatRate: 10, taxTreatment: 'S1', nature: 'domestic' },
      { taxTreatment: 'S2', nature: 'eu_goods' },
      { vatRate: 21, tax: 21, taxTreatment: 'S1', nature: 'domestic' },
    ])
  })

  test('has its country from its VAT number', () => {
    expect(['IE6388047V', 'EL123456789', 'B58818501', 'ESB58818501', 'DE1'].map(otherStateOf)).toEqual([
      'IE',
      'GR',
      null,
      null,
      null,
    ])
  })
})
