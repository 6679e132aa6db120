/** Contacts: absent parts in every form, lost zeros, roles. */
import { expect, test } from 'vitest'
import { readContact } from '../../../../../server/integrations/erp/holded/contacts.ts'
import { legacyReader } from '../../../../../server/integrations/erp/holded/names.ts'
import { readRows } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'
import type { Json } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'

const row = (changes: Json = {}): Json => ({
  id: 'c1',
  name: 'Talleres Duero SL',
  code: 'B50123454',
  type: 'client',
  bill_address: { address: 'Calle Mayor 1', postal_code: '47001', city: 'Valladolid', country_code: 'ES' },
  client_record: { num: 43000001 },
  supplier_record: [],
  ...changes,
})

test('a complete contact is read', () => {
  expect(
    readContact(
      row({
        trade_name: 'Duero',
        email: 'a@duero.test',
        mobile: 600100200,
        iban: 'es91 2100 0418',
        is_person: '0',
        archived: true,
      }),
    ),
  ).toEqual({
    record: 'contact',
    externalId: 'c1',
    externalKind: 'contact',
    rawVersion: 1,
    warnings: [],
    name: 'Talleres Duero SL',
    tradeName: 'Duero',
    taxId: 'B50123454',
    taxIdRaw: 'B50123454',
    taxIdCountry: 'ES',
    isPerson: false,
    isClient: true,
    isSupplier: false,
    email: 'a@duero.test',
    phone: null,
    mobile: '600100200',
    address: {
      line: 'Calle Mayor 1',
      postalCode: '47001',
      city: 'Valladolid',
      province: null,
      countryCode: 'ES',
    },
    iban: 'ES9121000418',
    archived: true,
  })
})

test.each([
  ['client', [], [], true, false],
  ['supplier', 0, { num: 4 }, false, true],
  ['creditor', [], [], false, true],
  ['lead', [], 0, false, false],
  [null, 43000001, [], true, false],
  [null, undefined, undefined, null, null],
])(
  'a contact of type %s with records %j and %j has its roles',
  (type, client, supplier, isClient, isSupplier) => {
    const read = readContact(row({ type, client_record: client, supplier_record: supplier }))
    expect([read.isClient, read.isSupplier]).toEqual([isClient, isSupplier])
  },
)

test.each([
  [{ postal_code: 8020, country_code: 'ES' }, '08020'],
  [{ postal_code: '1001', country: 'España' }, '01001'],
  [{ postal_code: 50001, country_code: 'es' }, '50001'],
  [{ postal_code: 1010, country_code: 'AT' }, '1010'],
  [{ postal_code: '', city: 'Pau' }, null],
])('the address %j has postal code %s', (address, postalCode) =>
  expect(readContact(row({ bill_address: address })).address?.postalCode ?? null).toBe(postalCode),
)

test.each([[[]], [null], [0], [{ address: '', city: null }]])('%j is not an address', (address) =>
  expect(readContact(row({ bill_address: address })).address).toBeNull(),
)

test('a tax number is read from the field that has one, and an invalid one causes a warning', () => {
  expect(readContact(row({ code: '', vat_number: 'ES-B50.123.454' }))).toMatchObject({
    taxId: 'B50123454',
    warnings: [],
  })
  expect(readContact(row({ code: 'B50123455' }))).toMatchObject({
    taxId: 'B50123455',
    warnings: ['tax_id_invalid'],
  })
  expect(readContact(row({ code: '', bill_address: null }))).toMatchObject({
    taxId: null,
    taxIdCountry: null,
  })
})

test('an unreadable contact leaves the others, a number is an identifier, a trade name is a name', () => {
  const { records, rejects } = readRows(
    [
      row({ id: 77 }),
      row({ id: null }),
      'x',
      row({ id: 'c2', name: ' ' }),
      row({ id: 'c3', name: '', trade_name: 'Duero' }),
    ],
    'contact',
    readContact,
  )
  expect(records.map(({ externalId, name }) => [externalId, name])).toEqual([
    ['77', 'Talleres Duero SL'],
    ['c3', 'Duero'],
  ])
  expect(rejects.map(({ position, reason, field }) => [position, reason, field])).toEqual([
    [1, 'missing_id', 'id'],
    [2, 'not_an_object', null],
    [3, 'missing_name', 'name'],
  ])
})

test('long texts are cut with a warning, and characters that no screen should show are removed', () => {
  expect(readContact(row({ name: `a\u202e${'b'.repeat(300)}` }))).toMatchObject({
    name: `a${'b'.repeat(199)}`,
    warnings: ['text_cut'],
  })
})

test('the older names have the same meaning', () => {
  const older = {
    id: 'c1',
    name: 'Talleres Duero SL',
    tradeName: 'Duero',
    vatnumber: 'B50123454',
    isperson: 1,
    billAddress: { postalCode: 8020, countryCode: 'ES' },
    clientRecord: 0,
    supplierRecord: { num: 1 },
    constructor: 'no name of ours',
  }
  expect(legacyReader(readContact)(older)).toMatchObject({
    tradeName: 'Duero',
    taxId: 'B50123454',
    isPerson: true,
    isClient: false,
    isSupplier: true,
    address: { postalCode: '08020' },
  })
})
