/** A round trip of a draft between the page and the API neither loses nor invents a value. */
import { expect, test } from 'vitest'
import {
  contentKey,
  copyForm,
  draftInput,
  emptyForm,
  emptyLine,
  eurosOf,
  formOf,
  formOfDraft,
  heldLines,
  totalsOf,
  withContact,
} from '../../../../../renderer/sales/invoices/editor/draft.ts'
import type { Contact, DraftForm, Invoice } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import { duplicateInput } from '../../../../../renderer/sales/invoices/list/restore-draft.ts'

const TODAY = '2026-11-21'
const defaults = { today: TODAY, paymentDays: 30, withholdingPct: null, language: 'es' } as const
const WALK_IN = 'Cliente sin identificar'

function written(changes: Partial<DraftForm> = {}): DraftForm {
  const form = emptyForm(defaults)
  form.client.name = 'Clínica Dental Aljarafe S.L.P.'
  form.lines = [
    { ...emptyLine(TODAY), description: 'Diseño', quantityMicro: 32_000_000, unitPriceMicro: 45_000_000 },
  ]
  return Object.assign(form, changes)
}

const contact = {
  id: 'con_1',
  name: 'Mercería Lola',
  nif: '12345678Z',
  idType: null,
  address: { street: 'Calle Real 2', postalCode: '41001', city: 'Sevilla', country: 'ES' },
  email: null,
  phone: null,
  surcharge: true,
  withholdingPct: 7,
  paymentDays: 15,
  paymentTerms: null,
  language: 'en',
  notes: null,
  version: 1,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  paymentMethod: 'card',
  vatDefault: null,
} as Contact

function kept(input: ReturnType<typeof draftInput>): Invoice {
  if (!input) throw new Error('nothing to keep')
  return {
    id: 'inv_1',
    createdAt: '2026-11-21T10:00:00Z',
    state: 'draft',
    clientId: input.clientId ?? null,
    clientName: input.clientName,
    client: {
      name: input.clientName,
      nif: input.clientNif ?? null,
      country: input.client?.country ?? 'ES',
      ...(input.client?.address ? { address: input.client.address } : {}),
    },
    lines: input.lines.map((line) => ({
      discountPct: 0,
      regimeKey: '01',
      withholdable: true,
      isDisbursement: false,
      net: 0,
      ...line,
      vatRate: line.vatRate ?? null,
      surcharge: line.surcharge ?? null,
      taxTreatment: line.taxTreatment ?? 'S1',
    })),
    kind: input.kind ?? 'F1',
    series: input.series ?? null,
    issueDate: input.issueDate ?? null,
    operationDate: input.operationDate ?? null,
    dueDate: input.dueDate ?? null,
    ...(input.withholdingPct ? { withholding: { rate: input.withholdingPct, base: 0, amount: 0 } } : {}),
    priceMode: input.priceMode ?? 'net',
    simplifiedArt7273: input.simplifiedArt7273 ?? false,
    notes: input.notes ?? null,
    language: input.language ?? 'es',
    paymentMethod: input.paymentMethod ?? null,
    externalRef: input.externalRef ?? null,
    customerReferences: input.customerReferences ?? null,
    property: input.property ?? null,
    ...(input.rectification ? { rectification: input.rectification } : {}),
    ...(input.discountPct || input.discountAmount
      ? { discount: { pct: input.discountPct ?? 0, amount: input.discountAmount ?? 0, base: 0 } }
      : {}),
    ...(input.currency !== undefined && input.currency !== 'EUR'
      ? {
          inCurrency: {
            currency: input.currency,
            fxRate: input.fxRate,
            fxDate: input.fxDate ?? null,
            fxSource: input.fxSource ?? null,
          },
        }
      : {}),
    rectifies: input.rectifies ?? [],
    substitutes: input.substitutes ?? [],
  } as unknown as Invoice
}

test('nothing can be saved before there is a customer and a described line', () => {
  expect(draftInput(emptyForm(defaults), WALK_IN)).toBeNull()
  const nameless = written()
  nameless.client.name = ' '
  expect(draftInput(nameless, WALK_IN)).toBeNull()
  const undescribed = written()
  for (const line of undescribed.lines) line.description = ''
  expect(draftInput(undescribed, WALK_IN)).toBeNull()
  expect(draftInput(written(), WALK_IN)?.clientName).toBe('Clínica Dental Aljarafe S.L.P.')
})

test('a simplified invoice is saved without a customer', () => {
  const form = written({ kind: 'F2' })
  form.client.name = ''
  expect(draftInput(form, WALK_IN)?.clientName).toBe(WALK_IN)
})

test('blank rows are dropped, and rows without a description stay on the page', () => {
  const form = written()
  form.lines.push({ ...emptyLine(TODAY), unitPriceMicro: 5_000_000 }, emptyLine(TODAY))
  expect(draftInput(form, WALK_IN)?.lines).toHaveLength(1)
  expect(heldLines(form)).toHaveLength(1)
})

