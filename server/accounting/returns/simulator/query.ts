/** The query of filed returns, `ConsultaExt`. */
import { isBusinessDate } from '../../../domain/dates.ts'
import { xmlText } from '../../../domain/formats/xml-writer.ts'
import { methodNotAllowed, page, xml } from './answers.ts'
import type { Answered, SimulatedRequest } from './answers.ts'
import { finding, textOf } from './findings.ts'
import type { Finding } from './findings.ts'
import { mayActFor, spanishTime, standingReturns } from './registry.ts'
import type { Services } from './presentation.ts'
import type { DeclaredReturn } from './state.ts'

const REQUIRED = ['NIF', 'ANR', 'MOD', 'EJF', 'PER']
const DATES = ['FED', 'FEH']
/** The form of these hours is not known: they are taken and filter nothing. */
const HOURS = ['HOD', 'HOH']

const root = (content: string): string => `<servicioConsultasDirectas>${content}</servicioConsultasDirectas>`
const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`

/** Answers a query with an error. */
export function queryRefused(text: string): Answered {
  return xml(root(`<error>${element('descripcionError', text)}</error>`))
}

/** Answers a query. `isShown` leaves out what does not show yet. */
export async function answerQuery(
  request: SimulatedRequest & { callers: readonly string[] },
  { state, powers }: Services,
  isShown: (declared: DeclaredReturn) => boolean,
): Promise<Answered> {
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded')
    return page(415, 'Tipo no admitido', 'Se espera application/x-www-form-urlencoded.')
  const params = new URLSearchParams(Buffer.from(request.body).toString('utf8'))
  const value = (name: string): string => params.get(name) ?? ''
  const wrong = paramFindings(params)[0]
  if (wrong) return queryRefused(textOf(wrong))
  const [from, to] = DATES.map((name) => dayOf(value(name)))
  if (from && to && from > to) return queryRefused(textOf(finding('S0701', 'FEH')))
  const key = { nif: value('NIF'), model: value('MOD'), year: Number(value('EJF')), period: value('PER') }
  if (!mayActFor(key.nif, request.callers, powers))
    return queryRefused(textOf(finding('S0010', request.callers.join(' '))))
  const found = (await standingReturns(state, key)).filter((declared) => {
    const { day } = spanishTime(declared.presentedAt)
    return isShown(declared) && (!from || day >= from) && (!to || day <= to)
  })
  // What the real service answers when it finds nothing is not known: here the empty element.
  return xml(root(found.map(entry).join('')))
}

function paramFindings(params: URLSearchParams): Finding[] {
  const known = [...REQUIRED, ...DATES, ...HOURS]
  const strangers = [...params.keys()].filter((name) => !known.includes(name))
  const missing = REQUIRED.filter((name) => (params.get(name) ?? '').trim() === '')
  const wrong = DATES.filter((name) => (params.get(name) ?? '') !== '' && !dayOf(params.get(name) ?? ''))
  const year = /^\d{4}$/.test(params.get('EJF') ?? '') ? [] : ['EJF']
  return [...strangers, ...missing, ...wrong, ...year].map((name) => finding('S0701', name))
}

/** Returns a day written `YYYYMMDD` as a date; null for none. */
function dayOf(text: string): string | null {
  const date = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return date !== text && isBusinessDate(date) ? date : null
}

function entry(declared: DeclaredReturn): string {
  const { day, time } = spanishTime(declared.presentedAt)
  const parts = [
    element('ejercicio', String(declared.year)),
    element('modelo', declared.model),
    element('periodo', declared.period),
    element('nif', declared.nif),
    element('csv', declared.csv),
    element('expediente', declared.file),
    element('justificante', declared.receipt),
    element('fechaYHoraPresentacion', `${day}T${time}`),
  ]
  return `<respuestaCorrecta>${parts.join('')}</respuestaCorrecta>`
}
