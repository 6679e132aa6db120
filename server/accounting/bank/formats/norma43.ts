/**
 * Reads Norma 43, bank statements of Spanish banks in lines of 80 characters. Every total in the file is verified.
 * Source: Asociación Española de Banca, Cuaderno 43, "Información normalizada de cuenta corriente".
 */
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import { centsToText } from '../../../domain/money.ts'
import { ibanOfCcc } from './ccc.ts'
import { cleanText, FileFaults, fileWarning, MAX_MOVEMENTS, refuseFile } from './statement.ts'
import type { Movement, Statement } from './statement.ts'

const RECORD_LENGTH = 80
const EURO = '978'
const DEBIT = '1'
const CREDIT = '2'
const MAX_COMPLEMENTS = 5

/** A record of the file; its fields are addressed by character position from 0, and `line` is its line number. */
interface Line {
  number: number
  code: string
  text: string
}

interface OpenStatement {
  statement: Statement
  /** Entity, office and account, as repeated by its records. */
  place: string
  balance: Cents
  debits: { count: number; cents: Cents }
  credits: { count: number; cents: Cents }
  complements: number
  texts: string[]
}

/** Returns true when the text starts like Norma 43. */
export function looksLikeNorma43(text: string): boolean {
  return /^11\d{18}/.test(text)
}

/** Reads a whole file. Throws `validation_failed` with every fault and its line. */
export function readNorma43(text: string): { statements: Statement[]; warnings: Fault[] } {
  return new Reader().read(linesOf(text))
}

/** Splits the file into lines. Any line ending is accepted; some banks write none, and some cut trailing blanks. */
function linesOf(text: string): Line[] {
  const broken = /[\r\n]/.test(text.trimEnd())
  const rows = broken
    ? text.split(/\r\n|\n|\r/)
    : (text.trimEnd().match(new RegExp(`.{1,${RECORD_LENGTH}}`, 'gsu')) ?? [])
  return rows.flatMap((row, index) =>
    row.trim() === '' ? [] : [{ number: index + 1, code: row.slice(0, 2), text: row.padEnd(RECORD_LENGTH) }],
  )
}

class Reader {
  private readonly faults = new FileFaults()
  private readonly warnings: Fault[] = []
  private readonly statements: Statement[] = []
  private open: OpenStatement | null = null
  private movements = 0

  read(lines: Line[]): { statements: Statement[]; warnings: Fault[] } {
    let end: { line: Line; before: number } | null = null
    for (const [index, line] of lines.entries()) {
      if (line.text.trimEnd().length > RECORD_LENGTH) {
        this.faults.add('n43_record_length', `Line ${line.number} is longer than 80 characters.`, {
          line: line.number,
        })
        continue
      }
      if (end) {
        this.faults.add('n43_after_end', `Line ${line.number} stands after the end of the file.`, {
          line: line.number,
        })
        break
      }
      if (line.code === '88') end = { line, before: index }
      else this.take(line)
    }
    if (this.open) this.missingEnd(lines.at(-1)?.number ?? 1)
    if (end) this.checkCount(end.line, end.before)
    else
      this.warnings.push(
        fileWarning('n43_no_end', 'The file has no closing record, so its count of records is not verified.'),
      )
    this.faults.check()
    if (this.statements.length === 0) refuseFile('bank_file_empty', 'The file holds no account.')
    return { statements: this.statements, warnings: this.warnings }
  }

  private take(line: Line): void {
    switch (line.code) {
      case '11':
        return this.account(line)
      case '22':
        return this.movement(line)
      case '23':
        return this.complement(line)
      case '24':
        return this.original(line)
      case '33':
        return this.endOfAccount(line)
      default:
        this.faults.add(
          'n43_record_unknown',
          `Line ${line.number} begins with ${line.code}, which is no record of Norma 43.`,
          {
            line: line.number,
            record: cleanText(line.code),
          },
        )
    }
  }