test('figures are sent exactly', () => {
  const form = written()
  form.lines[0] = {
    ...emptyLine(TODAY),
    description: 'Cable',
    quantityMicro: 1_005_000,
    unitPriceMicro: 35_000,
    discountBp: 750,
  }
  expect(draftInput(form, WALK_IN)?.lines[0]).toMatchObject({
    quantity: 1.005,
    unitPrice: 0.035,
    discountPct: 7.5,
    vatRate: 21,
    taxTreatment: 'S1',
  })
})

test('an unreadable value counts as zero, in the totals and in the request', () => {
  const form = written()
  Object.assign(form.lines[0] ?? {}, { unread: { unitPrice: '3,2o' } })
  expect(totalsOf(form).totalCents).toBe(0)
  expect(draftInput(form, WALK_IN)?.lines[0]?.unitPrice).toBe(0)
})

test('an empty or unreadable price is saved as missing: it is empty after a reload, never 0', () => {
  const form = written()
  const [line] = form.lines
  if (!line) throw new Error('no line')
  line.unitPriceMicro = null
  expect(draftInput(form, WALK_IN)?.lines[0]?.missing).toEqual(['unitPrice'])
  expect(formOf(kept(draftInput(form, WALK_IN)), TODAY).lines[0]?.unitPriceMicro).toBeNull()
  line.unitPriceMicro = 3_000_000
  line.unread = { unitPrice: '3,2o', quantity: 'x' }
  expect(draftInput(form, WALK_IN)?.lines[0]?.missing).toEqual(['quantity', 'unitPrice'])
  const back = formOf(kept(draftInput(form, WALK_IN)), TODAY).lines[0]
  expect([back?.quantityMicro, back?.unitPriceMicro]).toEqual([null, null])
  // A typed price of 0 stays.
  line.unread = {}
  line.unitPriceMicro = 0
  expect(draftInput(form, WALK_IN)?.lines[0]).not.toHaveProperty('missing')
  expect(formOf(kept(draftInput(form, WALK_IN)), TODAY).lines[0]?.unitPriceMicro).toBe(0)
})

test('exempt lines and disbursements have no rate', () => {
  const form = written()
  form.lines = [
    { ...emptyLine(TODAY), description: 'Clase', unitPriceMicro: 10_000_000, taxTreatment: 'E1' },
    { ...emptyLine(TODAY), description: 'Tasa', unitPriceMicro: 10_000_000, isDisbursement: true },
  ]
  const lines = draftInput(form, WALK_IN)?.lines ?? []
  expect(lines.map((line) => line.vatRate)).toEqual([undefined, undefined])
  expect(totalsOf(form)).toMatchObject({
    baseCents: 1000,
    taxCents: 0,
    disbursementsCents: 1000,
    totalCents: 2000,
  })
})

test('an incomplete address is absent', () => {
  const form = written()
  Object.assign(form.client, { street: 'Calle Real 2', city: 'Sevilla' })
  expect(draftInput(form, WALK_IN)?.client?.address).toBeNull()
  form.client.postalCode = '41001'
  expect(draftInput(form, WALK_IN)?.client?.address).toEqual({
    street: 'Calle Real 2',
    postalCode: '41001',
    city: 'Sevilla',
    country: 'ES',
  })
})

test('a draft is unchanged after a round trip', () => {
  const form = written({
    withholdingBp: 1500,
    notes: 'Gracias',
    operationDate: '2026-11-03',
    priceMode: 'gross',
  })
  Object.assign(form.client, {
    nif: 'B41998877',
    street: 'Calle Real 2',
    postalCode: '41001',
    city: 'Sevilla',
  })
  form.lines.push({
    ...emptyLine(TODAY),
    description: 'Exportado',
    unitPriceMicro: 1_000_000,
    taxTreatment: 'E2',
    unit: 'cajas',
  })
  const input = draftInput(form, WALK_IN)
  const back = kept(input)
  for (const [index, line] of back.lines.entries()) line.regimeKey = index === 1 ? '02' : '01'
  const again = draftInput(formOf(back, TODAY), WALK_IN)
  // Inferred values are kept: the company may be under another regime by now.
  expect(again?.lines.map((each) => each.regimeKey)).toEqual(['01', '02'])
  expect({ ...again, lines: again?.lines.map(({ regimeKey: _key, ...line }) => line) }).toEqual(input)
})

test('a contact sets its term, withholding, language and surcharge', () => {
  const form = written()
  Object.assign(form, withContact(form, contact, TODAY, 30))
  expect(form).toMatchObject({
    dueDate: '2026-12-06',
    withholdingBp: 700,
    language: 'en',
    paymentMethod: 'card',
  })
  expect(form.lines[0]?.surchargeBp).toBe(520)
  expect(draftInput(form, WALK_IN)).toMatchObject({
    clientId: 'con_1',
    clientNif: '12345678Z',
    lines: [{ surcharge: 5.2 }],
  })
})

