/**
 * Records of SUENLACE.DAT, the input link of a3ECO, a3CON and a3ASESOR: positions as data.
 *
 * Source: Wolters Kluwer, "Enlace contable de entrada. Descripción de registros" (media.a3software.com, 5081), as
 * public programs apply it: the reader tl_suenlace_import of Tecniloop/TecniloopAddons (records of 512 bytes), and the
 * writers Jorgepastor9120/suenlace-dat-a3asesor (512), and others with records of 254 positions and a line end (256).
 * The original PDF was not available here.
 */
import type { Field } from './fixed-width.ts'

/** Positions before the line end, by the length of a record with its line end. */
export const A3_POSITIONS: Readonly<Record<number, number>> = { 256: 254, 512: 510 }

/** The digit in position 1: 4 for records of 256 bytes, 5 for those of 512. */
export const A3_FORMAT: Readonly<Record<number, string>> = { 256: '4', 512: '5' }

const HEAD: readonly Field[] = [
  { name: 'format', at: 1, width: 1, kind: 'text' },
  { name: 'company', at: 2, width: 5, kind: 'digits' },
  { name: 'date', at: 7, width: 8, kind: 'day' },
  { name: 'type', at: 15, width: 1, kind: 'text' },
]

/** Currency and mark of generated records, the last two positions. */
const tail = (length: number): Field[] => {
  const last = A3_POSITIONS[length] ?? 254
  return [
    { name: 'currency', at: last - 1, width: 1, kind: 'text', filled: 'E' },
    { name: 'generated', at: last, width: 1, kind: 'text', filled: 'N' },
  ]
}

const ACCOUNT: readonly Field[] = [
  { name: 'account', at: 16, width: 12, kind: 'text' },
  { name: 'accountName', at: 28, width: 30, kind: 'text' },
]

const LINE: readonly Field[] = [
  { name: 'document', at: 59, width: 10, kind: 'text' },
  { name: 'place', at: 69, width: 1, kind: 'text' },
  { name: 'text', at: 70, width: 30, kind: 'text' },
]

/** 0: a line without VAT. */
export const plainFields = (length: number): Field[] => [
  ...HEAD,
  ...ACCOUNT,
  { name: 'side', at: 58, width: 1, kind: 'text' },
  ...LINE,
  { name: 'amount', at: 100, width: 14, kind: 'amount' },
  ...tail(length),
]

/** 1 and 2: head of an invoice, and of a rectifying one. */
export const headFields = (length: number): Field[] => [
  ...HEAD,
  ...ACCOUNT,
  { name: 'invoiceType', at: 58, width: 1, kind: 'text' },
  ...LINE,
  { name: 'amount', at: 100, width: 14, kind: 'amount' },
  { name: 'nif', at: 176, width: 14, kind: 'text' },
  { name: 'name', at: 190, width: 40, kind: 'text' },
  { name: 'postalCode', at: 230, width: 5, kind: 'text' },
  { name: 'operationDate', at: 237, width: 8, kind: 'day' },
  { name: 'invoiceDate', at: 245, width: 8, kind: 'day' },
  ...(length === 512
    ? ([
        { name: 'longNumber', at: 253, width: 60, kind: 'text' },
        { name: 'country', at: 374, width: 2, kind: 'text' },
      ] as const)
    : []),
  ...tail(length),
]

/** 9: one rate of an invoice, with its accounts. */
export const detailFields = (length: number): Field[] => [
  ...HEAD,
  ...ACCOUNT,
  { name: 'side', at: 58, width: 1, kind: 'text' },
  ...LINE,
  { name: 'subtype', at: 100, width: 2, kind: 'text' },
  { name: 'base', at: 102, width: 14, kind: 'amount' },
  { name: 'vatRate', at: 116, width: 5, kind: 'rate' },
  { name: 'vat', at: 121, width: 14, kind: 'amount' },
  { name: 'surchargeRate', at: 135, width: 5, kind: 'rate' },
  { name: 'surcharge', at: 140, width: 14, kind: 'amount' },
  { name: 'withholdingRate', at: 154, width: 5, kind: 'rate' },
  { name: 'withholding', at: 159, width: 14, kind: 'amount' },
  { name: 'form', at: 173, width: 2, kind: 'text' },
  { name: 'isTaxed', at: 175, width: 1, kind: 'text' },
  { name: 'is415', at: 176, width: 1, kind: 'text', filled: 'N' },
  { name: 'vatAccount', at: 192, width: 12, kind: 'text' },
  { name: 'surchargeAccount', at: 204, width: 12, kind: 'text' },
  { name: 'withholdingAccount', at: 216, width: 12, kind: 'text' },
  { name: 'outputVatAccount', at: 228, width: 12, kind: 'text' },
  { name: 'outputSurchargeAccount', at: 240, width: 12, kind: 'text' },
  ...tail(length),
]

/** 4: the invoice that a rectifying one names; only records of 512 bytes have it. */
export const rectifiedFields = (length: number): Field[] => [
  ...HEAD,
  { name: 'rectifiedDate', at: 59, width: 8, kind: 'day' },
  { name: 'rectifiedNumber', at: 67, width: 60, kind: 'text' },
  ...tail(length),
]

/** C: an account, with the person it is of. */
export const accountFields = (length: number): Field[] => [
  ...HEAD,
  ...ACCOUNT,
  { name: 'setsBalance', at: 58, width: 1, kind: 'text', filled: 'N' },
  { name: 'balance', at: 59, width: 14, kind: 'amount' },
  { name: 'nif', at: 78, width: 14, kind: 'text' },
  { name: 'street', at: 94, width: 30, kind: 'text' },
  { name: 'city', at: 135, width: 20, kind: 'text' },
  { name: 'postalCode', at: 155, width: 5, kind: 'text' },
  { name: 'province', at: 160, width: 15, kind: 'text' },
  // Spain is 011; the numbers of other countries are not public, so that they stay empty.
  { name: 'country', at: 175, width: 3, kind: 'text' },
  ...tail(length),
]