  private account(line: Line): void {
    if (this.open) this.missingEnd(line.number)
    const [entity, office, account] = [line.text.slice(2, 6), line.text.slice(6, 10), line.text.slice(10, 20)]
    const place = line.text.slice(2, 20)
    if (!/^\d{18}$/.test(place))
      this.faults.add(
        'n43_account',
        `Line ${line.number} does not name an account in positions 3 to 20.`,
        at(line),
      )
    const currency = line.text.slice(47, 50)
    if (currency !== EURO)
      this.faults.add('bank_currency', `The account of line ${line.number} is not in euros (${currency}).`, {
        ...at(line),
        currency: cleanText(currency),
      })
    const from = this.date(line, 20)
    const to = this.date(line, 26)
    const opening = this.signed(line, 32, 33)
    this.open = {
      place,
      balance: opening,
      debits: { count: 0, cents: 0 },
      credits: { count: 0, cents: 0 },
      complements: 0,
      texts: [],
      statement: {
        iban: /^\d{18}$/.test(place) ? ibanOfCcc(entity, office, account) : null,
        from,
        to,
        openingCents: opening,
        closingCents: null,
        movements: [],
      },
    }
  }

  private movement(line: Line): void {
    const open = this.opened(line)
    if (!open) return
    this.closeText(open)
    if (++this.movements > MAX_MOVEMENTS) this.tooMany()
    const date = this.date(line, 10)
    const amount = this.signed(line, 27, 28)
    const side = line.text[27] === DEBIT ? open.debits : open.credits
    side.count++
    side.cents += Math.abs(amount)
    open.balance += amount
    const reference = [line.text.slice(52, 64), line.text.slice(64, 80)].map(cleanText)
    const document = cleanText(line.text.slice(42, 52))
    open.complements = 0
    open.texts = []
    const meaningful = [...reference, document].filter((part) => part !== '' && !/^0+$/.test(part))
    const movement: Movement = {
      line: line.number,
      date: date ?? '',
      valueDate: this.date(line, 16),
      amountCents: amount,
      balanceCents: open.balance,
      text: '',
      counterparty: null,
      counterpartyIban: null,
      reference: meaningful.length > 0 ? meaningful.join(' ') : null,
      concept: line.text.slice(22, 24),
      details: [],
    }
    if (amount !== 0) open.statement.movements.push(movement)
    // A movement with amount zero is a note of the bank: it counts in the totals but moves no money.
    else open.complements = -1
  }

  private complement(line: Line): void {
    const open = this.opened(line)
    if (!open) return
    if (open.complements < 0) return
    if (open.statement.movements.length === 0) {
      this.faults.add('n43_order', `Line ${line.number} completes a movement, but there is none before it.`, {
        ...at(line),
        record: '23',
      })
      return
    }
    if (++open.complements > MAX_COMPLEMENTS) {
      this.faults.add('n43_order', `Line ${line.number} is the sixth that completes the same movement.`, {
        ...at(line),
        record: '23',
      })
      return
    }
    open.texts.push(line.text.slice(4, 42), line.text.slice(42, 80))
  }

  /** Adds the amount in the original currency to the text; it has no value in the account. */
  private original(line: Line): void {
    const open = this.opened(line)
    if (!open || open.complements < 0) return
    const last = open.statement.movements.at(-1)
    if (!last) {
      this.faults.add('n43_order', `Line ${line.number} completes a movement, but there is none before it.`, {
        ...at(line),
        record: '24',
      })
      return
    }
    const cents = this.number(line, 7, 14)
    const currency = ISO_CURRENCY[line.text.slice(4, 7)] ?? line.text.slice(4, 7)
    open.texts.push(`${centsToText(cents)} ${currency}`)
  }

  private endOfAccount(line: Line): void {
    const open = this.opened(line)
    if (!open) return
    this.closeText(open)
    if (line.text.slice(2, 20) !== open.place)
      this.faults.add(
        'n43_account_changed',
        `Line ${line.number} closes another account than the one that was opened.`,
        at(line),
      )
    this.compare(line, 'debits', this.number(line, 20, 5), open.debits.count, false)
    this.compare(line, 'debit_total', this.number(line, 25, 14), open.debits.cents, true)
    this.compare(line, 'credits', this.number(line, 39, 5), open.credits.count, false)
    this.compare(line, 'credit_total', this.number(line, 44, 14), open.credits.cents, true)
    const closing = this.signed(line, 58, 59)
    this.compare(line, 'balance', closing, open.balance, true)
    open.statement.closingCents = closing
    this.statements.push(open.statement)
    this.open = null
  }

  private compare(line: Line, what: string, said: number, counted: number, money: boolean): void {
    if (said === counted) return
    const shown = (value: number) => (money ? centsToText(value) : String(value))
    this.faults.add(
      `n43_${what}`,
      `Line ${line.number} says ${shown(said)} (${what.replace('_', ' ')}), but the movements give ${shown(counted)}.`,
      { ...at(line), said: shown(said), counted: shown(counted) },
      'Download the file again; it is not complete or was changed.',
    )
  }

