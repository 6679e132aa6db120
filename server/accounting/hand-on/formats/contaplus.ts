/** XDiario.txt and XSubCta.txt of ContaPlus and Sage 50: one line for each line of an entry, VAT on the lines of 472 and 477. */
import type { Cents } from '../../../domain/money.ts'
import type {
  Format,
  HandOnAccount,
  HandOnEntry,
  HandOnFault,
  HandOnLine,
  HandOnSettings,
  HandOnWork,
} from '../model.ts'
import { CONTAPLUS_LENGTHS, diaryFields, SUBACCOUNT_FIELDS, SUBACCOUNT_LENGTH } from './contaplus-layout.ts'
import { entryFault } from './faults.ts'
import { recordOf, XBASE_NUMBERS } from './fixed-width.ts'
import type { Values } from './fixed-width.ts'
import { encoded, plainNif, trailingDigits, writable } from './text.ts'
import { isPendingVat, vatAccountOf } from './vat-accounts.ts'
import type { VatAccount } from './vat-accounts.ts'

const NUMBER_DIGITS = 8
/** 13 digits before the point. */
const MOST_CENTS = 999_999_999_999_999
const MOST_ENTRIES = 999_999
const VAT_ACCOUNTS = { issued: '477', received: '472' } as const

const lengthOf = ({ recordLength }: HandOnSettings): number => recordLength ?? CONTAPLUS_LENGTHS[0]

/** Returns values whose texts the file's encoding has. */
const writableOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? writable(value, 'windows-1252') : value,
    ]),
  )

/** Base and rates that a VAT line shows. */
interface Shown {
  baseCents: Cents
  rateBp: number
  surchargeBp: number
}

/** Returns the base of the VAT of a line: that of the invoice's parts at its rate, as far as it may be deducted. */
function shownOf({ document }: HandOnEntry, vat: VatAccount): Shown | null {
  if (document === null || vat.kind === 'surcharge') return null
  const parts = document.parts.filter(
    ({ rateBp, taxCents }) => (rateBp ?? 0) === vat.rateBp && taxCents !== 0,
  )
  if (parts.length === 0) return null
  const baseCents = parts.reduce(
    (sum, part) =>
      sum +
      (vat.side === 'input' && part.deductibleCents !== part.taxCents
        ? Math.round((part.baseCents * part.deductibleCents) / part.taxCents)
        : part.baseCents),
    0,
  )
  return { baseCents, rateBp: vat.rateBp, surchargeBp: parts[0]?.surchargeBp ?? 0 }
}

/** Bases without tax, which a line of zero on the VAT account brings into the VAT book. */
function untaxedCents({ document, lines }: HandOnEntry): Cents {
  if (document === null || document.isReplacing || lines.some(({ code }) => isPendingVat(code))) return 0
  return document.parts.reduce((sum, { taxCents, baseCents }) => sum + (taxCents === 0 ? baseCents : 0), 0)
}

function invoiceValues({ document, date }: HandOnEntry, counterpart: string, shown: Shown): Values {
  if (document === null) return {}
  return {
    CONTRA: counterpart,
    FACTURA: Number(trailingDigits(document.number).slice(-NUMBER_DIGITS)),
    IVA: shown.rateBp,
    RECEQUIV: shown.surchargeBp,
    BASEEURO: shown.baseCents,
    DOCUMENTO: document.number,
    FACTURA10: document.number,
    FACTURAEX: document.number,
    FECHA_OP: document.operationDate,
    FECHA_EX: document.issueDate,
    RECTIFICA: document.isRectifying ? 'T' : 'F',
    ...(document.rectifies && {
      FECHA_RT: document.rectifies.date ?? date,
      FACTU_RT: Number(trailingDigits(document.rectifies.number).slice(-NUMBER_DIGITS)),
    }),
    NTOTALFAC: document.totalCents,
    TERIDNIF: document.party.nif === '' ? 0 : document.party.country === 'ES' ? 1 : 2,
    TERNIF: plainNif(document.party.nif),
    TERNOM: document.party.name,
    OPBIENES: 1,
    TIPOFAC: document.side === 'issued' ? 'E' : 'R',
    // Other kinds have letters that no public program explains.
    TIPOIVA: document.parts.every(
      ({ treatment, nature }) => treatment === 'S1' && (nature === '' || nature === 'domestic'),
    )
      ? 'O'
      : '',
    LCRITCAJA: document.isCashAccounting ? 'T' : 'F',
  }
}

/** True for the line of the customer or supplier. */
const isHead = ({ code, party }: HandOnLine): boolean => party !== null || /^(4[0134]|465|523)/.test(code)

