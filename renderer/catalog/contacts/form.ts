/** Form state of a contact, every field a text or a switch, and its conversion to the API. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { formatMicro } from '../../format.ts'
import { parseMoney } from '../../composables/parse/money.ts'
import { microFromNumber, numberFromMicro } from '../../../server/domain/money.ts'
import { readTerms, termsText } from './payment-terms.ts'

type Contact = Omit<OutputOf<'contacts.get'>, 'invoices' | 'invoiced' | 'owed' | 'lastInvoiceOn'>
type ContactInput = InputOf<'contacts.create'>

export interface ContactForm {
  name: string
  /** Empty for a Spanish NIF. */
  idType: string
  nif: string
  street: string
  postalCode: string
  city: string
  province: string
  country: string
  email: string
  phone: string
  surcharge: boolean
  remindersOff: boolean
  /** What goes along with the PDF of an invoice by mail. */
  enclosures: readonly ('facturae' | 'ubl25' | 'ubl' | 'cii' | 'reply_page')[]
  withholding: string
  paymentDays: string
  language: string
  notes: string
  tradeName: string
  customer: boolean
  supplier: boolean
  /** `yes`, `no`, or empty if unknown. */
  business: string
  iban: string
  paymentMethod: string
  /** Empty for the default. */
  vatTreatment: string
  vatCause: string
  /** Separated by commas. */
  tags: string
  externalRefs: string
  dir3Office: string
  dir3Body: string
  dir3Unit: string
  dir3Proposing: string
}

export const EMPTY_CONTACT: ContactForm = {
  name: '',
  idType: '',
  nif: '',
  street: '',
  postalCode: '',
  city: '',
  province: '',
  country: 'ES',
  email: '',
  phone: '',
  surcharge: false,
  remindersOff: false,
  enclosures: [],
  withholding: '',
  paymentDays: '',
  language: '',
  notes: '',
  tradeName: '',
  customer: true,
  supplier: false,
  business: '',
  iban: '',
  paymentMethod: '',
  vatTreatment: '',
  vatCause: '',
  tags: '',
  externalRefs: '',
  dir3Office: '',
  dir3Body: '',
  dir3Unit: '',
  dir3Proposing: '',
}

/** Fields of the part that is collapsed by default. */
const MORE_FIELDS = [
  'tradeName',
  'business',
  'iban',
  'paymentMethod',
  'vatTreatment',
  'tags',
  'externalRefs',
  'dir3Office',
  'remindersOff',
] as const satisfies readonly (keyof ContactForm)[]

/** Returns whether the collapsed part contains a value. */
export function hasMore(form: ContactForm): boolean {
  return form.enclosures.length > 0 || MORE_FIELDS.some((name) => form[name] !== EMPTY_CONTACT[name])
}

