/** The documents of filed returns, found by their code (CSV) without a certificate. */
import { methodNotAllowed, page, pdf } from './answers.ts'
import type { Answered, SimulatedRequest } from './answers.ts'
import { pdfOf } from './pdf.ts'
import { euroText, spanishTime } from './registry.ts'
import type { DeclaredReturn, ReturnsState } from './state.ts'

export const DOCUMENT_PATH = '/wlpl/inwinvoc/es.aeat.dit.adu.eeca.catalogo.vis.VisualizaSc'

/** Returns the address of a document on the host that was asked; of this computer when the message names none. */
export function documentUrl({ headers }: SimulatedRequest, csv: string): string {
  const { host = '' } = headers
  const named = /^[\w.-]+(?::\d{1,5})?$/.test(host) ? host : '127.0.0.1'
  return `https://${named}${DOCUMENT_PATH}?COMPLETA=SI&ORIGEN=E&NIF=&CSV=${csv}`
}

/** Returns the receipt of a filed return. */
function receiptPdf(declared: DeclaredReturn): Uint8Array {
  const { model, year, period, nif, name, csv, receipt, file, presentedAt, resultCents } = declared
  const { day, time } = spanishTime(presentedAt)
  return pdfOf([
    `Modelo ${model}  Ejercicio ${year}  Periodo ${period}`,
    'SIMULACIÓN: este documento no acredita ninguna presentación',
    `NIF: ${nif}`,
    `Nombre: ${name}`,
    `Presentada el ${day} a las ${time}`,
    `Presentador: ${declared.presenterNif} ${declared.presenterName}`,
    ...(declared.presenterAs === '' ? [] : [`Presenta como ${declared.presenterAs} de ${name} (${nif})`]),
    `Justificante: ${receipt}`,
    `Expediente: ${file}`,
    `Código Seguro de Verificación: ${csv}`,
    `Tipo: ${declared.kind}  Resultado: ${euroText(resultCents)}`,
  ])
}

/** Answers with the document of a code. What the real service answers for an unknown code is not known: here a page. */
export async function answerDocument(
  request: SimulatedRequest,
  params: URLSearchParams,
  state: ReturnsState,
): Promise<Answered> {
  if (request.method !== 'GET') return methodNotAllowed('GET')
  const isWhole = params.get('COMPLETA') === 'SI' && params.get('ORIGEN') === 'E' && params.get('NIF') === ''
  const csv = params.get('CSV') ?? ''
  const declared = isWhole && /^[0-9A-Z]{16}$/.test(csv) ? await state.byCsv(csv) : null
  return declared
    ? pdf(receiptPdf(declared))
    : page(404, 'No encontrado', 'No hay ningún documento con este código.')
}
