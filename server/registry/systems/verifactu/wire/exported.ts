/** Records for third parties: a submission without its SOAP envelope, as a document of its own. */
import type { Taxpayer } from '../../../system.ts'
import { buildSubmission } from './messages.ts'
import { NS_RECORD, NS_SUBMISSION } from './namespaces.ts'

const BODY_OPEN = '<sfLR:RegFactuSistemaFacturacion>'
const BODY_CLOSE = '</sfLR:RegFactuSistemaFacturacion>'

/** Returns the content of a submission without its SOAP envelope, as a document of its own. */
export function exportedMessage(issuer: Taxpayer, records: readonly string[]): string {
  const envelope = buildSubmission({ issuer }, records)
  const from = envelope.indexOf(BODY_OPEN)
  const to = envelope.lastIndexOf(BODY_CLOSE)
  if (from < 0 || to < from) throw new Error('The submission has another form than the export knows.')
  const content = envelope.slice(from + BODY_OPEN.length, to)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sfLR:RegFactuSistemaFacturacion xmlns:sfLR="${NS_SUBMISSION}" xmlns:sf="${NS_RECORD}">${content}${BODY_CLOSE}\n`
}
