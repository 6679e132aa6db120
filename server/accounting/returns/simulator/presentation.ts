/** Filing and validation of page models: `PresBasicaDos` and `ServValiDos`. */
import { businessDateOf } from '../../../domain/dates.ts'
import { json, methodNotAllowed, page, refused } from './answers.ts'
import type { Answered, SimulatedRequest } from './answers.ts'
import { checkPageFile } from './checks/page-file.ts'
import type { PageReturn } from './checks/page-file.ts'
import { documentUrl } from './document.ts'
import { finding } from './findings.ts'
import type { Finding } from './findings.ts'
import { fileOf, newCsvFor, receiptOf } from './identifiers.ts'
import { pdfOf } from './pdf.ts'
import {
  capacityOf,
  euroText,
  laterReturnFindings,
  signerFindings,
  spanishTime,
  standingReturns,
} from './registry.ts'
import type { Power } from './registry.ts'
import type { DeclaredReturn, ReturnsState } from './state.ts'

/** What the services work with. */
export interface Services {
  state: ReturnsState
  /** Who may file for others, besides each for itself. */
  powers: readonly Power[]
  now: Date
  newCsv: (() => string) | undefined
}

const FILED = ['MODELO', 'EJERCICIO', 'PERIODO', 'NRC', 'IDI', 'F01', 'FIR', 'FIRNIF', 'FIRNOMBRE'] as const
const VALIDATED = ['MODELO', 'EJERCICIO', 'PERIODO', 'IDI', 'F01'] as const
const LANGUAGES = ['ES', 'EN', 'CA', 'GL', 'VA']

type Fields<Name extends string> = Record<Name, string> & { SINVL?: string }

/** Reads a JSON body with exactly these keys, all of them text. */
function readFields<Name extends string>(
  body: Uint8Array,
  names: readonly Name[],
  optional: readonly string[] = [],
): { findings: Finding[]; fields: Fields<Name> | null } {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    value = null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { findings: [finding('S0001')], fields: null }
  const entries = new Map<string, unknown>(Object.entries(value))
  const missing = names.filter((name) => typeof entries.get(name) !== 'string')
  const wrong = optional.filter((name) => entries.has(name) && typeof entries.get(name) !== 'string')
  const known: readonly string[] = [...names, ...optional]
  const strangers = [...entries.keys()].filter((name) => !known.includes(name))
  const findings = [
    ...[...missing, ...wrong].map((name) => finding('S0002', name)),
    ...strangers.map((name) => finding('S0003', name)),
  ]
  const language = entries.get('IDI')
  if (typeof language === 'string' && !LANGUAGES.includes(language)) findings.push(finding('S0005', language))
  return findings.length > 0
    ? { findings, fields: null }
    : { findings: [], fields: Object.fromEntries(entries) as Fields<Name> }
}

/** Returns the page for a message that is no JSON at all, as its headers say; null if it may be. */
function unfit({ method, headers }: SimulatedRequest): Answered | null {
  if (method !== 'POST') return methodNotAllowed('POST')
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => /^\s*charset="?([^"\s]+)"?\s*$/.exec(each)?.[1]).find(Boolean)
  const isJson = type.trim() === 'application/json' && (charset === undefined || charset === 'utf-8')
  return isJson ? null : page(415, 'Tipo no admitido', 'Se espera application/json en UTF-8.')
}

