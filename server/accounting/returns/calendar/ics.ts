/** The calendar file of deadlines (RFC 5545): an all-day event for each last day, and one for its direct-debit day. */
import ical, { ICalAlarmType, ICalEventTransparency } from 'ical-generator'
import type { BusinessDate } from '../../../domain/dates.ts'
import { addDays } from '../../../domain/dates.ts'
import type { ProgramLanguage } from '../../../domain/languages.ts'
import type { ReturnDeadline } from '../contract.ts'

const MESSAGES = {
  es: {
    calendar: 'Plazos de impuestos',
    trial: 'Plazos de impuestos (pruebas)',
    due: 'Modelo {model}, {period}: último día',
    debit: 'Modelo {model}, {period}: último día para domiciliar',
    unsure: '{title} (si te toca)',
    computed: 'Fecha calculada por las reglas: compruébala en el calendario de la Agencia.',
    estimate: 'Sello no conoce los festivos de tu comunidad ni presenta nada por sí solo.',
  },
  en: {
    calendar: 'Tax deadlines',
    trial: 'Tax deadlines (tests)',
    due: 'Form {model}, {period}: last day',
    debit: 'Form {model}, {period}: last day for direct debit',
    unsure: '{title} (if you file it)',
    computed: "Date computed by the rules: check it in the tax agency's calendar.",
    estimate: 'Sello does not know the holidays of your region and files nothing by itself.',
  },
} as const

/** Seconds between the alarm and the day. */
const ALARM_SECONDS = 3 * 86_400

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
  }: { language: ProgramLanguage; bookId: string; mode: 'live' | 'test'; writtenAt: Date },
): string {
  const messages = MESSAGES[language]
  const calendar = ical({
    name: mode === 'live' ? messages.calendar : messages.trial,
    prodId: { company: 'Sello', product: 'Sello', language: language.toUpperCase() },
    scale: 'gregorian',
  })
  for (const deadline of deadlines) {
    const period = periodText(deadline)
    const add = (what: 'due' | 'debit', day: BusinessDate): void => {
      const title = filled(messages[what], { model: deadline.model, period })
      const summary = deadline.applies === null ? filled(messages.unsure, { title }) : title
      const description = [
        deadline.name[language],
        ...(deadline.sure === 'computed' ? [messages.computed] : []),
        messages.estimate,
      ].join('\n')
      const event = calendar.createEvent({
        id: `${deadline.model}-${deadline.year}-${deadline.period}-${what}.${bookId}@sello`,
        stamp: writtenAt,
        start: midnight(day),
        end: midnight(addDays(day, 1)),
        allDay: true,
        summary,
        description,
        transparency: ICalEventTransparency.TRANSPARENT,
      })
      event.createAlarm({
        type: ICalAlarmType.display,
        triggerBefore: ALARM_SECONDS,
        description: summary,
      })
    }
    add('due', deadline.due)
    if (deadline.directDebitUntil !== null) add('debit', deadline.directDebitUntil)
  }
  // The library leaves out the end of the last line.
  return `${calendar.toString()}\r\n`
}
