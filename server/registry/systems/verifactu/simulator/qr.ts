/** The QR service: anyone can check whether the authority holds an invoice. */
import { registryDate } from '../../../../domain/dates.ts'
import { isAcceptableNif } from './census.ts'
import type { Fault } from './faults.ts'
import type { SimulatorState } from './state.ts'
import { centsOf, dayOf } from './messages/values.ts'

/** The four values of the address as received; an absent one is missing or null. */
export interface QrParams {
  nif?: string | null
  numserie?: string | null
  fecha?: string | null
  importe?: string | null
}

/** The answer with `formato=json`, in the authority's terms. */
export type QrAnswer =
  | {
      status: 'OK'
      mensaje: string
      visible: boolean
      crashlytics: boolean
      respuesta: {
        /** 00 found, 01 not found (also when cancelled), 02 of a system that is not verifiable. */
        resultado: '00' | '01' | '02'
        nif: string
        numserie: string
        fecha: string
        /** Two decimals. */
        importe: string
      }
    }
  | {
      status: 'KO'
      mensaje: string
      visible: boolean
      crashlytics: boolean
      /** Codes joined with dots. */
      respuesta: { codigo_error: string }
    }

const WORDS: Record<string, string> = {
  '1001': 'Falta el NIF.',
  '1002': 'Falta el número de serie y factura.',
  '1003': 'Falta la fecha.',
  '1004': 'Falta el importe.',
  '2001': 'El NIF no es correcto.',
  '2002': 'El número de factura es demasiado largo.',
  '2003': 'El número de factura tiene caracteres no permitidos.',
  '2004': 'La fecha no es correcta.',
  '2005': 'El importe no es correcto.',
  '2006': 'El importe es demasiado largo.',
  '3001': 'Fallo técnico.',
  '3002': 'Se ha superado el número de consultas del día.',
}

/**
 * Looks up an invoice by number, date and total. Source: AEAT, QR specification 0.5.0, sections on the checking
 * service.
 */
export async function checkQr(
  state: SimulatorState,
  params: QrParams,
  { fault, exhausted }: { fault: Fault | null; exhausted: boolean },
): Promise<QrAnswer> {
  if (fault?.kind === 'qr_code') return refused([fault.code])
  if (exhausted) return refused(['3002'])
  const { nif = '', numserie: number = '', fecha: date = '', importe: amount = '' } = asStrings(params)
  const codes = [...nifCodes(nif), ...numberCodes(number), ...dateCodes(date), ...amountCodes(amount)]
  if (codes.length > 0) return refused(codes)
  const day = dayOf(date)
  const entry = await state.find({ issuerNif: nif, number, issueDate: day ? registryDate(day) : date })
  const isHeld =
    entry !== null &&
    entry.status === 'active' &&
    entry.total !== null &&
    centsOf(entry.total) === centsOf(amount)
  return {
    status: 'OK',
    mensaje: isHeld ? 'Factura encontrada.' : 'Factura no encontrada.',
    visible: true,
    crashlytics: false,
    respuesta: {
      resultado: isHeld ? '00' : '01',
      nif,
      numserie: number,
      fecha: date,
      importe: twoDecimals(amount),
    },
  }
}

function asStrings(params: QrParams): Record<keyof QrParams, string> {
  const text = (value: string | null | undefined) => value ?? ''
  return {
    nif: text(params.nif),
    numserie: text(params.numserie),
    fecha: text(params.fecha),
    importe: text(params.importe),
  }
}

function refused(codes: string[]): QrAnswer {
  return {
    status: 'KO',
    mensaje: codes.map((code) => WORDS[code] ?? '').join(' '),
    visible: true,
    crashlytics: false,
    respuesta: { codigo_error: codes.join('.') },
  }
}

function nifCodes(nif: string): string[] {
  if (nif === '') return ['1001']
  return isAcceptableNif(nif) ? [] : ['2001']
}

function numberCodes(number: string): string[] {
  if (number === '') return ['1002']
  if ([...number].length > 60) return ['2002']
  return /[^\x20-\x7e]|["'<>=]/.test(number) ? ['2003'] : []
}

function dateCodes(date: string): string[] {
  if (date === '') return ['1003']
  return /^\d{2}-\d{2}-\d{4}$/.test(date) && dayOf(date) !== null ? [] : ['2004']
}

function amountCodes(amount: string): string[] {
  if (amount === '') return ['1004']
  const [, whole = '', decimals = ''] = /^[+-]?(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === '') return ['2005']
  return whole.length > 12 || decimals.length > 2 ? ['2006'] : []
}

function twoDecimals(amount: string): string {
  const cents = centsOf(amount)
  const text = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}
