/**
 * Signed files in the place of records: read by code of its own, as far as the chain and the sums say something about
 * them. A signature itself is not proven here: any program for XML signatures does that with the file alone.
 */

/** A signed file, with the texts that the chain's list repeats. */
export interface SignedRecord {
  kind: 'registration' | 'cancellation'
  link: { issuerNif: string; number: string; issueDate: string; hash: string }
  previous: { number: string; hash: null; signature: string } | null
  /** The next file follows the last invoice before it. */
  isLink: boolean
  signature: string | null
  /** The texts that the chain's list has of the file. */
  listed: Record<string, string>
  /** As in other records: the day as DD-MM-YYYY. */
  text: { number: string; issueDate: string; taxTotal: string; total: string }
}

const SIGNATURE_PART = 100

const ROOTS: Readonly<Record<string, Pick<SignedRecord, 'kind' | 'isLink'>>> = {
  TicketBai: { kind: 'registration', isLink: true },
  AnulaTicketBai: { kind: 'cancellation', isLink: false },
  SubsanacionModificacionTicketBAI: { kind: 'registration', isLink: false },
  SubsanacionAnulacionTicketBAI: { kind: 'cancellation', isLink: false },
}
const ROOT = /^(?:<\?xml[^>]*\?>\s*)?<T:(\w+) /

/** Returns true for a text that begins like a signed file. */
export const isSignedFile = (text: string): boolean => ROOTS[ROOT.exec(text)?.[1] ?? ''] !== undefined

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9A-Fa-f]+)|(\w+));/g, (whole, hex: string | undefined, name: string | undefined) =>
    hex === undefined ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(Number.parseInt(hex, 16)),
  )

function textIn(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)
  return found ? decoded(found[1] ?? '') : null
}

function partIn(xml: string, name: string): string {
  return new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? ''
}

const joined = (series: string | null, number: string | null): string =>
  series === null || series === '' ? (number ?? '') : `${series}-${number ?? ''}`

const isoDay = (day: string): string => day.split('-').reverse().join('-')

/** Adds up hundredths without floating point. */
function taxTotalOf(breakdown: string): string {
  let cents = 0
  for (const [, , text = ''] of breakdown.matchAll(/<(CuotaImpuesto|CuotaRecargoEquivalencia)>([^<]*)</g)) {
    const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? []
    const amount = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
    cents += sign === '-' ? -amount : amount
  }
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Reads a file. `hash`: SHA-256 of its text, upper case. Throws for a text that is none. */
export function readSignedFile(xml: string, hash: string): SignedRecord {
  const facts = ROOTS[ROOT.exec(xml)?.[1] ?? '']
  if (!facts) throw new Error('no signed file')
  const header = partIn(xml, 'CabeceraFactura')
  const issuerNif = textIn(partIn(xml, 'Emisor'), 'NIF')
  const day = textIn(header, 'FechaExpedicionFactura')
  if (issuerNif === null || day === null) throw new Error('no key')
  const [before] = header.split('<FacturaRectificativa>')
  const number = joined(textIn(before ?? '', 'SerieFactura'), textIn(before ?? '', 'NumFactura'))
  const signature = (textIn(xml, 'ds:SignatureValue') ?? '').replace(/\s+/g, '') || null
  const chained = partIn(partIn(xml, 'HuellaTBAI'), 'EncadenamientoFacturaAnterior')
  const previous =
    chained === '' || !facts.isLink
      ? null
      : {
          number: joined(textIn(chained, 'SerieFacturaAnterior'), textIn(chained, 'NumFacturaAnterior')),
          hash: null,
          signature: textIn(chained, 'SignatureValueFirmaFacturaAnterior') ?? '',
        }
  const total = textIn(xml, 'ImporteTotalFactura') ?? ''
  const taxTotal = taxTotalOf(partIn(xml, 'TipoDesglose'))
  return {
    ...facts,
    link: { issuerNif, number, issueDate: isoDay(day), hash },
    previous,
    signature,
    listed: {
      issuerNif,
      number,
      issueDate: isoDay(day),
      ...(facts.kind === 'registration' ? { taxTotal, total } : {}),
      ...(signature === null ? {} : { signature }),
      ...(previous ? { previousSignature: previous.signature } : {}),
    },
    text: { number, issueDate: day, taxTotal, total },
  }
}

/** Returns how a file fails to follow the last link before it (null: it is the first); null when it does, or follows none. */
export function signedFault(
  { previous, isLink }: SignedRecord,
  before: SignedRecord | null,
): 'unexpected_first' | 'first_expected' | 'previous_mismatch' | null {
  if (!isLink) return null
  if (before === null) return previous === null ? null : 'first_expected'
  if (previous === null) return 'unexpected_first'
  return previous.signature === before.signature?.slice(0, SIGNATURE_PART) &&
    previous.number === before.link.number
    ? null
    : 'previous_mismatch'
}
