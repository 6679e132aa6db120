/** Entries of every kind of fact, computed by hand. */
import { describe, expect, test } from 'vitest'
import {
  entryOfIssued,
  entryOfPayment,
  entryOfReceived,
  settlementOf,
} from '../../../../server/accounting/ledger/index.ts'
import type { EntryLine, PaymentFacts } from '../../../../server/accounting/ledger/index.ts'
import type {
  IssuedFacts,
  IssuedTax,
  ReceivedFacts,
  ReceivedTax,
} from '../../../../server/domain/booking-facts.ts'
import { regularisationOf } from '../../../../server/accounting/ledger/years/years.ts'

/** Returns lines as a bookkeeper writes them: account and euros, negative for credit. */
function written(lines: readonly EntryLine[]): Record<string, number> {
  expect(lines.reduce((sum, line) => sum + line.amountCents, 0)).toBe(0)
  return Object.fromEntries(
    lines.map(({ account, amountCents, contactId }) => [
      contactId == null ? account : `${account}/${contactId}`,
      amountCents / 100,
    ]),
  )
}

function tax(base: number, rate: number | null, changes: Partial<IssuedTax> = {}): IssuedTax {
  return {
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp: rate === null ? null : rate * 100,
    baseCents: base * 100,
    taxCents: Math.round(base * (rate ?? 0)),
    surchargeRateBp: null,
    surchargeCents: 0,
    outsideCents: 0,
    ...changes,
  }
}

function issued(taxes: IssuedTax[], changes: Partial<IssuedFacts> = {}): IssuedFacts {
  return {
    date: '2026-05-05',
    contactId: 9,
    taxes,
    disbursementsCents: 0,
    totalCents:
      taxes.reduce(
        (sum, one) => sum + one.baseCents + one.taxCents + one.surchargeCents + one.outsideCents,
        0,
      ) + (changes.disbursementsCents ?? 0),
    withholdingCents: 0,
    ...changes,
  }
}

describe('an issued invoice', () => {
  test.each<[string, IssuedFacts, Record<string, number>]>([
    ['21 %', issued([tax(100, 21)]), { '430/9': 121, '705': -100, '4772100': -21 }],
    [
      'two rates, sales in two accounts',
      issued([tax(100, 21), tax(50, 10)], {
        sales: [
          { account: '700', netCents: 10_000 },
          { account: '705', netCents: 5_000 },
        ],
      }),
      { '430/9': 176, '700': -100, '705': -50, '4772100': -21, '4771000': -5 },
    ],
    [
      'a professional with withholding',
      issued([tax(1000, 21)], { withholdingCents: 15_000 }),
      { '430/9': 1060, '473': 150, '705': -1000, '4772100': -210 },
    ],
    [
      'surcharge for a retailer',
      issued([tax(100, 21, { surchargeRateBp: 520, surchargeCents: 520 })], { defaultAccount: '700' }),
      { '430/9': 126.2, '700': -100, '4772100': -21, '4779520': -5.2 },
    ],
    ['exempt', issued([tax(300, null, { taxTreatment: 'E1' })]), { '430/9': 300, '705': -300 }],
    ['reverse charge', issued([tax(300, 0, { taxTreatment: 'S2' })]), { '430/9': 300, '705': -300 }],
    [
      'disbursements on behalf of the customer',
      issued([tax(100, 21)], { disbursementsCents: 4_000 }),
      { '430/9': 161, '705': -100, '4772100': -21, '555': -40 },
    ],
    [
      'cash accounting',
      issued([tax(100, 21, { regimeKey: '07' })], { cashAccounting: true }),
      { '430/9': 121, '705': -100, '4778': -21 },
    ],
    [
      'used goods: the cost is part of the sale',
      issued([tax(100, 21, { regimeKey: '03', outsideCents: 50_000 })], { defaultAccount: '700' }),
      { '430/9': 621, '700': -600, '4772100': -21 },
    ],
    [
      "another member state's VAT through the one-stop shop",
      issued([tax(100, 19, { regimeKey: '17', taxTreatment: 'N2', taxCents: 0, outsideCents: 1_900 })]),
      { '430/9': 119, '705': -100, '4777': -19 },
    ],
    [
      'an advance',
      issued([tax(100, 21)], { advance: true }),
      { '430/9': 121, '438/9': -100, '4772100': -21 },
    ],
    ['a return', issued([tax(-40, 21)], { kind: 'R1' }), { '430/9': -48.4, '708': 40, '4772100': 8.4 }],
    [
      'a bad debt (art. 80.4) recovers the VAT and keeps the claim for the price',
      issued([tax(-100, 21)], { kind: 'R3' }),
      { '430/9': -21, '4772100': 21 },
    ],
    [
      'a correction by substitution deducts its original',
      issued([tax(80, 21)], { kind: 'R4', takesBack: [issued([tax(100, 21)])] }),
      { '430/9': -24.2, '705': 20, '4772100': 4.2 },
    ],
    [
      'an invoice that replaces a ticket moves the claim to its customer',
      issued([tax(100, 21)], { kind: 'F3', takesBack: [issued([tax(100, 21)], { contactId: null })] }),
      { '430/9': 121, '430': -121 },
    ],
    [
      'revenue that rounding spreads unevenly',
      issued([tax(100, 21)], {
        sales: [
          { account: '700', netCents: 1 },
          { account: '701', netCents: 1 },
          { account: '705', netCents: 1 },
        ],
      }),
      { '430/9': 121, '700': -33.34, '701': -33.33, '705': -33.33, '4772100': -21 },
    ],
  ])('%s', (_, facts, expected) => {
    expect(written(entryOfIssued(facts))).toEqual(expected)
  })

  test('that replaces an equal one books nothing', () => {
    expect(entryOfIssued(issued([tax(100, 21)], { takesBack: [issued([tax(100, 21)])] }))).toEqual([])
  })
})

