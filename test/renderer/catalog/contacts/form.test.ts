import { expect, test } from 'vitest'
import { countryChoices } from '../../../../renderer/catalog/contacts/countries.ts'
import {
  contactInput,
  EMPTY_CONTACT,
  formFaults,
  formField,
  formOf,
  hasMore,
} from '../../../../renderer/catalog/contacts/form.ts'
import { createContactContract } from '../../../../server/catalog/contacts/contract.ts'

const contact: Parameters<typeof formOf>[0] = {
  id: 'con_1',
  name: 'Ana Beltrán',
  tradeName: 'Beltrán',
  nif: '50123456Q',
  kind: 'natural',
  isBusiness: true,
  roles: { customer: true, supplier: true },
  idType: null,
  address: { street: 'Calle 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
  email: 'ana@example.com',
  phone: null,
  iban: 'ES9121000418450200051332',
  paymentMethod: 'transfer',
  vatDefault: { taxTreatment: 'E1', cause: 'art20_education' },
  dir3: { accountingOffice: 'L01280796', managingBody: 'L01280796', processingUnit: 'L01280797' },
  tags: ['VIP', 'Taller'],
  externalRefs: ['C-1'],
  metadata: { shop: '7' },
  surcharge: true,
  withholdingPct: 15.5,
  paymentDays: 30,
  paymentTerms: null,
  remindersOff: false,
  invoiceEnclosures: [],
  language: 'en',
  notes: null,
  version: 2,
  createdAt: '2026-11-21T10:00:00Z',
  updatedAt: '2026-11-21T10:00:00Z',
}

test('a contact is unchanged after a round trip through its form', () => {
  const form = formOf(contact)
  expect(formFaults(form)).toEqual([])
  const input = contactInput(form)
  expect(createContactContract.input.parse(input)).toEqual(input)
  const {
    id: _id,
    version: _version,
    createdAt: _created,
    updatedAt: _updated,
    // The form has no fields for data of other programs, so they stay.
    metadata: _metadata,
    // The server derives it from the NIF.
    kind: _kind,
    ...rest
  } = contact
  expect(input).toEqual({ ...rest, iban: 'ES91 2100 0418 4502 0005 1332' })
  expect(hasMore(form)).toBe(true)
  expect(hasMore({ ...EMPTY_CONTACT })).toBe(false)
})

test('an empty form requires a name and nothing else', () => {
  expect(formFaults({ ...EMPTY_CONTACT })).toEqual([{ name: 'name', words: 'name' }])
  expect(contactInput({ ...EMPTY_CONTACT, name: ' Ana ' })).toMatchObject({
    name: 'Ana',
    nif: null,
    address: null,
    withholdingPct: null,
    paymentDays: null,
    paymentTerms: null,
  })
})

test('an incomplete address and invalid rates, terms and e-mails are reported by field', () => {
  const faults = formFaults({
    ...EMPTY_CONTACT,
    name: 'Ana',
    province: 'Madrid',
    withholding: '51',
    paymentDays: '400',
    email: 'ana@',
  })
  expect(faults.map((fault) => fault.name)).toEqual([
    'street',
    'postalCode',
    'city',
    'withholding',
    'paymentDays',
    'email',
  ])
  expect(formFaults({ ...EMPTY_CONTACT, name: 'Ana', withholding: '-1' }).map((fault) => fault.name)).toEqual(
    ['withholding'],
  )
  expect(formFaults({ ...EMPTY_CONTACT, name: 'Ana', withholding: '7,5 %' })).toEqual([])
  expect(contactInput({ ...EMPTY_CONTACT, name: 'Ana', withholding: '7,5 %' }).withholdingPct).toBe(7.5)
})

test("the server's names of fields are mapped to the form's", () => {
  expect(formField('address.postalCode')).toBe('postalCode')
  expect(formField('withholdingPct')).toBe('withholding')
  expect(formField('expectedVersion')).toBeNull()
})

test('countries are sorted by name with Spain first, and no contact loses its own', () => {
  const choices = countryChoices('es', 'KZ')
  expect(choices[0]).toEqual({ code: 'ES', name: 'España' })
  expect(choices.find((choice) => choice.code === 'KZ')?.name).toBe('Kazajistán')
  expect(choices.findIndex((choice) => choice.code === 'DE')).toBeLessThan(
    choices.findIndex((choice) => choice.code === 'FR'),
  )
})

test('a public body has three codes or none', () => {
  const form = { ...EMPTY_CONTACT, name: 'Ayuntamiento', dir3Office: 'L01280796' }
  expect(formFaults(form)).toEqual([
    { name: 'dir3Body', words: 'dir3' },
    { name: 'dir3Unit', words: 'dir3' },
  ])
  expect(formField('dir3.managingBody')).toBe('dir3Office')
  expect(formField('tags[0]')).toBe('tags')
})
