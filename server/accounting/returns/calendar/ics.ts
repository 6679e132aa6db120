/**
 * The calendar file of deadlines (RFC 5545): an all-day event for each last day, one for its direct-debit day, and one for each
 * report to the public platform that waits.
 */
import ical, { ICalAlarmType, ICalEventTransparency } from 'ical-generator'
import type { BusinessDate } from '../../../domain/dates.ts'
import { addDays } from '../../../domain/dates.ts'
import type { ProgramLanguage } from '../../../domain/languages.ts'
import type { AnswerDue } from '../../../context.ts'
import type { ReturnDeadline } from '../contract.ts'

const MESSAGES = {
  es: {
    calendar: 'Plazos de impuestos',
    trial: 'Plazos de impuestos (pruebas)',
    due: 'Modelo {model}, {period}: último día',
    debit: 'Modelo {model}, {period}: último día para domiciliar',
    unsure: '{title} (si te toca)',
    computed: 'Fecha calculada por las reglas: compruébala en el calendario de la Agencia.',
    report: 'Factura {number} de {partner}: último día para comunicar {what}',
    reportOf: {
      rejected: 'el rechazo',
      rejection_cancelled: 'que se retira el rechazo',
      paid: 'el pago',
      payment_cancelled: 'que se retira el pago',
    } as Readonly<Record<string, string>>,
    reportOfOther: 'lo que falta',
    counted:
      'Cuatro días desde el hecho, sin sábados, domingos ni festivos nacionales (RD 238/2026, art. 12.3). Qué festivos cuentan no está definido: se toman los que ninguna comunidad sustituye.',
    estimate: 'Sello no conoce los festivos de tu comunidad ni presenta nada por sí solo.',
  },
  en: {
    calendar: 'Tax deadlines',
    trial: 'Tax deadlines (tests)',
    due: 'Form {model}, {period}: last day',
    debit: 'Form {model}, {period}: last day for direct debit',
    unsure: '{title} (if you file it)',
    computed: "Date computed by the rules: check it in the tax agency's calendar.",
    report: 'Invoice {number} of {partner}: last day to report {what}',
    reportOf: {
      rejected: 'the rejection',
      rejection_cancelled: 'that the rejection is taken back',
      paid: 'the payment',
      payment_cancelled: 'that the payment is taken back',
    } as Readonly<Record<string, string>>,
    reportOfOther: 'what is missing',
    counted:
      'Four days from the event, without Saturdays, Sundays and national holidays (RD 238/2026, art. 12.3). Which holidays count is not defined: those that no region replaces are taken.',
    estimate: 'Sello does not know the holidays of your region and files nothing by itself.',
  },
} as const

/** Seconds between the alarm and the day. */
const ALARM_SECONDS = 3 * 86_400
/** A report has four days in all. */
const REPORT_ALARM_SECONDS = 86_400

const periodText = ({ year, period }: ReturnDeadline): string =>
  period === '0A' ? String(year) : `${period} ${year}`

/** Returns the text with its `{names}` replaced. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

const midnight = (day: BusinessDate): Date => new Date(`${day}T00:00:00Z`)

/** Returns the file, with CRLF at the end of each line. The same return always has the same UID. */
export function icsOf(
  deadlines: readonly ReturnDeadline[],
  {
    language,
    bookId,
    mode,
    writtenAt,
    answers = [],
  }: {
    language: ProgramLanguage
    bookId: string
    mode: 'live' | 'test'
    writtenAt: Date
    /** Reports to the public platform. */
    answers?: readonly AnswerDue[]
  },
): string {
  const messages = MESSAGES[language]
  const calendar = ical({
    name: mode === 'live' ? messages.calendar : messages.trial,
    prodId: { company: 'Sello', product: 'Sello', language: language.toUpperCase() },
    scale: 'gregorian',
  })
  const add = (
    id: string,
    day: BusinessDate,
    { summary, description, alarm }: { summary: string; description: string; alarm: number },
  ): void => {
    const event = calendar.createEvent({
      id: `${id}.${bookId}@sello`,
      stamp: writtenAt,
      start: midnight(day),
      end: midnight(addDays(day, 1)),
      allDay: true,
      summary,
      description,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
    event.createAlarm({ type: ICalAlarmType.display, triggerBefore: alarm, description: summary })
  }
  for (const deadline of deadlines) {
    const period = periodText(deadline)
    const addReturn = (what: 'due' | 'debit', day: BusinessDate): void => {
      const title = filled(messages[what], { model: deadline.model, period })
      add(`${deadline.model}-${deadline.year}-${deadline.period}-${what}`, day, {
        summary: deadline.applies === null ? filled(messages.unsure, { title }) : title,
        description: [
          deadline.name[language],
          ...(deadline.sure === 'computed' ? [messages.computed] : []),
          messages.estimate,
        ].join('\n'),
        alarm: ALARM_SECONDS,
      })
    }
    addReturn('due', deadline.due)
    if (deadline.directDebitUntil !== null) addReturn('debit', deadline.directDebitUntil)
  }
  for (const { id, kind, number, partner, lastDay } of answers)
    add(id, lastDay, {
      summary: filled(messages.report, {
        number,
        partner: partner ?? '—',
        what: messages.reportOf[kind] ?? messages.reportOfOther,
      }),
      description: messages.counted,
      alarm: REPORT_ALARM_SECONDS,
    })
  // The library leaves out the end of the last line.
  return `${calendar.toString()}\r\n`
}