function bought(base: number, rate: number | null, changes: Partial<ReceivedTax> = {}): ReceivedTax {
  const taxCents = Math.round(base * (rate ?? 0))
  return {
    account: '600',
    vatRateBp: rate === null ? null : rate * 100,
    baseCents: base * 100,
    taxCents,
    surchargeCents: 0,
    deductibleCents: taxCents,
    ...changes,
  }
}

const received = (
  taxes: ReceivedTax[],
  total: number,
  changes: Partial<ReceivedFacts> = {},
): ReceivedFacts => ({
  date: '2026-05-05',
  contactId: 4,
  taxes,
  withholdingCents: 0,
  payableAccount: '400',
  totalCents: Math.round(total * 100),
  ...changes,
})

describe('a received invoice', () => {
  test.each<[string, ReceivedFacts, Record<string, number>]>([
    ['goods', received([bought(100, 21)], 121), { '600': 100, '4722100': 21, '400/4': -121 }],
    [
      'a professional, with withholding',
      received([bought(100, 21, { account: '623' })], 121, {
        withholdingCents: 1_500,
        payableAccount: '410',
      }),
      { '623': 100, '4722100': 21, '4751': -15, '410/4': -106 },
    ],
    [
      'half of the VAT deductible',
      received([bought(100, 21, { account: '628', deductibleCents: 1_050 })], 121),
      { '628': 110.5, '4722100': 10.5, '400/4': -121 },
    ],
    [
      'surcharge is cost',
      received([bought(100, 21, { surchargeCents: 520, deductibleCents: 0 })], 126.2),
      { '600': 126.2, '400/4': -126.2 },
    ],
    [
      'goods from another member state',
      received([bought(100, 21, { vatOwedTo: 'self' })], 100),
      { '600': 100, '4722100': 21, '4772100': -21, '400/4': -100 },
    ],
    [
      'reverse charge, nothing deductible',
      received([bought(100, 21, { vatOwedTo: 'self', deductibleCents: 0 })], 100),
      { '600': 121, '4772100': -21, '400/4': -100 },
    ],
    [
      'import with deferred VAT',
      received([bought(100, 21, { vatOwedTo: 'customs' })], 100),
      { '600': 100, '4722100': 21, '4750': -21, '400/4': -100 },
    ],
    [
      'an asset',
      received([bought(1000, 21, { account: '217' })], 1210, { payableAccount: '523' }),
      { '217': 1000, '4722100': 210, '523/4': -1210 },
    ],
    [
      'cash accounting of the supplier',
      received([bought(100, 21)], 121, { cashAccounting: true }),
      { '600': 100, '4728': 21, '400/4': -121 },
    ],
    ['a return', received([bought(-10, 21)], -12.1), { '600': -10, '4722100': -2.1, '400/4': 12.1 }],
  ])('%s', (_, facts, expected) => {
    expect(written(entryOfReceived(facts))).toEqual(expected)
  })

  test('whose total is not the sum of its parts is rejected', () => {
    expect(() => entryOfReceived(received([bought(100, 21)], 120.99))).toThrow('parts')
  })
})

const paid = (changes: Partial<PaymentFacts>): PaymentFacts => ({
  date: '2026-05-05',
  direction: 'in',
  moneyCents: 0,
  settled: [],
  ...changes,
})