/** Returns the values of each line of an entry, and those of a line of zero for bases without tax. */
function linesOf(entry: HandOnEntry, zeroAccount: string): Values[] {
  const { lines, document } = entry
  const counterpart = lines.find(isHead)?.account ?? lines[0]?.account ?? ''
  const valuesOf = (line: Pick<HandOnLine, 'account' | 'amountCents'>): Values => ({
    ASIEN: entry.number,
    FECHA: entry.date,
    SUBCTA: line.account,
    CONCEPTO: entry.text,
    DOCUMENTO: entry.label,
    EURODEBE: Math.max(line.amountCents, 0),
    EUROHABER: Math.max(-line.amountCents, 0),
  })
  const all = lines.map((line) => {
    const vat = vatAccountOf(line.code)
    const shown = vat && shownOf(entry, vat)
    return { ...valuesOf(line), ...(shown && invoiceValues(entry, counterpart, shown)) }
  })
  const baseCents = untaxedCents(entry)
  if (document !== null && baseCents !== 0)
    all.push({
      ...valuesOf({ account: zeroAccount, amountCents: 0 }),
      ...invoiceValues(entry, counterpart, { baseCents, rateBp: 0, surchargeBp: 0 }),
    })
  return all
}

const zeroAccountOf = (side: 'issued' | 'received', digits: number): string =>
  VAT_ACCOUNTS[side].padEnd(digits, '0')

async function* diary({ settings, entries }: HandOnWork): AsyncGenerator<Uint8Array> {
  const length = lengthOf(settings)
  const fields = diaryFields(length)
  for await (const page of entries())
    yield encoded(
      page
        .flatMap((entry) => linesOf(entry, zeroAccountOf(entry.document?.side ?? 'issued', settings.digits)))
        .map((values) => `${recordOf(fields, length, writableOf(values), XBASE_NUMBERS)}\r\n`)
        .join(''),
      'windows-1252',
    )
}

function subaccount({ account, name, code, party }: HandOnAccount): string {
  const vat = vatAccountOf(code)
  const values = writableOf({
    COD: account,
    TITULO: name,
    TITULOL: name,
    TPC: vat?.kind === 'vat' ? vat.rateBp : 0,
    RECEQUIV: vat?.kind === 'surcharge' ? vat.rateBp : 0,
    ...(party && {
      NIF: plainNif(party.nif),
      DOMICILIO: party.street,
      POBLACION: party.city,
      PROVINCIA: party.province,
      CODPOSTAL: party.postalCode,
      CODPAIS: party.country,
      IDNIF: party.nif === '' ? 0 : party.country === 'ES' ? 1 : 2,
    }),
  })
  return `${recordOf(SUBACCOUNT_FIELDS, SUBACCOUNT_LENGTH, values, XBASE_NUMBERS)}\r\n`
}

async function* subaccounts({ accounts, settings }: HandOnWork): AsyncGenerator<Uint8Array> {
  for (const account of accounts) yield encoded(subaccount(account), 'windows-1252')
  // The accounts of bases without tax are not in the ledger.
  const taken = new Set(accounts.map(({ account }) => account))
  for (const [side, name] of [
    ['issued', 'H.P. IVA repercutido, sin cuota'],
    ['received', 'H.P. IVA soportado, sin cuota'],
  ] as const) {
    const account = zeroAccountOf(side, settings.digits)
    if (!taken.has(account))
      yield encoded(subaccount({ account, name, code: '', party: null }), 'windows-1252')
  }
}

export const contaplus: Format = {
  id: 'contaplus',
  name: 'Sage 50 · ContaPlus',
  sureness: 'reader',
  source: 'github.com/NaN-tic/trytond-account_import_contaplus · github.com/LaRuinaDeMago/Os-Asesor-a',
  digits: { min: 6, max: 12, usual: 8 },
  encodings: ['windows-1252'],
  recordLengths: CONTAPLUS_LENGTHS,
  companyCode: null,
  journal: null,
  check(entry) {
    const faults: HandOnFault[] = []
    const { document, lines } = entry
    if (lines.some(({ amountCents }) => Math.abs(amountCents) > MOST_CENTS))
      faults.push(entryFault('hand_on_amount_too_large', entry))
    if (entry.number > MOST_ENTRIES) faults.push(entryFault('hand_on_entry_number_large', entry))
    if (document === null) return faults
    if (document.isCashAccounting || lines.some(({ code }) => isPendingVat(code)))
      faults.push(entryFault('hand_on_cash_accounting', entry))
    else if (document.isReplacing) faults.push(entryFault('hand_on_replaces', entry))
    if (trailingDigits(document.number).length > NUMBER_DIGITS || document.number.length > 40)
      faults.push(entryFault('hand_on_number_cut', entry))
    return faults
  },
  posted: ({ lines }) => lines,
  files: (work) => [
    { name: 'XSubCta.txt', parts: subaccounts(work) },
    { name: 'XDiario.txt', parts: diary(work) },
  ],
}
