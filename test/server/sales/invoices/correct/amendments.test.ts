/** What may be amended of a registration, and how: read, told apart, kept and applied again. */
import { describe, expect, test } from 'vitest'
import {
  amendableFacts,
  amendRegistration,
  changesBetween,
  withChanges,
} from '../../../../../server/sales/invoices/correct/amendments.ts'
import type { AmendChanges } from '../../../../../server/sales/invoices/contract.ts'
import type { NewRegistration } from '../../../../../server/registry/index.ts'

const BREAKDOWN: NewRegistration['breakdown'] = [
  {
    tax: '01',
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp: 2100,
    baseCents: 10_000,
    costBaseCents: null,
    taxCents: 2100,
    surchargeRateBp: null,
    surchargeCents: 0,
  },
  {
    tax: '01',
    taxTreatment: 'E1',
    regimeKey: '01',
    vatRateBp: null,
    baseCents: 5000,
    costBaseCents: null,
    taxCents: 0,
    surchargeRateBp: null,
    surchargeCents: 0,
  },
]

function registration(changes: Partial<NewRegistration> = {}): NewRegistration {
  return {
    turn: 'first',
    issuer: { nif: 'B12345674', name: 'Talleres Ejemplo, S.L.' },
    number: 'F2026-0001',
    issueDate: '2026-11-21',
    operationDate: null,
    kind: 'F1',
    rectification: null,
    rectified: [],
    substituted: [],
    simplifiedArt7273: false,
    withoutRecipientArt61d: false,
    madeBy: null,
    description: 'Servicios',
    recipients: [{ name: 'Cliente Primero, S.L.', nif: 'B87654323' }],
    coupon: false,
    breakdown: BREAKDOWN,
    taxTotalCents: 2100,
    totalCents: 17_100,
    agreementNumber: null,
    ...changes,
  }
}

const SPANISH = registration()
const GERMAN = registration({
  recipients: [{ name: 'Kunde GmbH', country: 'DE', idType: '02', id: 'DE123456789' }],
})

describe('one thing asked for', () => {
  test.each<[string, NewRegistration, AmendChanges, string[], Partial<NewRegistration>]>([
    [
      'the name, tidied',
      SPANISH,
      { clientName: ' Cliente Segundo, S.L. ' },
      ['clientName: Cliente Primero, S.L. > Cliente Segundo, S.L.'],
      { recipients: [{ name: 'Cliente Segundo, S.L.', nif: 'B87654323' }] },
    ],
    [
      'the NIF, in its bare form',
      SPANISH,
      { clientNif: 'b-11.111.119' },
      ['clientNif: B87654323 > B11111119'],
      { recipients: [{ name: 'Cliente Primero, S.L.', nif: 'B11111119' }] },
    ],
    [
      'a NIF honestly called unknown to the census',
      SPANISH,
      { clientNif: '99999999R', clientIdType: '07' },
      ['clientNif: B87654323 > 99999999R', 'clientIdType: null > 07'],
      { recipients: [{ name: 'Cliente Primero, S.L.', country: 'ES', idType: '07', id: '99999999R' }] },
    ],
    [
      'an EU VAT number, whose country it says itself',
      SPANISH,
      { clientNif: 'EL123456789', clientIdType: '02' },
      ['clientNif: B87654323 > EL123456789', 'clientCountry: ES > GR', 'clientIdType: null > 02'],
      { recipients: [{ name: 'Cliente Primero, S.L.', country: 'GR', idType: '02', id: 'EL123456789' }] },
    ],
    [
      'a Spanish number in the place of a foreign one, which is of Spain',
      GERMAN,
      { clientNif: 'B87654323', clientIdType: null },
      ['clientNif: DE123456789 > B87654323', 'clientCountry: DE > ES', 'clientIdType: 02 > null'],
      { recipients: [{ name: 'Kunde GmbH', nif: 'B87654323' }] },
    ],
    [
      'only the name of a foreign customer, who stays where they are',
      GERMAN,
      { clientName: 'Kundin GmbH' },
      ['clientName: Kunde GmbH > Kundin GmbH'],
      { recipients: [{ name: 'Kundin GmbH', country: 'DE', idType: '02', id: 'DE123456789' }] },
    ],
    [
      'a passport with its country',
      SPANISH,
      { clientNif: 'p 123', clientIdType: '03', clientCountry: 'US' },
      ['clientNif: B87654323 > P 123', 'clientCountry: ES > US', 'clientIdType: null > 03'],
      { recipients: [{ name: 'Cliente Primero, S.L.', country: 'US', idType: '03', id: 'P 123' }] },
    ],
    [
      'the description, on one line',
      SPANISH,
      { description: 'Servicios  de\u00a0obra ' },
      ['description: Servicios > Servicios de obra'],
      { description: 'Servicios de obra' },
    ],
    [
      'the day of the operation',
      SPANISH,
      { operationDate: '2026-11-02' },
      ['operationDate: null > 2026-11-02'],
      { operationDate: '2026-11-02' },
    ],
    ['the day of the issue, which is not said twice', SPANISH, { operationDate: '2026-11-21' }, [], {}],
    [
      'no day any more',
      registration({ operationDate: '2026-11-02' }),
      { operationDate: null },
      ['operationDate: 2026-11-02 > null'],
      { operationDate: null },
    ],
    [
      'a regime',
      SPANISH,
      { breakdown: [{ index: 0, regimeKey: '07' }] },
      ['breakdown[0].regimeKey: 01 > 07'],
      { breakdown: [{ ...BREAKDOWN[0]!, regimeKey: '07' }, BREAKDOWN[1]!] },
    ],
    [
      'reverse charge in the place of an exemption: the rate becomes 0',
      SPANISH,
      { breakdown: [{ index: 1, taxTreatment: 'S2' }] },
      ['breakdown[1].taxTreatment: E1 > S2'],
      { breakdown: [BREAKDOWN[0]!, { ...BREAKDOWN[1]!, taxTreatment: 'S2', vatRateBp: 0 }] },
    ],
    [
      'another exemption with its regime',
      SPANISH,
      { breakdown: [{ index: 1, taxTreatment: 'E2', regimeKey: '02' }] },
      ['breakdown[1].taxTreatment: E1 > E2', 'breakdown[1].regimeKey: 01 > 02'],
      {
        breakdown: [
          BREAKDOWN[0]!,
          { ...BREAKDOWN[1]!, taxTreatment: 'E2', regimeKey: '02', vatRateBp: null },
        ],
      },
    ],
    [
      'what it says already',
      SPANISH,
      { clientName: 'Cliente Primero, S.L.', description: 'Servicios' },
      [],
      {},
    ],
    ['nothing', GERMAN, {}, [], {}],
  ])('%s', async (_name, told, asked, changes, expected) => {
    const amended = amendRegistration(told, asked)
    expect(amended.faults).toEqual([])
    expect(amended.changes.map(({ field, from, to }) => `${field}: ${from} > ${to}`)).toEqual(changes)
    expect(amended.registration).toEqual({ ...told, ...expected })
    // What is kept of it makes the same registration again, however often it has been stored.
    const kept = JSON.parse(JSON.stringify(amended.changes)) as typeof amended.changes
    expect(await withChanges(told, kept)).toEqual(amended.registration)
    expect(changesBetween(told, await withChanges(told, kept))).toEqual(amended.changes)
    // And amounts never move.
    expect(amended.registration.breakdown.map(({ baseCents, taxCents }) => [baseCents, taxCents])).toEqual(
      told.breakdown.map(({ baseCents, taxCents }) => [baseCents, taxCents]),
    )
  })
})

