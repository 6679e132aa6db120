/**
 * Parser of the address in the tax code of an invoice: VERI*FACTU (RD 1007/2023, Orden HAC/1177/2024 art. 21) and
 * TicketBAI. It never requests the address.
 */
import { centsOfText, dayOfPrinted, eurosOrNull, lineOf } from './amounts.ts'
import type { Cents } from '../../domain/money.ts'
import type { ReadProposal } from './read-result.ts'

const AEAT_HOSTS = /^(?:www\d*|prewww\d*)\.(?:agenciatributaria\.gob\.es|aeat\.es)$/
const TICKETBAI_HOSTS = /(?:^|\.)(?:batuz\.eus|gipuzkoa\.eus|araba\.eus)$/

export type QrFacts = Pick<ReadProposal, 'supplierNif' | 'supplierNumber' | 'issueDate' | 'total' | 'qrUrl'>

function verifactu(url: URL): QrFacts | null {
  if (!AEAT_HOSTS.test(url.hostname) || !/ValidarQR/i.test(url.pathname)) return null
  const get = (name: string): string => url.searchParams.get(name) ?? ''
  const facts: QrFacts = {}
  const nif = lineOf(get('nif'), 20)
  const number = lineOf(get('numserie'), 60)
  const day = dayOfPrinted(get('fecha'))
  const total = eurosOrNull(centsOfText(get('importe')))
  if (nif) facts.supplierNif = nif.toUpperCase()
  if (number) facts.supplierNumber = number
  if (day) facts.issueDate = day
  if (total !== null) facts.total = total
  return nif && number ? { ...facts, qrUrl: url.href } : null
}

/** Parses `TBAI-NIF-DDMMYY-signature-check`, with series, number and amount beside it. */
function ticketBai(url: URL): QrFacts | null {
  if (!TICKETBAI_HOSTS.test(url.hostname)) return null
  const match = /^TBAI-([A-Z0-9]{9})-(\d{2})(\d{2})(\d{2})-/.exec(url.searchParams.get('id') ?? '')
  if (!match) return null
  const [, nif = '', day = '', month = '', year = ''] = match
  const number = [url.searchParams.get('s'), url.searchParams.get('nf')].filter(Boolean).join('-')
  const facts: QrFacts = { supplierNif: nif, qrUrl: url.href }
  const issueDate = dayOfPrinted(`${day}-${month}-${year}`)
  const total = eurosOrNull(centsOfText(url.searchParams.get('i')))
  const line = lineOf(number, 60)
  if (line) facts.supplierNumber = line
  if (issueDate) facts.issueDate = issueDate
  if (total !== null) facts.total = total
  return facts
}

/** Returns the total of a code in cents. */
export const codedCentsOf = (facts: QrFacts | null): Cents | null =>
  facts?.total === undefined ? null : Math.round(facts.total * 100)

/** Returns the facts of a tax code, or null for any other text. */
export function factsOfQr(text: string): QrFacts | null {
  if (text.length > 1000 || !/^https?:\/\//i.test(text)) return null
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  return verifactu(url) ?? ticketBai(url)
}