test('a due date chosen by hand stays when the customer changes', () => {
  const form = written({ dueDate: '2027-01-31', dueDays: null })
  expect(withContact(form, contact, TODAY, 30).dueDate).toBeUndefined()
})

test('the totals of a line without a stated surcharge use the one that the server infers', () => {
  const back = kept(draftInput(written(), WALK_IN))
  expect(formOf(back, TODAY, contact).lines[0]?.surchargeBp).toBe(520)
  expect(formOf(back, TODAY).lines[0]?.surchargeBp).toBeNull()
})

test('a duplicate keeps content and term, and has its own dates', () => {
  const issued = {
    ...kept(draftInput(written(), WALK_IN)),
    issueDate: '2026-03-01',
    dueDate: '2026-03-16',
    series: 'F2025',
    externalRef: 'A-1',
    customerReferences: { order: 'PED-1', contract: 'C-2', file: null },
  } as Invoice
  expect(duplicateInput(issued, TODAY)).toMatchObject({
    issueDate: null,
    dueDate: '2026-12-06',
    series: null,
    externalRef: null,
    customerReferences: { order: null, contract: 'C-2', file: null },
    lines: [{ description: 'Diseño', quantity: 32, unitPrice: 45 }],
  })
})

test('a copy has equal content and new line identities', () => {
  const form = written()
  const copy = copyForm(form)
  expect(contentKey(copy)).toBe(contentKey(form))
  expect(copy.lines[0]?.key).not.toBe(form.lines[0]?.key)
})

test('rare fields are unchanged after a round trip', () => {
  const form = written({
    kind: 'R1',
    discountBp: 500,
    discountCents: 1250,
    currency: 'USD',
    fxMicro: 1_085_300,
    fxDate: '2026-11-20',
    fxSource: 'BCE',
    property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
    rectification: { method: 'S', cause: 'wrong_amount', reason: 'Precio', base: 100, tax: 21 },
  })
  form.lines = [
    {
      ...emptyLine(TODAY),
      description: 'Bicicleta',
      unitPriceMicro: 400_000_000,
      regimeKey: '03',
      costCents: 30_000,
      cause: 'used_goods',
      discountCents: 500,
      account: '700',
      itemId: 'itm_1',
    },
    {
      ...emptyLine(TODAY),
      description: 'Bol',
      unitPriceMicro: 50_000_000,
      taxTreatment: 'N2',
      regimeKey: '17',
      vatRateBp: 1900,
    },
  ]
  const input = draftInput(form, WALK_IN)
  expect(input).toMatchObject({
    currency: 'USD',
    fxRate: 1.0853,
    discountPct: 5,
    discountAmount: 12.5,
    property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
    rectification: { method: 'S', reason: 'Precio', base: 100 },
    lines: [
      { cost: 300, cause: 'used_goods', discountAmount: 5, account: '700', itemId: 'itm_1', regimeKey: '03' },
      { vatRate: 19, taxTreatment: 'N2', regimeKey: '17' },
    ],
  })
  expect(draftInput(formOf(kept(input), TODAY), WALK_IN)).toEqual(input)
  const totals = totalsOf(form)
  expect(eurosOf(form, totals)?.totalCents).not.toBe(totals.totalCents)
  expect(eurosOf(written(), totals)).toBeNull()
})

test('a currency without its rate is not sent, and neither is an account in a wrong format', () => {
  const form = written({ currency: 'USD' })
  Object.assign(form.lines[0] ?? {}, { account: '43' })
  const input = draftInput(form, WALK_IN)
  expect(input).not.toHaveProperty('currency')
  expect(input?.lines[0]).not.toHaveProperty('account')
})

test('a removed rent is sent as null, so that the draft loses it', () => {
  expect(draftInput(written(), WALK_IN)).toMatchObject({ property: null })
  expect(draftInput(written({ property: undefined }), WALK_IN)).not.toHaveProperty('property')
})

test('a saved line without surcharge stays without, and says so', () => {
  const back = kept(draftInput(written(), WALK_IN))
  const form = formOfDraft(back, TODAY, contact)
  expect(form.lines[0]?.surchargeBp).toBe(0)
  expect(totalsOf(form).surchargeCents).toBe(0)
  expect(draftInput(form, WALK_IN)?.lines[0]?.surcharge).toBe(0)
})

test('a customer with another usual tax treatment changes plain lines only', () => {
  const form = written()
  form.lines.push({ ...emptyLine(TODAY), description: 'Ya dicho', taxTreatment: 'E1', cause: 'training' })
  const changes = withContact(form, { ...contact, vatDefault: { taxTreatment: 'E5' } }, TODAY, 30)
  expect(changes.lines?.map((line) => [line.taxTreatment, line.surchargeBp])).toEqual([
    ['E5', null],
    ['E1', null],
  ])
})

test('an unreadable value in the strip counts as zero too', () => {
  const form = written()
  Object.assign(form.lines[0] ?? {}, { discountCents: 500, unread: { discountAmount: '5o' } })
  expect(totalsOf(form).baseCents).toBe(144_000)
})
