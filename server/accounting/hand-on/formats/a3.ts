/** SUENLACE.DAT of a3ECO, a3CON and a3ASESOR: accounts, invoices with their VAT, and plain lines. */
import type { HandOnEntry, HandOnFault, HandOnSettings, HandOnWork, Format, HandOnAccount } from '../model.ts'
import { entryFault } from './faults.ts'
import {
  A3_FORMAT,
  A3_POSITIONS,
  accountFields,
  detailFields,
  headFields,
  plainFields,
  rectifiedFields,
} from './a3-layout.ts'
import { a3Invoice, postedByA3 } from './a3-invoice.ts'
import type { A3Invoice } from './a3-invoice.ts'
import { A3_NUMBERS, recordOf } from './fixed-width.ts'
import type { Field, Values } from './fixed-width.ts'
import { encoded, plainNif, writable } from './text.ts'
import { isPendingVat } from './vat-accounts.ts'

const NUMBER_WIDTH = 10
const LONG_WIDTH = 60
/** Ten digits before the point. */
const MOST_CENTS = 999_999_999_999

const lengthOf = ({ recordLength }: HandOnSettings): number => recordLength ?? 256

/** Returns the end of a number that does not fit whole: it tells invoices apart. */
const shortNumber = (number: string): string =>
  number.length <= NUMBER_WIDTH ? number : number.replace(/[^0-9A-Za-z]/g, '').slice(-NUMBER_WIDTH)

/** Records of 512 bytes have the whole number too; without its separators it may fit into the others. */
const isWhole = (number: string, length: number): boolean =>
  length === 512 ? number.length <= LONG_WIDTH : number.replace(/[^0-9A-Za-z]/g, '').length <= NUMBER_WIDTH

/** Marks where a record stands in its entry: first, between, last. */
const placeOf = (index: number, count: number): string =>
  index === 0 ? 'I' : index === count - 1 ? 'U' : 'M'

class Records {
  private readonly length: number
  private readonly head: Values
  private readonly settings: HandOnSettings

  constructor(settings: HandOnSettings) {
    this.settings = settings
    this.length = lengthOf(settings)
    this.head = { format: A3_FORMAT[this.length], company: settings.companyCode }
  }

  record(fields: (length: number) => Field[], values: Values): Uint8Array {
    const safe = Object.fromEntries(
      Object.entries({ ...this.head, ...values }).map(([name, value]) => [
        name,
        typeof value === 'string' ? writable(value, this.settings.encoding) : value,
      ]),
    )
    const text = recordOf(fields(this.length), A3_POSITIONS[this.length] ?? this.length, safe, A3_NUMBERS)
    return encoded(`${text}\r\n`, this.settings.encoding)
  }

  account({ account, name, party }: HandOnAccount, date: string): Uint8Array {
    return this.record(accountFields, {
      type: 'C',
      date,
      account,
      accountName: name,
      ...(party && {
        nif: plainNif(party.nif),
        street: party.street,
        city: party.city,
        postalCode: party.country === 'ES' ? party.postalCode : '',
        province: party.country === 'ES' ? party.province : '',
        country: party.country === 'ES' ? '011' : '',
      }),
    })
  }

  plain(entry: HandOnEntry): Uint8Array[] {
    const { lines } = entry
    return lines.map((line, index) =>
      this.record(plainFields, {
        type: '0',
        date: entry.date,
        account: line.account,
        accountName: line.name,
        side: line.amountCents < 0 ? 'H' : 'D',
        document: shortNumber(entry.label),
        place: placeOf(index, lines.length),
        text: entry.text,
        amount: Math.abs(line.amountCents),
      }),
    )
  }

