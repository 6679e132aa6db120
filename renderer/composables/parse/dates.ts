/**
 * Parser of dates as users type them: `3/2`, `3-2-27`, `030227`, `3 feb`, `hoy`, `ayer`, `+30`. Day before month,
 * always.
 */
import { addDays, isBusinessDate } from '../../../server/domain/dates.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'

type DateReading =
  | { ok: true; date: BusinessDate | null }
  | { ok: false; reason: 'not_a_date' | 'no_such_day' }

interface DateRules {
  /** Supplies a missing year or month, and the meaning of `hoy`. */
  today: BusinessDate
  /** Start date of `+30`; a due date counts from the issue date. Default: today. */
  from?: BusinessDate
}

const WORDS: Record<string, number> = {
  hoy: 0,
  today: 0,
  ayer: -1,
  yesterday: -1,
  mañana: 1,
  manana: 1,
  tomorrow: 1,
  anteayer: -2,
}

// Spanish, then English; three letters identify every month in both.
const MONTHS = [
  'ene jan',
  'feb',
  'mar',
  'abr apr',
  'may',
  'jun',
  'jul',
  'ago aug',
  'sep set',
  'oct',
  'nov',
  'dic dec',
]

function monthNumber(word: string): number | null {
  const index = MONTHS.findIndex((names) => names.split(' ').includes(word.slice(0, 3)))
  return index === -1 ? null : index + 1
}

/** Parses `text`; an empty one is no date. Never throws. */
export function parseDay(text: string, rules: DateRules): DateReading {
  const body = text.trim().toLowerCase()
  if (body === '') return { ok: true, date: null }
  const word = WORDS[body]
  if (word !== undefined) return { ok: true, date: addDays(rules.today, word) }

  const steps = /^([+\-\u2212])\s*(\d{1,4})$/.exec(body)
  if (steps)
    return {
      ok: true,
      date: addDays(rules.from ?? rules.today, Number(steps[2]) * (steps[1] === '+' ? 1 : -1)),
    }

  const [year, month] = [rules.today.slice(0, 4), rules.today.slice(5, 7)]
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(body)
  if (iso) return day(iso[3], iso[2], iso[1])
  const solid = /^(\d{2})(\d{2})(\d{2}|\d{4})$/.exec(body)
  if (solid) return day(solid[1], solid[2], solid[3])
  const separated = /^(\d{1,2})\s*[/\-.\s]\s*(\d{1,2})(?:\s*[/\-.\s]\s*(\d{2}|\d{4}))?$/.exec(body)
  if (separated) return day(separated[1], separated[2], separated[3] ?? year)
  const named =
    /^(\d{1,2})\s*(?:de\s+|[/\-.\s]\s*)?([a-zç]{3,12})\.?(?:\s*(?:de\s+|del\s+|[/\-.\s]\s*)?(\d{2}|\d{4}))?$/.exec(
      body,
    )
  if (named) {
    const number = monthNumber(named[2] ?? '')
    return number === null
      ? { ok: false, reason: 'not_a_date' }
      : day(named[1], String(number), named[3] ?? year)
  }
  const bare = /^(\d{1,2})$/.exec(body)
  if (bare) return day(bare[1], month, year)
  return { ok: false, reason: 'not_a_date' }
}

function day(dayText = '', monthText = '', yearText = ''): DateReading {
  const year = yearText.length === 2 ? `20${yearText}` : yearText
  const date = `${year}-${monthText.padStart(2, '0')}-${dayText.padStart(2, '0')}`
  return isBusinessDate(date) ? { ok: true, date } : { ok: false, reason: 'no_such_day' }
}