/** Files a return. `filed` is null when nothing was stored. */
export async function fileReturn(
  request: SimulatedRequest & { callers: readonly string[] },
  { state, powers, now, newCsv }: Services,
): Promise<{ answer: Answered; filed: DeclaredReturn | null }> {
  const refusedFor = (findings: readonly Finding[]) => ({ answer: refused(findings), filed: null })
  const unread = unfit(request)
  if (unread) return { answer: unread, filed: null }
  const { findings, fields } = readFields(request.body, FILED)
  if (!fields) return refusedFor(findings)
  if (fields.FIR !== 'FirmaBasica') return refusedFor([finding('S0004')])
  const claim = { model: fields.MODELO, year: fields.EJERCICIO, period: fields.PERIODO }
  const result = await checkPageFile(fields.F01, claim, businessDateOf(now))
  if (!result.checked) return refusedFor(result.findings)
  const { checked } = result
  const signer = { nif: fields.FIRNIF, name: fields.FIRNOMBRE }
  const objections = [
    ...signerFindings(signer, checked.nif, request.callers, powers),
    ...referenceFindings(checked.kind, fields.NRC),
  ]
  if (objections.length > 0) return refusedFor(objections)
  const earlier = await standingReturns(state, checked)
  const conflicts = laterReturnFindings(checked, earlier)
  if (conflicts.length > 0) return refusedFor(conflicts)
  const place = (await state.declared(checked)).length + 1
  const { nif, model, year, period, nature, kind, resultCents, name } = checked
  const filed: DeclaredReturn = {
    nif,
    model,
    year,
    period,
    nature,
    kind,
    csv: newCsv ? newCsv() : await newCsvFor(state, checked, place),
    receipt: receiptOf(checked, place),
    file: fileOf(checked, place),
    presentedAt: now.getTime(),
    resultCents,
    presenterNif: signer.nif,
    presenterName: signer.name,
    presenterAs: capacityOf(signer.nif, checked.nif, powers),
    name,
    text: fields.F01,
  }
  await state.add(filed)
  return { answer: accepted(filed, fields, request), filed }
}

/** The bank's reference (NRC) belongs to a return that is paid with it, and to no other. */
function referenceFindings(kind: string, reference: string): Finding[] {
  if (kind !== 'I') return reference === '' ? [] : [finding('S0502', kind)]
  if (reference === '') return [finding('S0501')]
  return /^[0-9A-Z]{22}$/.test(reference) ? [] : [finding('S0503')]
}

function accepted(filed: DeclaredReturn, fields: Fields<'NRC' | 'IDI'>, request: SimulatedRequest): Answered {
  const { day, time } = spanishTime(filed.presentedAt)
  return json({
    respuesta: {
      correcta: {
        FormaPago: '',
        CodigoSeguroVerificacion: filed.csv,
        Fecha: day,
        Hora: time.slice(0, 5),
        Expediente: filed.file,
        NIFPresentador: filed.presenterNif,
        ApellidosNombrePresentador: filed.presenterName,
        TipoRepresentacion: filed.presenterAs,
        NIFDeclarante: filed.nif,
        ApellidosNombreDeclarante: filed.name,
        Modelo: filed.model,
        Ejercicio: String(filed.year),
        Periodo: filed.period,
        Justificante: filed.receipt,
        NRCPago: fields.NRC,
        // What the real service writes for a return without payment is not known.
        ImporteAIngresar: euroText(Math.max(0, filed.resultCents)),
        Idioma: fields.IDI,
        urlPdf: documentUrl(request, filed.csv),
        avisos: [],
        advertencias: [],
      },
    },
  })
}

/** Validates a return without filing it; needs no certificate. An empty `SINVL` skips the checks and only draws the PDF. */
export async function validateReturn(request: SimulatedRequest, { now }: Services): Promise<Answered> {
  const unread = unfit(request)
  if (unread) return unread
  const { findings, fields } = readFields(request.body, VALIDATED, ['SINVL'])
  if (!fields) return refused(findings)
  const claim = { model: fields.MODELO, year: fields.EJERCICIO, period: fields.PERIODO }
  const isChecked = fields.SINVL !== ''
  const result = isChecked ? await checkPageFile(fields.F01, claim, businessDateOf(now)) : null
  if (result && !result.checked) return refused(result.findings)
  const draft = draftPdf(claim, result?.checked ?? null)
  return json({ RESPUESTA: { AVISOS: [], PDF: [Buffer.from(draft).toString('base64')] } })
}

function draftPdf(
  { model, year, period }: { model: string; year: string; period: string },
  checked: PageReturn | null,
): Uint8Array {
  return pdfOf([
    `BORRADOR  Modelo ${model}  Ejercicio ${year}  Periodo ${period}`,
    'SIMULACIÓN: no presentado',
    ...(checked
      ? [
          `NIF: ${checked.nif}`,
          `Nombre: ${checked.name}`,
          `Tipo: ${checked.kind}  Resultado: ${euroText(checked.resultCents)}`,
        ]
      : ['Sin validar']),
  ])
}