/** Returns the form of an existing contact. */
export function formOf(contact: Contact): ContactForm {
  const { address } = contact
  return {
    name: contact.name,
    idType: contact.idType ?? '',
    nif: contact.nif ?? '',
    street: address?.street ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    province: address?.province ?? '',
    country: address?.country ?? 'ES',
    email: contact.email ?? '',
    phone: contact.phone ?? '',
    surcharge: contact.surcharge,
    remindersOff: contact.remindersOff,
    enclosures: contact.invoiceEnclosures,
    withholding:
      contact.withholdingPct === null ? '' : formatMicro(microFromNumber(contact.withholdingPct) ?? 0),
    paymentDays: termsText(contact),
    language: contact.language ?? '',
    notes: contact.notes ?? '',
    tradeName: contact.tradeName ?? '',
    customer: contact.roles.customer,
    supplier: contact.roles.supplier,
    business: contact.isBusiness === null ? '' : contact.isBusiness ? 'yes' : 'no',
    iban: contact.iban?.replace(/(.{4})(?=.)/g, '$1 ') ?? '',
    paymentMethod: contact.paymentMethod ?? '',
    vatTreatment: contact.vatDefault?.taxTreatment ?? '',
    vatCause: contact.vatDefault?.cause ?? '',
    tags: contact.tags.join(', '),
    externalRefs: contact.externalRefs.join(', '),
    dir3Office: contact.dir3?.accountingOffice ?? '',
    dir3Body: contact.dir3?.managingBody ?? '',
    dir3Unit: contact.dir3?.processingUnit ?? '',
    dir3Proposing: contact.dir3?.proposingBody ?? '',
  }
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

interface FormFault {
  name: keyof ContactForm
  /** Message key below `contacts.fault`. */
  words: string
}

const HIGHEST_WITHHOLDING_MICRO = 50_000_000

function withholdingMicro(text: string): number | null | undefined {
  const read = parseMoney(text.replace('%', ''), { decimals: 2, decimalSign: ',' })
  if (!read.ok) return undefined
  if (read.value === null) return null
  const micro = read.value * 10_000
  return micro >= 0 && micro <= HIGHEST_WITHHOLDING_MICRO ? micro : undefined
}

/** Returns the faults found before the request; the server checks the other rules. */
export function formFaults(form: ContactForm): FormFault[] {
  const faults: FormFault[] = []
  if (form.name.trim() === '') faults.push({ name: 'name', words: 'name' })
  const address = [form.street, form.postalCode, form.city]
  if ([...address, form.province].some((part) => part.trim() !== ''))
    for (const name of ['street', 'postalCode', 'city'] as const)
      if (form[name].trim() === '') faults.push({ name, words: 'address' })
  if (withholdingMicro(form.withholding) === undefined)
    faults.push({ name: 'withholding', words: 'withholding' })
  if (readTerms(form.paymentDays) === undefined) faults.push({ name: 'paymentDays', words: 'paymentDays' })
  if (form.email.trim() !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(form.email.trim()))
    faults.push({ name: 'email', words: 'email' })
  const offices = ['dir3Office', 'dir3Body', 'dir3Unit'] as const
  const proposing = form.dir3Proposing.trim()
  if (proposing !== '' || offices.some((name) => form[name].trim() !== ''))
    for (const name of offices)
      if (!/^[A-Z0-9]{9}$/i.test(form[name].trim())) faults.push({ name, words: 'dir3' })
  if (proposing !== '' && !/^[A-Z0-9]{9}$/i.test(proposing))
    faults.push({ name: 'dir3Proposing', words: 'dir3' })
  return faults
}

/** Returns the form as the server takes it; an empty field is cleared. Requires that `formFaults` is empty. */
export function contactInput(form: ContactForm): ContactInput {
  const orNull = (text: string) => text.trim() || null
  const hasAddress = [form.street, form.postalCode, form.city].every((part) => part.trim() !== '')
  const micro = withholdingMicro(form.withholding)
  return {
    name: form.name.trim(),
    nif: orNull(form.nif),
    idType: (form.idType || null) as NonNullable<ContactInput['idType']> | null,
    address: hasAddress
      ? {
          street: form.street.trim(),
          postalCode: form.postalCode.trim(),
          city: form.city.trim(),
          ...(form.province.trim() ? { province: form.province.trim() } : {}),
          country: form.country,
        }
      : null,
    email: orNull(form.email),
    phone: orNull(form.phone),
    surcharge: form.surcharge,
    remindersOff: form.remindersOff,
    invoiceEnclosures: [...form.enclosures],
    withholdingPct: micro === null || micro === undefined ? null : numberFromMicro(micro),
    ...(readTerms(form.paymentDays) ?? { paymentDays: null, paymentTerms: null }),
    language: (form.language || null) as NonNullable<ContactInput['language']> | null,
    notes: orNull(form.notes),
    tradeName: orNull(form.tradeName),
    roles: { customer: form.customer, supplier: form.supplier },
    isBusiness: form.business === '' ? null : form.business === 'yes',
    iban: orNull(form.iban),
    paymentMethod: (form.paymentMethod || null) as NonNullable<ContactInput['paymentMethod']> | null,
    vatDefault:
      form.vatTreatment === ''
        ? null
        : {
            taxTreatment: form.vatTreatment as NonNullable<ContactInput['vatDefault']>['taxTreatment'],
            cause: orNull(form.vatCause),
          },
    tags: words(form.tags),
    externalRefs: words(form.externalRefs),
    dir3: form.dir3Office.trim()
      ? {
          accountingOffice: form.dir3Office.trim(),
          managingBody: form.dir3Body.trim(),
          processingUnit: form.dir3Unit.trim(),
          ...(form.dir3Proposing.trim() ? { proposingBody: form.dir3Proposing.trim() } : {}),
        }
      : null,
  }
}

/** Returns the form's name of a fault's field, where it differs. */
export function formField(field: string): keyof ContactForm | null {
  const name = field
    .replace(/^address\./, '')
    .replace(/^withholdingPct$/, 'withholding')
    .replace(/^(tags|externalRefs)\[.*/, '$1')
    .replace(/^dir3\..*/, 'dir3Office')
    .replace(/^vatDefault.*/, 'vatTreatment')
  return name in EMPTY_CONTACT ? (name as keyof ContactForm) : null
}