  /** Verifies the record count. It should exclude the closing record; some banks include it. */
  private checkCount(line: Line, before: number): void {
    const said = this.number(line, 20, 6)
    if (said === before) return
    if (said === before + 1)
      this.warnings.push(
        fileWarning('n43_count_with_end', 'The file counts its closing record among the records.'),
      )
    else this.compare(line, 'count', said, before, false)
  }

  private missingEnd(line: number): void {
    this.faults.add(
      'n43_no_account_end',
      `The account that was opened is not closed before line ${line}: its totals are missing.`,
      { line },
      'Download the file again; it is not complete.',
    )
    this.open = null
  }

  private closeText(open: OpenStatement): void {
    const last = open.statement.movements.at(-1)
    if (last && open.complements >= 0 && last.text === '') {
      const joined = cleanText(open.texts.map((text) => text.trimEnd()).join(' '))
      last.text = joined || CONCEPTS[last.concept ?? ''] || 'Movimiento'
    }
    open.texts = []
  }

  private opened(line: Line): OpenStatement | null {
    if (!this.open)
      this.faults.add('n43_order', `Line ${line.number} stands outside an account.`, {
        ...at(line),
        record: line.code,
      })
    return this.open
  }

  private tooMany(): never {
    return refuseFile('bank_file_too_long', `The file holds more than ${MAX_MOVEMENTS} movements.`, {
      most: MAX_MOVEMENTS,
    })
  }

  private number(line: Line, start: number, length: number): number {
    const text = line.text.slice(start, start + length)
    if (/^\d+$/.test(text)) return Number(text)
    this.faults.add(
      'n43_number',
      `Line ${line.number} has no number in positions ${start + 1} to ${start + length}.`,
      {
        ...at(line),
        from: start + 1,
        to: start + length,
      },
    )
    return 0
  }

  /** Reads an amount of 14 digits with its debit (1) or credit (2) key. */
  private signed(line: Line, key: number, start: number): Cents {
    const sign = line.text[key]
    const cents = this.number(line, start, 14)
    if (sign === DEBIT) return cents === 0 ? 0 : -cents
    if (sign !== CREDIT)
      this.faults.add(
        'n43_sign',
        `Line ${line.number} has neither 1 (debit) nor 2 (credit) in position ${key + 1}.`,
        {
          ...at(line),
          position: key + 1,
        },
      )
    return cents
  }

  private date(line: Line, start: number): BusinessDate | null {
    const text = line.text.slice(start, start + 6)
    const date = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`
    if (/^\d{6}$/.test(text) && isBusinessDate(date)) return date
    this.faults.add(
      'n43_date',
      `Line ${line.number} has no day (AAMMDD) in positions ${start + 1} to ${start + 6}.`,
      {
        ...at(line),
        from: start + 1,
        to: start + 6,
      },
    )
    return null
  }
}

const at = (line: Line) => ({ line: line.number })

/** Numeric ISO 4217 codes that occur in statements in euros. */
const ISO_CURRENCY: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '156': 'CNY',
  '203': 'CZK',
  '208': 'DKK',
  '348': 'HUF',
  '392': 'JPY',
  '484': 'MXN',
  '504': 'MAD',
  '578': 'NOK',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
  '985': 'PLN',
  '986': 'BRL',
}

/** Common concepts of the Cuaderno, used as text where the bank writes none. */
const CONCEPTS: Readonly<Record<string, string>> = {
  '01': 'Talones y reintegros',
  '02': 'Abonarés, entregas e ingresos',
  '03': 'Domiciliados, recibos, letras y pagos por su cuenta',
  '04': 'Giros, transferencias, traspasos y cheques',
  '05': 'Amortizaciones de préstamos y créditos',
  '06': 'Remesas de efectos',
  '07': 'Suscripciones, dividendos pasivos y canjes',
  '08': 'Dividendos, cupones, prima de junta y amortizaciones',
  '09': 'Operaciones de bolsa y compra o venta de valores',
  '10': 'Cheques de gasolina',
  '11': 'Cajero automático',
  '12': 'Tarjetas de crédito y de débito',
  '13': 'Operaciones con el extranjero',
  '14': 'Devoluciones e impagados',
  '15': 'Nóminas y seguros sociales',
  '16': 'Timbres, corretaje y póliza',
  '17': 'Intereses, comisiones, custodia, gastos e impuestos',
  '98': 'Anulaciones y correcciones',
  '99': 'Varios',
}
