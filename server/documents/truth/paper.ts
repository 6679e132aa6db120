/**
 * What the paper of an invoice says, read from the texts of its layout: marks with their element of the document's
 * structure and the field that they show. Figures are parsed by their language; no function that writes them is used.
 */
import type { DocumentLanguage } from '../../domain/languages.ts'
import { labelsFor } from '../pdf/index.ts'
import type { Layout, Tag, TextMark } from '../pdf/layout/index.ts'
import { addTax } from './said.ts'
import type { Fact, Said, SaidLine, SaidTax } from './said.ts'
import { saidByQr } from './registered.ts'
import { named, sum } from './stored.ts'

/** What the reader looks for: parties and named invoices are searched for in their place, not parsed. */
interface Expected {
  language: DocumentLanguage
  format: 'a4' | 'ticket'
  /** Lines show prices and amounts with their tax. */
  isGross: boolean
  /** By line: its price was entered with its tax, and is shown without it. */
  isRounded: readonly boolean[]
  lineCount: number
  issuer: { name: string; tradeName: string | null; taxId: string | null }
  client: { name: string; taxId: string | null } | null
  references: readonly { number: string; issueDate: string }[]
  mentions: readonly string[]
  units: readonly (string | null)[]
}

/** All text of the document by element and by field. */
interface PaperContent {
  byTag: Map<Tag, string>
  byField: Map<string, TextMark[]>
  qrs: { text: string }[]
  /** Elements written in a strong weight. */
  strong: Set<Tag>
  /** The texts of all elements, one after another and without blanks: one may go on on the next page. */
  whole: string
}

function contentOf({ pages }: Layout): PaperContent {
  const byTag = new Map<Tag, string>()
  const byField = new Map<string, TextMark[]>()
  const qrs: PaperContent['qrs'] = []
  const strong = new Set<Tag>()
  const goesOn = new Set<Tag>()
  for (const page of pages)
    for (const mark of page.marks) {
      if (mark.kind === 'qr') qrs.push(mark)
      if (mark.kind !== 'text') continue
      if (mark.field !== null) {
        const known = byField.get(mark.field)
        if (known) known.push(mark)
        else byField.set(mark.field, [mark])
      }
      if (typeof mark.tag === 'string') continue
      if (mark.weight !== 'regular') strong.add(mark.tag)
      const before = byTag.get(mark.tag)
      byTag.set(
        mark.tag,
        before === undefined ? mark.text : `${before}${goesOn.has(mark.tag) ? '' : ' '}${mark.text}`,
      )
      if (mark.goesOn) goesOn.add(mark.tag)
      else goesOn.delete(mark.tag)
    }
  return { byTag, byField, qrs, strong, whole: compact([...byTag.values()].join('')) }
}

const compact = (text: string): string => text.replace(/[\s\u200b]+/g, '')

function joined(marks: readonly TextMark[]): string {
  let text = ''
  marks.forEach((mark, index) => {
    const isGlued = index > 0 && marks[index - 1]?.goesOn === true
    text += index === 0 || isGlued ? mark.text : ` ${mark.text}`
  })
  return text
}

const ENGLISH_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Reads a day as printed: the order of its figures depends on the language. Returns the text itself if it is none. */
function isoDay(text: string | null): string | null {
  if (text === null) return null
  const english = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})$/.exec(text)
  if (english) {
    const month = ENGLISH_MONTHS.indexOf(english[2] ?? '') + 1
    return `${english[3]}-${String(month).padStart(2, '0')}-${(english[1] ?? '').padStart(2, '0')}`
  }
  const figures = text.split(/[/.]/)
  if (figures.length !== 3) return text
  return (figures[0]?.length === 4 ? figures : figures.toReversed()).join('-')
}

/** Figures as printed: grouped whole digits, and decimals. */
const FIGURE = /[-\u2212]?\d[\d.,\u202f]*/

