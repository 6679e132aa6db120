/** A document under the rules of the profile: its findings, and the parts that several rules read. */
import { at, child, children, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { Cents } from '../../../../domain/money.ts'
import { CORRECTED_TYPES } from '../codes.ts'
import type { Finding } from '../finding.ts'
import type { ExchangeRule } from './names.ts'

/** More findings than this say nothing new. */
const MOST_FINDINGS = 100

/** An element with its place. */
export interface Placed {
  element: XmlElement
  path: string
}

/** Parses an amount with at most two decimals into cents; null for anything else. */
export function centsOf(text: string | null): Cents | null {
  const match = /^([+-]?)(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text ?? '')
  if (!match) return null
  const cents = Number(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`)
  return match[1] === '-' && cents !== 0 ? -cents : cents
}

export class Document {
  readonly findings: Finding[] = []
  readonly root: XmlElement
  readonly currency: string
  readonly isCorrection: boolean

  constructor(root: XmlElement) {
    this.root = root
    this.currency = textAt(root, 'DocumentCurrencyCode') ?? ''
    this.isCorrection = CORRECTED_TYPES.includes(textAt(root, 'InvoiceTypeCode') ?? '')
  }

  /** Records a broken rule. */
  say(rule: ExchangeRule, path: string, message: string): void {
    if (this.findings.length < MOST_FINDINGS)
      this.findings.push({ rule, path: path === '' ? 'Invoice' : `Invoice/${path}`, message })
  }

  /** Records a broken rule unless it is kept. */
  must(isKept: boolean, rule: ExchangeRule, path: string, message: string): void {
    if (!isKept) this.say(rule, path, message)
  }

  /** The elements of a name below the root. */
  all(name: string): Placed[] {
    return placed(this.root, name, '')
  }

  text(...path: string[]): string | null {
    return textAt(this.root, ...path)
  }

  at(...path: string[]): XmlElement | null {
    return at(this.root, ...path)
  }

  /** The breakdown of the tax (BG-23): a second total may state it in the currency of the tax, without groups. */
  get breakdown(): Placed[] {
    const total = this.all('TaxTotal').find(({ element }) => child(element, 'TaxSubtotal') !== null)
    return total ? placed(total.element, 'TaxSubtotal', total.path) : []
  }

  /** The references with a meaning of their own (BG-24), by their identifier. */
  reference(id: string): Placed[] {
    return this.all('AdditionalDocumentReference').filter(({ element }) => textAt(element, 'ID') === id)
  }
}

/** Returns the children of a name, with their places. */
export function placed(parent: XmlElement, name: string, path: string): Placed[] {
  const before = path === '' ? '' : `${path}/`
  return children(parent, name).map((element, index) => ({
    element,
    path: `${before}${name}${index === 0 ? '' : `[${index + 1}]`}`,
  }))
}