describe('what cannot be amended is refused and left as it was', () => {
  test.each<[string, NewRegistration, AmendChanges, string[]]>([
    [
      'tax taken away',
      SPANISH,
      { breakdown: [{ index: 0, taxTreatment: 'E1' }] },
      ['changes.breakdown[0].taxTreatment: amend_treatment_taxed'],
    ],
    [
      'tax added',
      SPANISH,
      { breakdown: [{ index: 1, taxTreatment: 'S1' }] },
      ['changes.breakdown[0].taxTreatment: amend_treatment_taxed'],
    ],
    [
      'a line that is not there',
      SPANISH,
      { breakdown: [{ index: 2, regimeKey: '07' }] },
      ['changes.breakdown[0].index: amend_line_unknown'],
    ],
    [
      'the customer of a simplified invoice',
      registration({ kind: 'F2', recipients: [] }),
      { clientName: 'Ana', clientNif: '12345678Z' },
      ['changes.clientName: amend_no_customer', 'changes.clientNif: amend_no_customer'],
    ],
  ])('%s', (_name, told, asked, faults) => {
    const amended = amendRegistration(told, asked)
    expect(amended.faults.map(({ field, code, severity }) => [severity, `${field}: ${code}`])).toEqual(
      faults.map((fault) => ['error', fault]),
    )
    expect(amended.registration).toEqual(told)
    expect(amended.changes).toEqual([])
  })

  test('a taxed line may be named as taxed, and given another regime', () => {
    const { faults, changes } = amendRegistration(SPANISH, {
      breakdown: [{ index: 0, taxTreatment: 'S1', regimeKey: '07' }],
    })
    expect(faults).toEqual([])
    expect(changes).toEqual([{ field: 'breakdown[0].regimeKey', from: '01', to: '07' }])
  })
})

test('amendments follow each other: each starts from what the one before made', async () => {
  const steps: AmendChanges[] = [
    { clientNif: 'DE123456789', clientIdType: '02' },
    { clientName: 'Kunde GmbH', breakdown: [{ index: 1, taxTreatment: 'E5' }] },
    { clientNif: 'FR12345678901', operationDate: '2026-10-01' },
    { clientNif: 'B87654323', clientIdType: null, operationDate: null },
  ]
  let told = registration()
  const kept = steps.map((step) => {
    const { registration: next, changes } = amendRegistration(told, step)
    told = next
    return changes
  })
  let read = registration()
  for (const changes of kept) read = await withChanges(read, changes)
  expect(read).toEqual(told)
  expect(amendableFacts(told)).toEqual({
    clientName: 'Kunde GmbH',
    clientNif: 'B87654323',
    clientCountry: 'ES',
    clientIdType: null,
    description: 'Servicios',
    operationDate: null,
    breakdown: [
      { taxTreatment: 'S1', regimeKey: '01' },
      { taxTreatment: 'E5', regimeKey: '01' },
    ],
  })
})

test('what was kept and is no amendment any more is not taken for one', async () => {
  await expect(withChanges(SPANISH, [{ field: 'totalCents', from: '1', to: '2' }])).rejects.toMatchObject({
    issues: [{ code: 'unrecognized_keys', keys: ['totalCents'] }],
  })
  await expect(
    withChanges(SPANISH, [{ field: 'breakdown[0].taxTreatment', from: 'S1', to: 'S9' }]),
  ).rejects.toMatchObject({ issues: [{ code: 'invalid_value', path: ['breakdown', 0, 'taxTreatment'] }] })
})