  invoice(entry: HandOnEntry, { type, invoiceType, head, headCents, details }: A3Invoice): Uint8Array[] {
    const document = entry.document
    if (document === null) return []
    const common = { date: entry.date, document: shortNumber(document.number), text: entry.text }
    const form = document.isRent && document.withholdingCents !== 0 ? '03' : '01'
    const records = [
      this.record(headFields, {
        ...common,
        type,
        account: head.account,
        accountName: head.name,
        invoiceType,
        place: 'I',
        amount: headCents,
        nif: plainNif(document.party.nif),
        name: document.party.name,
        postalCode: document.party.country === 'ES' ? document.party.postalCode : '',
        operationDate: document.operationDate,
        invoiceDate: document.issueDate,
        longNumber: document.number,
        country: document.party.country,
      }),
      ...details.map((detail, index) =>
        this.record(detailFields, {
          ...common,
          type: '9',
          account: detail.account,
          accountName: detail.accountName,
          side: 'C',
          place: index === details.length - 1 ? 'U' : 'M',
          subtype: detail.subtype,
          base: detail.baseCents,
          vatRate: detail.vatRateBp,
          vat: detail.vatCents,
          surchargeRate: detail.surchargeBp,
          surcharge: detail.surchargeCents,
          withholdingRate: detail.withholdingBp,
          withholding: detail.withholdingCents,
          form: detail.subtype === '03' ? '02' : form,
          isTaxed: detail.isTaxed ? 'S' : 'N',
          vatAccount: detail.vatAccount,
          surchargeAccount: detail.surchargeAccount,
          withholdingAccount: detail.withholdingAccount,
          outputVatAccount: detail.outputVatAccount,
        }),
      ),
    ]
    if (this.length === 512 && document.rectifies)
      records.push(
        this.record(rectifiedFields, {
          type: '4',
          date: entry.date,
          rectifiedDate: document.rectifies.date,
          rectifiedNumber: document.rectifies.number,
        }),
      )
    return records
  }
}

async function* suenlace({ settings, accounts, entries, from }: HandOnWork): AsyncGenerator<Uint8Array> {
  const records = new Records(settings)
  for (const account of accounts) yield records.account(account, from)
  for await (const page of entries()) {
    const made: Uint8Array[] = []
    for (const entry of page) {
      const invoice = a3Invoice(entry)
      made.push(...(invoice ? records.invoice(entry, invoice) : records.plain(entry)))
    }
    yield Buffer.concat(made)
  }
}

/** Why an invoice goes as plain lines. */
function whyPlain({ document, lines }: HandOnEntry) {
  if (document?.isCashAccounting || lines.some(({ code }) => isPendingVat(code)))
    return 'hand_on_cash_accounting'
  if (document?.isReplacing) return 'hand_on_replaces'
  return 'hand_on_vat_by_hand'
}

export const a3: Format = {
  id: 'a3',
  name: 'a3ASESOR · a3ECO · a3CON',
  sureness: 'reader',
  source:
    'Wolters Kluwer, Enlace contable de entrada · github.com/Tecniloop/TecniloopAddons (tl_suenlace_import)',
  digits: { min: 6, max: 12, usual: 8 },
  encodings: ['windows-1252'],
  recordLengths: [512, 256],
  companyCode: /^\d{1,5}$/,
  journal: null,
  check(entry, settings) {
    const faults: HandOnFault[] = []
    if (entry.lines.some(({ amountCents }) => Math.abs(amountCents) > MOST_CENTS))
      faults.push(entryFault('hand_on_amount_too_large', entry))
    if (entry.document) {
      if (a3Invoice(entry) === null) faults.push(entryFault(whyPlain(entry), entry))
      if (!isWhole(entry.document.number, lengthOf(settings)))
        faults.push(entryFault('hand_on_number_cut', entry))
    }
    return faults
  },
  posted(entry) {
    const invoice = a3Invoice(entry)
    return invoice
      ? [...postedByA3(invoice)].map(([account, amountCents]) => ({ account, amountCents }))
      : entry.lines
  },
  files: (work) => [{ name: 'SUENLACE.DAT', parts: suenlace(work) }],
}
