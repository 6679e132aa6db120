import { describe, expect, test } from 'vitest'
import {
  contactChanges,
  isHalfAddress,
  newContactInput,
} from '../../../../../../renderer/sales/invoices/editor/client/client-contact.ts'
import { clientOf, EMPTY_CLIENT } from '../../../../../../renderer/sales/invoices/editor/draft.ts'
import type { Contact } from '../../../../../../renderer/sales/invoices/editor/draft.ts'

const CONTACT = {
  id: 'con_1',
  name: 'Cliente, S.L.',
  nif: 'B58818501',
  idType: null,
  address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'ES' },
  email: null,
  surcharge: false,
  vatDefault: null,
  version: 3,
} as unknown as Contact
const WITHOUT_ADDRESS = { ...CONTACT, address: null }
const client = clientOf(CONTACT)

describe('the changes from the contact to the document', () => {
  test('are null while nothing was typed', () => {
    expect(contactChanges(client, CONTACT)).toBeNull()
    expect(contactChanges(clientOf(WITHOUT_ADDRESS), WITHOUT_ADDRESS)).toBeNull()
    expect(contactChanges({ ...client, city: ' Málaga ' }, CONTACT)).toBeNull()
  })

  test('contain a complete address, with its country and province', () => {
    expect(contactChanges({ ...client, province: 'Málaga' }, CONTACT)).toEqual({
      address: {
        street: 'Calle Sol 3',
        postalCode: '29001',
        city: 'Málaga',
        province: 'Málaga',
        country: 'ES',
      },
    })
    expect(contactChanges(client, WITHOUT_ADDRESS)).toEqual({ address: CONTACT.address })
  })

  test('contain no incomplete address, neither to save nor to delete the existing one', () => {
    expect(contactChanges({ ...client, street: '' }, CONTACT)).toBeNull()
    expect(isHalfAddress({ ...client, street: '' })).toBe(true)
    expect(isHalfAddress({ ...EMPTY_CLIENT, province: 'Málaga' })).toBe(true)
    expect(isHalfAddress(EMPTY_CLIENT)).toBe(false)
  })

  test('contain a deleted address, a number and an e-mail', () => {
    const none = { ...client, street: '', postalCode: '', city: '' }
    expect(contactChanges(none, CONTACT)).toEqual({ address: null })
    expect(contactChanges({ ...client, nif: '12345678Z', email: 'a@b.example' }, CONTACT)).toEqual({
      nif: '12345678Z',
      email: 'a@b.example',
    })
  })

  test('never contain the name: another name is another customer', () => {
    expect(contactChanges({ ...client, name: 'Otro' }, CONTACT)).toBeNull()
  })
})

test('a new contact takes all typed data and nothing else', () => {
  expect(newContactInput({ ...EMPTY_CLIENT, name: ' Nuevo ' })).toEqual({ name: 'Nuevo' })
  expect(newContactInput({ ...client, idType: '02', country: 'FR', email: 'a@b.example' })).toEqual({
    name: 'Cliente, S.L.',
    nif: 'B58818501',
    idType: '02',
    address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'FR' },
    email: 'a@b.example',
  })
})
