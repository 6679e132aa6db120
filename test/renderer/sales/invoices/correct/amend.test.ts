/** Amendment form: its request, and the field of each fault. */
import { expect, test } from 'vitest'
import {
  amendFaults,
  amendFieldOf,
  amendFormOf,
  changedField,
  changesOf,
  REGIME_KEYS,
} from '../../../../../renderer/sales/invoices/correct/amend.ts'
import type { Facts } from '../../../../../renderer/sales/invoices/correct/amend.ts'
import { invoice as en } from '../../../../../renderer/locales/en/invoice.ts'
import { invoice as es } from '../../../../../renderer/locales/es/invoice.ts'
import { AmendChanges } from '../../../../../server/sales/invoices/contract.ts'

const facts: Facts = {
  clientName: 'Ana Ruiz Gil',
  clientNif: '99999999R',
  clientCountry: 'ES',
  clientIdType: null,
  description: 'Mano de obra',
  operationDate: null,
  breakdown: [
    { taxTreatment: 'S1', regimeKey: '01' },
    { taxTreatment: 'E6', regimeKey: '01' },
  ],
}

test('an unchanged form sends nothing', () => {
  expect(changesOf(amendFormOf(facts), facts)).toEqual({})
})

test('only differences are sent, under the names of the contract', () => {
  const form = amendFormOf(facts)
  if (form.client) Object.assign(form.client, { nif: ' 12345678Z ', name: 'Ana Ruiz Gil' })
  form.operationDate = '2026-11-02'
  if (form.breakdown[1]) form.breakdown[1].taxTreatment = 'E1'
  const changes = changesOf(form, facts)
  expect(changes).toEqual({
    clientNif: '12345678Z',
    operationDate: '2026-11-02',
    breakdown: [{ index: 1, taxTreatment: 'E1' }],
  })
  expect(AmendChanges.parse(changes)).toEqual(changes)
})

test('another kind of identification sends its country too; a Spanish number does not', () => {
  const form = amendFormOf(facts)
  if (form.client) Object.assign(form.client, { idType: '02', country: 'DE', nif: 'DE123456789' })
  expect(changesOf(form, facts)).toEqual({
    clientNif: 'DE123456789',
    clientIdType: '02',
    clientCountry: 'DE',
  })
  const german: Facts = { ...facts, clientIdType: '02', clientCountry: 'DE', clientNif: 'DE123456789' }
  const back = amendFormOf(german)
  if (back.client) Object.assign(back.client, { idType: '', nif: '12345678Z' })
  expect(changesOf(back, german)).toEqual({ clientNif: '12345678Z', clientIdType: null })
})

test('a record without a customer has no customer to amend', () => {
  const simplified: Facts = { description: 'Café', operationDate: null, breakdown: [] }
  const form = amendFormOf(simplified)
  expect(form.client).toBeNull()
  expect(amendFaults(form)).toEqual({})
  expect(changesOf(form, simplified)).toEqual({})
})

test('empty fields are reported before the request', () => {
  const form = amendFormOf(facts)
  if (form.client) form.client.nif = '  '
  form.description = ''
  expect(amendFaults(form)).toEqual({ clientNif: 'clientNif', description: 'description' })
})

test('faults of the server are mapped to their field', () => {
  expect(amendFieldOf('changes.clientNif')).toBe('clientNif')
  expect(amendFieldOf('clientName')).toBe('clientName')
  expect(amendFieldOf('changes.breakdown[1].taxTreatment')).toBe('breakdown')
  expect(amendFieldOf('lines')).toBe('breakdown')
  expect(amendFieldOf('')).toBeNull()
  expect(amendFieldOf('series')).toBeNull()
})

test('a change names its group of taxes and its field', () => {
  expect(changedField('breakdown[2].regimeKey')).toEqual({ line: 2, name: 'regimeKey' })
  expect(changedField('clientNif')).toEqual({ line: null, name: 'clientNif' })
})

test('every regime key has a name in both languages', () => {
  for (const { invoice } of [es, en])
    expect(Object.keys(invoice.regime).sort()).toEqual(REGIME_KEYS.map((key) => `r${key}`).sort())
})
