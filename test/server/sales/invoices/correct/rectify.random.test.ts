/** Random credits, one after another: together they never take back more than the invoice, and the rest is always exact. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PLAIN_CONTENT, PLAIN_LINE } from '../../../../../server/sales/invoices/content.ts'
import type { DraftContent, DraftLine } from '../../../../../server/sales/invoices/content.ts'
import { documentTotals } from '../../../../../server/sales/invoices/content.ts'
import { inputOf } from '../../../../../server/sales/invoices/draft/compose.ts'
import type { InvoiceLineInput } from '../../../../../server/sales/invoices/contract.ts'
import { differenceLines } from '../../../../../server/sales/invoices/correct/rectify-lines.ts'
import type { Wanted } from '../../../../../server/sales/invoices/correct/rectify-lines.ts'
import {
  addStanding,
  grossCents,
  isFullyRectified,
  ownStanding,
  sameTax,
  standingTotal,
} from '../../../../../server/sales/invoices/references/standing.ts'
import type { Standing } from '../../../../../server/sales/invoices/references/standing.ts'
import type { PartyFacts } from '../../../../../server/sales/invoices/draft/parties.ts'
import type { Fault } from '../../../../../server/domain/errors/app-error.ts'

const CLIENT: PartyFacts = {
  name: 'Cliente',
  tradeName: null,
  nif: null,
  idType: null,
  street: null,
  postalCode: null,
  city: null,
  province: null,
  country: 'ES',
  email: null,
  phone: null,
  iban: null,
  registryInscription: null,
  dir3: null,
}

const RATES: [number, number | null][] = [
  [2100, null],
  [2100, 520],
  [1000, 140],
  [400, null],
  [0, null],
]

const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 50_000 }),
    price: fc.integer({ min: 1, max: 5_000_000 }),
    discount: fc.constantFrom(0, 0, 500, 1234),
    off: fc.constantFrom(0, 0, 1),
    rate: fc.constantFrom(...RATES),
  })
  .map(({ quantity, price, discount, off, rate: [vatRateBp, surchargeRateBp] }): DraftLine => ({
    ...PLAIN_LINE,
    description: 'Cosa',
    quantityMicro: quantity * 1000,
    unitPriceMicro: price * 100,
    discountBp: discount,
    discountCents: off,
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp,
    surchargeRateBp,
    withholdable: true,
    isDisbursement: false,
  }))

const invoice = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  priceMode: fc.constantFrom('net' as const, 'gross' as const),
  discountBp: fc.constantFrom(0, 0, 750),
  discountCents: fc.constantFrom(0, 0, 3),
})

const asked = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 6000 }).map((bp) => bp / 100) }),
  fc.record({ share: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ line: fc.nat(4), part: fc.integer({ min: 1, max: 100 }) }),
)

function base(changes: Partial<DraftContent> & Pick<DraftContent, 'lines'>): DraftContent {
  return {
    ...PLAIN_CONTENT,
    kind: 'F1',
    seriesCode: null,
    issueDate: null,
    operationDate: null,
    dueDate: null,
    client: CLIENT,
    contactId: null,
    priceMode: 'net',
    withholdingBp: null,
    simplifiedArt7273: false,
    notes: null,
    language: 'es',
    paymentMethod: null,
    externalRef: null,
    customerReferences: null,
    ...changes,
  }
}

function contentOf(lines: readonly InvoiceLineInput[], shape: Partial<DraftContent>): DraftContent {
  return base({
    ...shape,
    lines: lines.map((each) => ({
      ...PLAIN_LINE,
      description: each.description,
      quantityMicro: Math.round(each.quantity * 1e6),
      unitPriceMicro: Math.round(each.unitPrice * 1e6),
      discountBp: Math.round((each.discountPct ?? 0) * 100),
      discountCents: Math.round((each.discountAmount ?? 0) * 100),
      taxTreatment: each.taxTreatment ?? 'S1',
      regimeKey: each.regimeKey ?? '01',
      vatRateBp: each.vatRate === undefined ? null : Math.round(each.vatRate * 100),
      surchargeRateBp: each.surcharge ? Math.round(each.surcharge * 100) : null,
      withholdable: true,
      isDisbursement: false,
    })),
  })
}

/** What the check at issue holds a credit to: prices with gross prices, else bases. */
function exceeds(left: Standing, change: Standing, priceMode: 'net' | 'gross'): boolean {
  const figure = priceMode === 'gross' ? grossCents : (tax: Standing['taxes'][number]) => tax.baseCents
  const after = addStanding(left, change)
  return after.taxes.some(
    (tax) => figure(tax) < 0 && change.taxes.some((own) => sameTax(own, tax) && figure(own) < 0),
  )
}

test('credits never exceed the invoice, and the rest brings it to nothing', () => {
  fc.assert(
    fc.property(invoice, fc.array(asked, { maxLength: 4 }), ({ lines, ...shape }, wishes) => {
      const content = base({ ...shape, lines })
      const totals = documentTotals(content)
      // A line that takes something off is given back with a plus: only lines that charge are credited here.
      fc.pre(totals.taxes.every(({ baseCents }) => baseCents > 0))
      fc.pre(totals.lineNetsCents.every((net) => net >= 0))
      const own = ownStanding(totals)
      let left = own
      let credits = 0
      const credit = (wanted: Wanted): 'made' | 'refused' => {
        const faults: Fault[] = []
        const made = differenceLines(
          {
            content,
            lines: inputOf(content).lines,
            number: 'F2026-0001',
            own,
            left,
            isRectified: credits > 0,
          },
          wanted,
          faults,
        )
        if (faults.length > 0 || made.lines.length === 0) return 'refused'
        const change = ownStanding(
          documentTotals(
            contentOf(made.lines, {
              priceMode: made.priceMode,
              discountBp: Math.round(made.discountPct * 100),
            }),
          ),
        )
        for (const tax of change.taxes) expect(grossCents(tax)).toBeLessThanOrEqual(0)
        if (exceeds(left, change, made.priceMode)) return 'refused'
        left = addStanding(left, change)
        credits += 1
        return 'made'
      }
      for (const wish of wishes) {
        if ('percent' in wish) credit({ percent: wish.percent })
        else if ('share' in wish) {
          const amount = Math.floor((standingTotal(left) * wish.share) / 100) / 100
          if (amount > 0) {
            const before = standingTotal(left)
            const isMade = credit({ amount }) === 'made'
            // An amount of the total is credited to the cent.
            if (isMade) expect(before - standingTotal(left)).toBe(Math.round(amount * 100))
          }
        } else {
          const index = wish.line % lines.length
          const quantity = Math.floor(((lines[index]?.quantityMicro ?? 0) * wish.part) / 100) / 1e6
          if (quantity > 0) credit({ lines: [{ index, quantity }] })
        }
      }
      // Rounding moves what is left by a cent for each credit and tax at most: never below nothing by more.
      const slack = (credits + 1) * own.taxes.length
      expect(standingTotal(left)).toBeGreaterThanOrEqual(-slack)
      if (isFullyRectified(left)) return
      expect(credit({})).toBe('made')
      expect(isFullyRectified(left)).toBe(true)
      expect(Math.abs(standingTotal(left))).toBeLessThanOrEqual(slack)
      if (credits === 1) expect(standingTotal(left)).toBe(0)
    }),
    { numRuns: 400 },
  )
})