/** Reads the first figure of a text in units of 10^-`decimals`; null if there is none. */
function figure(text: string, language: DocumentLanguage, decimals: number): number | null {
  const found = FIGURE.exec(text)?.[0].replace(/[.,\u202f]+$/, '')
  if (found === undefined) return null
  const point = language === 'en' ? '.' : ','
  const sign = /^[-\u2212]/.test(found) ? -1 : 1
  const [whole = '', fraction = ''] = found.replace(/^[-\u2212]/, '').split(point)
  const digits = whole.replace(/\D/g, '') + fraction.padEnd(decimals, '0')
  if (fraction.length > decimals) return Number.NaN
  return sign * Number(digits) + 0
}

/** The last amount of a text: labels of sums end with one. */
const LAST_AMOUNT = /[-\u2212]?\d[\d.,\u202f]*\u00a0\S+$/

class Reader {
  readonly #content: PaperContent
  readonly #expected: Expected
  readonly #tables: Tag[]

  constructor(layout: Layout, expected: Expected) {
    this.#content = contentOf(layout)
    this.#expected = expected
    this.#tables = layout.structure.children.filter(({ type }) => type === 'Table')
  }

  /** The value of a fact in the head: its label is in the regular weight. */
  #head(field: string): string | null {
    const marks = this.#content.byField.get(field)?.filter(({ weight }) => weight === 'semibold') ?? []
    return marks.length === 0 ? null : joined(marks)
  }

  #cents(text: string): number {
    return figure(text, this.#expected.language, 2) ?? Number.NaN
  }

  #rate(text: string): number {
    // `21 %`, `21%`, Basque `% 21`.
    const found = /(\d+(?:[.,]\d+)?)[\s\u00a0]?%|%[\s\u00a0]?(\d+(?:[.,]\d+)?)/.exec(text)
    const digits = found?.[1] ?? found?.[2]
    return digits === undefined ? 0 : Math.round(Number(digits.replace(',', '.')) * 100)
  }

  /** Lines of a party: `found` where the place holds what is expected, else all that it holds. */
  #party(field: 'issuer' | 'client'): Record<string, Fact> {
    const own = this.#expected[field]
    const marks = this.#content.byField.get(field) ?? []
    const name = field === 'issuer' ? 'sellerName' : 'buyerName'
    const id = field === 'issuer' ? 'sellerTaxId' : 'buyerTaxId'
    if (own === null) return marks.length === 0 ? {} : { [name]: joined(marks) }
    const lines: string[] = []
    const seen = new Map<Tag, true>()
    for (const { tag } of marks)
      if (typeof tag !== 'string' && !seen.has(tag)) {
        seen.set(tag, true)
        lines.push(this.#content.byTag.get(tag) ?? '')
      }
    const wanted = compact(own.name)
    const hasName = lines.some((line) => {
      const shown = compact(line).replace(/…$/, '')
      return shown === wanted || (shown !== '' && shown.length >= 36 && wanted.startsWith(shown))
    })
    const { taxId } = own
    const hasId =
      taxId !== null && lines.some((line) => line.endsWith(` ${taxId}`) || line.endsWith(` ES${taxId}`))
    return {
      [name]: hasName ? own.name : lines.join(' | '),
      ...(taxId === null ? {} : { [id]: hasId ? taxId : lines.join(' | ') }),
    }
  }

  #lines(): (SaidLine | undefined)[] {
    const { format, lineCount } = this.#expected
    const lines: (SaidLine | undefined)[] = Array.from({ length: lineCount })
    const byRow = new Map<Tag, number>()
    for (const [field, marks] of this.#content.byField) {
      const index = /^lines\.(\d+)$/.exec(field)?.[1]
      if (index === undefined) continue
      if (format === 'ticket') lines[Number(index)] = this.#ticketLine(marks, Number(index))
      else for (const { tag } of marks) if (typeof tag !== 'string') byRow.set(tag, Number(index))
    }
    if (format === 'ticket') return lines
    for (const { children: cells } of this.#tables[0]?.children ?? []) {
      const index = cells[0] && byRow.get(cells[0])
      const at = index ?? cells.map((cell) => byRow.get(cell)).find((each) => each !== undefined)
      if (at === undefined) continue
      const texts = cells.map((cell) => this.#content.byTag.get(cell) ?? '')
      lines[at] = this.#line(at, {
        description: this.#withoutUnit(texts[0] ?? '', this.#expected.units[at] ?? null),
        quantity: texts[1] ?? '',
        price: texts[2] ?? '',
        rate: texts.at(-2) ?? '',
        amount: texts.at(-1) ?? '',
      })
    }
    return lines
  }

  /** A unit that is too wide for its column stands under the description. */
  #withoutUnit(text: string, unit: string | null): string {
    const at = unit === null ? -1 : text.lastIndexOf(`${labelsFor(this.#expected.language).unit}: `)
    return at <= 0 ? text : text.slice(0, at)
  }

  #ticketLine(marks: readonly TextMark[], index: number): SaidLine {
    const [first] = marks
    const what = marks.filter(({ tag, colour }) => tag === first?.tag && colour === first.colour)
    const how = joined(marks.filter(({ tag, colour }) => tag === first?.tag && colour !== first.colour))
    const amount = joined(marks.filter(({ tag }) => tag !== first?.tag))
    const at = how.lastIndexOf('×')
    const price = how.slice(at + 1)
    // Without VAT to show, the discount is the last of them.
    const last = price.split(' · ').at(-1) ?? ''
    return this.#line(index, {
      description: joined(what),
      quantity: how.slice(0, at),
      price,
      rate: last.startsWith(labelsFor(this.#expected.language).discount) ? '' : last,
      amount,
    })
  }

  #line(
    index: number,
    cells: { description: string; quantity: string; price: string; rate: string; amount: string },
  ): SaidLine {
    const { language, isGross } = this.#expected
    const isRounded = this.#expected.isRounded[index] === true
    const price = figure(cells.price, language, 6) ?? Number.NaN
    const quantity = figure(cells.quantity, language, 6) ?? Number.NaN
    const sign = price < 0 ? -1 : 1
    const amount = this.#cents(cells.amount)
    const { surcharge } = labelsFor(language)
    const rate = cells.rate.includes(surcharge) ? 0 : this.#rate(cells.rate.split('+')[0] ?? '')
    return {
      description: cells.description,
      // A negative price that rounds to zero loses its sign.
      ...(isRounded && price === 0 ? {} : { quantityMicro: quantity * sign }),
      rateBp: rate,
      ...(isGross
        ? { listedPriceMicro: price * sign, listedCents: amount }
        : { [isRounded ? 'roundedPriceMicro' : 'priceMicro']: price * sign, netCents: amount }),
    }
  }

  /** Rows of the sums: label, base where there is one, amount. */
  #sums(): { label: string; base: string | null; amount: string; isStrong: boolean }[] {
    const table = this.#tables[1]
    return (table?.children ?? []).flatMap(({ children: [label, ...cells] }) => {
      // The row of headings begins with an empty cell.
      if (!label || label.type !== 'TH') return []
      const text = this.#content.byTag.get(label) ?? ''
      const amount = this.#content.byTag.get(cells.at(-1) ?? label) ?? ''
      const isStrong = this.#content.strong.has(cells.at(-1) ?? label)
      if (this.#expected.format === 'ticket') {
        const [name = '', base] = text.split(' · ')
        return [
          {
            label: name,
            base: base === undefined ? null : (LAST_AMOUNT.exec(base)?.[0] ?? ''),
            amount,
            isStrong,
          },
        ]
      }
      const base = cells.length > 1 ? (this.#content.byTag.get(cells[0] as Tag) ?? '') : ''
      return [{ label: text, base: base === '' ? null : base, amount, isStrong }]
    })
  }

  read(): Said[] {
    const labels = labelsFor(this.#expected.language)
    const { references, mentions, isGross } = this.#expected
    const shown = new Map<string, SaidTax>()
    const facts: Record<string, Fact | undefined> = { withheld: 0, replaced: 0, disbursements: 0 }
    let untaxed = 0
    let surcharges = 0
    let bases = 0
    let quotas = 0
    let strongTotal: number | null = null
    let discounted: number | null = null
    let sumRow: { base: string; amount: string } | null = null
    const rows = this.#sums()
    const box = rows.at(-1)
    for (const [index, { label, base, amount, isStrong }] of rows.slice(0, -1).entries()) {
      if (base !== null) {
        if (isStrong) {
          sumRow = { base, amount }
          continue
        }
        const cents = this.#cents(base)
        const quota = amount === '—' ? 0 : this.#cents(amount)
        const rate = this.#rate(label)
        if (label.startsWith(labels.surcharge)) {
          surcharges += quota
          addTax(shown, `surcharge ${rate}`, { base: 0, tax: quota, surcharge: 0 })
        } else {
          bases += cents
          if (rate > 0) addTax(shown, `vat ${rate}`, { base: cents, tax: quota, surcharge: 0 })
          else untaxed += cents
        }
        quotas += quota
      } else if (isStrong) strongTotal = this.#cents(amount)
      else if (label === labels.disbursements) facts.disbursements = this.#cents(amount)
      else if (label === labels.alreadyInvoiced || label === labels.stillOwed)
        facts.replaced = -this.#cents(amount)
      else if (label === labels.baseAfterDiscount) discounted = this.#cents(amount)
      else if (rows[index + 1]?.label === labels.totalInEuros) facts.eurosTax = this.#cents(amount)
      else if (label === labels.totalInEuros) facts.eurosTotal = this.#cents(amount)
      else if (amount === '' && label.includes('='))
        facts.fx = figure(label.split('=')[1] ?? '', this.#expected.language, 6)
      else if (isWithholding(label, labels.withholding('%', '#'))) {
        facts.withheld = -this.#cents(amount)
        facts.withholdingRate = this.#rate(label)
        facts.withholdingBase = this.#cents(LAST_AMOUNT.exec(label)?.[0] ?? '')
      }
    }
    const boxed = box ? this.#cents(box.amount) : Number.NaN
    const isBack = box?.label === labels.amountToReturn || box?.label === labels.amountOffDebt
    const due = isBack ? -boxed : boxed
    const total = strongTotal === null ? due : strongTotal + Number(facts.disbursements)
    const lines = this.#lines()
    const tax = this.#content.qrs.find(({ text }) => text.startsWith('https:'))
    const pay = this.#content.qrs.find(({ text }) => text.startsWith('BCD'))
    const instalments = this.#instalments()
    const missing = references.find((one) => !this.#names(one))
    const unsaid = mentions.find((mention) => !this.#content.whole.includes(compact(mention)))
    const iban = /IBAN((?:[A-Z]{2}\d{2})[A-Z0-9]{10,30}?)(?=[^A-Z0-9]|$)/.exec(
      compactKeepingEnds(this.#content.byField.get('paymentMethod') ?? []),
    )?.[1]
    const said: Said = {
      source: 'paper',
      facts: {
        number: this.#head('number'),
        issueDate: isoDay(this.#head('issueDate')),
        operationDate: isoDay(this.#head('operationDate')),
        dueDate: instalments.length > 0 ? (instalments[0]?.date ?? null) : isoDay(this.#head('dueDate')),
        ...this.#party('issuer'),
        ...this.#party('client'),
        ...facts,
        total,
        due,
        untaxed,
        untaxedAll: untaxed + surcharges + Number(facts.disbursements),
        references: references
          .map((one) => (one === missing ? `${one.number} is missing` : named(one.number, one.issueDate)))
          .sort()
          .join('; '),
        mentions: unsaid === undefined ? '' : `missing: ${unsaid}`,
        instalmentDates: instalments.map(({ date }) => date).join(' '),
        instalments: instalments.map(({ date, cents }) => `${date} ${cents}`).join('; '),
        instalmentSum: instalments.length > 0 ? sum(instalments.map(({ cents }) => cents)) : undefined,
        lineCount: lines.filter((line) => line !== undefined).length,
        iban: iban ?? null,
        ...(isGross ? {} : { lineSum: sum(lines.map((line) => line?.netCents ?? 0)) }),
      },
      shown,
      lines,
    }
    const others: Said[] = [
      { source: 'sums of the paper', facts: { total: bases + quotas + Number(facts.disbursements) } },
    ]
    // The amount of the box follows from the rows above it.
    others.push({
      source: 'sums of the paper',
      facts: { due: total - Number(facts.withheld) - Number(facts.replaced) },
    })
    if (discounted !== null)
      others.push(
        { source: 'paper', facts: { baseAfterDiscount: discounted } },
        { source: 'sums of the paper', facts: { baseAfterDiscount: bases } },
      )
    if (sumRow)
      others.push(
        {
          source: 'paper',
          facts: { breakdownBase: this.#cents(sumRow.base), breakdownTax: this.#cents(sumRow.amount) },
        },
        { source: 'sums of the paper', facts: { breakdownBase: bases, breakdownTax: quotas } },
      )
    if (tax) others.push(saidByQr(tax.text, 'QR of the paper'))
    else others.push({ source: 'QR of the paper', facts: { qrService: null } })
    if (pay)
      others.push(
        { source: 'paper', facts: { firstDue: instalments[0]?.cents ?? due } },
        paymentCode(pay.text),
      )
    return [said, ...others]
  }

  #names({ number, issueDate }: { number: string; issueDate: string }): boolean {
    const [year = '', month = '', day = ''] = issueDate.split('-')
    const written = `${Number(day)}${ENGLISH_MONTHS[Number(month) - 1] ?? ''}${year}`
    const days = [`${day}/${month}/${year}`, `${year}/${month}/${day}`, `${day}.${month}.${year}`, written]
    return days.some((one) => this.#content.whole.includes(`${compact(number)}(${one})`))
  }

  /** Due dates with their amounts, from the table of the payment or the lines of a ticket. */
  #instalments(): { date: string; cents: number }[] {
    const marks = (this.#content.byField.get('dueDate') ?? []).filter(({ weight }) => weight === 'regular')
    const found: { date: string; cents: number }[] = []
    let day: string | null = null
    for (const { text } of marks) {
      const [first = '', second] = text.split(' · ')
      const date = isoDay(first)
      if (date !== null && /^\d{4}-\d\d-\d\d$/.test(date)) {
        day = date
        if (second !== undefined) found.push({ date, cents: this.#cents(second) })
      } else if (day !== null && LAST_AMOUNT.test(text)) {
        found.push({ date: day, cents: this.#cents(text) })
        day = null
      }
    }
    return found
  }
}

/** True for a label that a template gives, whose rate is `%` and whose base is `#`. */
function isWithholding(label: string, template: string): boolean {
  const [before = '', between = ''] = template.split(/[%#]/)
  return label.startsWith(before) && label.slice(before.length).includes(between) && label.includes('%')
}

function compactKeepingEnds(marks: readonly TextMark[]): string {
  return marks.map(({ text }) => text.replace(/\s+/g, '')).join('\n')
}

/** Reads the code for banking apps (EPC069-12): it asks for what is due first. */
function paymentCode(text: string): Said {
  const [, , , , , , iban = null, amount = ''] = text.split('\n')
  const cents = Math.round(Number(amount.replace(/^EUR/, '')) * 100)
  return { source: 'payment QR', facts: { iban, firstDue: cents } }
}

/** Returns what the paper says, by itself and in its codes. */
export function saidByPaper(layout: Layout, expected: Expected): Said[] {
  return new Reader(layout, expected).read()
}