describe('a payment', () => {
  test.each<[string, PaymentFacts, Record<string, number>]>([
    [
      'from a customer',
      paid({ moneyCents: 12_100, settled: [{ kind: 'invoice', cents: 12_100, contactId: 9 }] }),
      { '572': 121, '430/9': -121 },
    ],
    [
      'to a supplier, from the till',
      paid({
        direction: 'out',
        moneyCents: 12_100,
        moneyAccount: '570',
        settled: [{ kind: 'received', cents: 12_100, contactId: 4 }],
      }),
      { '570': -121, '410/4': 121 },
    ],
    [
      'two invoices and an advance',
      paid({
        moneyCents: 30_000,
        settled: [
          { kind: 'invoice', cents: 12_100, contactId: 9 },
          { kind: 'invoice', cents: 10_000, contactId: 8 },
          { kind: 'advance', cents: 7_900, contactId: 9 },
        ],
      }),
      { '572': 300, '430/9': -121, '430/8': -100, '438/9': -79 },
    ],
    [
      'with a bank fee',
      paid({
        moneyCents: 12_000,
        settled: [{ kind: 'invoice', cents: 12_100, contactId: 9 }],
        differences: [{ kind: 'fee', costCents: 100 }],
      }),
      { '572': 120, '430/9': -121, '626': 1 },
    ],
    [
      'in another currency, at a loss',
      paid({
        moneyCents: 9_700,
        settled: [{ kind: 'invoice', cents: 10_000, contactId: 9 }],
        differences: [{ kind: 'exchange', costCents: 300 }],
      }),
      { '572': 97, '430/9': -100, '668': 3 },
    ],
    [
      'in another currency, at a gain',
      paid({
        direction: 'out',
        moneyCents: 9_700,
        settled: [{ kind: 'received', cents: 10_000, contactId: 4, account: '400' }],
        differences: [{ kind: 'exchange', costCents: -300 }],
      }),
      { '572': -97, '400/4': 100, '768': -3 },
    ],
    [
      'with an early payment discount',
      paid({
        moneyCents: 11_900,
        settled: [{ kind: 'invoice', cents: 12_100, contactId: 9 }],
        differences: [{ kind: 'discount', costCents: 200 }],
      }),
      { '572': 119, '430/9': -121, '706': 2 },
    ],
    [
      'of a write-off',
      paid({
        settled: [{ kind: 'invoice', cents: 5_000, contactId: 9 }],
        differences: [{ kind: 'bad_debt', costCents: 5_000 }],
      }),
      { '430/9': -50, '650': 50 },
    ],
    [
      'of late interest by a customer',
      paid({
        moneyCents: 12_300,
        settled: [{ kind: 'invoice', cents: 12_100, contactId: 9 }],
        differences: [{ kind: 'interest', costCents: -200 }],
      }),
      { '572': 123, '430/9': -121, '769': -2 },
    ],
    [
      'VAT that becomes due under cash accounting',
      paid({
        moneyCents: 12_620,
        settled: [{ kind: 'invoice', cents: 12_620, contactId: 9 }],
        released: [
          { side: 'issued', vatRateBp: 2100, taxCents: 2_100, surchargeRateBp: 520, surchargeCents: 520 },
        ],
      }),
      { '572': 126.2, '430/9': -126.2, '4778': 26.2, '4772100': -21, '4779520': -5.2 },
    ],
    [
      'VAT that becomes deductible under cash accounting',
      paid({
        direction: 'out',
        moneyCents: 12_100,
        settled: [{ kind: 'received', cents: 12_100, contactId: 4 }],
        released: [{ side: 'received', vatRateBp: 2100, taxCents: 2_100 }],
      }),
      { '572': -121, '410/4': 121, '4722100': 21, '4728': -21 },
    ],
  ])('%s', (_, facts, expected) => {
    expect(written(entryOfPayment(facts))).toEqual(expected)
  })

  test('that does not add up is rejected', () => {
    expect(() =>
      entryOfPayment(paid({ moneyCents: 100, settled: [{ kind: 'invoice', cents: 101, contactId: 9 }] })),
    ).toThrow('differ by -1 cents')
  })
})

describe('the end of a period', () => {
  const of = (balances: Record<string, number>): EntryLine[] =>
    Object.entries(balances).map(([account, euros]) => ({ account, amountCents: euros * 100 }))

  test.each<[string, Record<string, number>, Record<string, number>, number]>([
    [
      'VAT to pay',
      { '4772100': -210, '4722100': 100 },
      { '4772100': 210, '4722100': -100, '4750': -110 },
      110,
    ],
    ['VAT left over', { '4772100': -50, '4722100': 80 }, { '4772100': 50, '4722100': -80, '4700': 30 }, -30],
    [
      'VAT to pay, less the amount carried forward',
      { '4771000': -100, '4700': 30, '430': 500 },
      { '4771000': 100, '4700': -30, '4750': -70 },
      70,
    ],
    [
      'VAT fully offset by the amount carried forward',
      { '4771000': -20, '4700': 30 },
      { '4771000': 20, '4700': -20 },
      0,
    ],
    [
      'pending VAT stays',
      { '4778': -21, '4728': 5, '4777': -19, '4772100': -1 },
      { '4772100': 1, '4750': -1 },
      1,
    ],
    ['nothing to settle', { '430': 100, '705': -100 }, {}, 0],
  ])('%s', (_, balances, expected, result) => {
    const settled = settlementOf(of(balances))
    expect(written(settled.lines)).toEqual(expected)
    expect(settled.resultCents).toBe(result * 100)
  })

  test('closes the result of the year to 129', () => {
    const { lines, resultCents } = regularisationOf(of({ '600': 400, '705': -1000 }))
    expect(written(lines)).toEqual({ '600': -400, '705': 1000, '129': -600 })
    expect(resultCents).toBe(60_000)
  })
})
