/** The simulated service of Araba or Gipuzkoa: one file in a message, answered by a `TicketBaiResponse`. */
import { madridTime } from '../../../../domain/dates.ts'
import { xmlDocumentCompact } from '../../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import { SERVICES } from '../wire/services.ts'
import type { Province } from '../wire/services.ts'
import { RESPONSE_NAMESPACE, STATE } from '../wire/xml.ts'
import { XML_CODES } from '../wire/codes.ts'
import type { RecordKind } from '../wire/outcome.ts'
import type { ServiceFault } from './faults.ts'
import { Intake } from './register.ts'
import type { FileVerdict } from './register.ts'
import { createService, page } from './service.ts'
import type { Protocol, ServiceAnswer, ServiceOptions, SimulatedService } from './service.ts'

export interface XmlServiceOptions extends ServiceOptions {
  province: Exclude<Province, 'bizkaia'>
  /** Returns the secure code of a receipt: 16 characters. */
  newReceipt: () => string
  /** Returns the identifier of a signed invoice, 39 characters; null answers without one. */
  identifierOf?: (file: { nif: string; issueDate: string; signature: string }) => string | null
  /**
   * Which identifier the answer "already registered" names, which is not published: that of the file that is held, of the one that was
   * sent, or none (default).
   */
  heldIdentifier?: 'held' | 'sent' | 'none'
  /** Largest file in bytes; a larger one is answered 017. */
  mostBytes?: number
}

const MOST_BYTES = 2 * 1024 * 1024

/** Creates the service. */
export function createXmlService(options: XmlServiceOptions): SimulatedService {
  const { invoice, cancellation, correction, cancellationCorrection } = SERVICES[options.province].production
  const kinds = new Map<string, RecordKind>(
    (
      [
        [invoice, 'invoice'],
        [cancellation, 'cancellation'],
        [correction, 'correction'],
        [cancellationCorrection, 'cancellation_correction'],
      ] as const
    ).map(([url, kind]) => [new URL(url ?? '').pathname, kind]),
  )
  const identifierOf = options.identifierOf ?? (() => null)

  function answered(verdict: FileVerdict, identifier: string | null): ServiceAnswer {
    const { kept, codes } = verdict
    const { date, time } = madridTime(options.now())
    const [year, month, day] = date.split('-')
    const content: (XmlNode | undefined)[] = [
      identifier === null ? undefined : ['IdentificadorTBAI', identifier],
      ['FechaRecepcion', `${day}-${month}-${year} ${time}`],
      ['Estado', kept ? STATE.kept : STATE.refused],
      ['Descripcion', kept ? 'Recibido' : 'Rechazado'],
      ['Azalpena', kept ? 'Jasota' : 'Baztertuta'],
      ...codes.map(({ code, text, basque }): XmlNode => [
        'ResultadosValidacion',
        [
          ['Codigo', code],
          ['Descripcion', text],
          ['Azalpena', basque],
        ],
      ]),
      kept ? ['CSV', options.newReceipt()] : undefined,
    ]
    const xml = xmlDocumentCompact([
      'T:TicketBaiResponse',
      [['Salida', content]],
      `xmlns:T="${RESPONSE_NAMESPACE}"`,
    ])
    return {
      kind: 'answered',
      status: 200,
      headers: { 'content-type': 'application/xml;charset=UTF-8' },
      body: Buffer.from(xml, 'utf8'),
    }
  }

  async function take(
    kind: RecordKind,
    body: Uint8Array,
    callers: readonly string[],
    fault: ServiceFault | null,
  ): Promise<ServiceAnswer & { outcome: string }> {
    const refusal = (code: string): FileVerdict => ({ file: null, kept: false, codes: [coded(code)] })
    if (fault?.kind === 'unavailable') return logged(answered(refusal('006'), null), '006')
    if (fault?.kind === 'certificate') return logged(answered(refusal('001'), null), '001')
    if (fault?.kind === 'record_code') return logged(answered(refusal(fault.code), null), fault.code)
    if (body.length > (options.mostBytes ?? MOST_BYTES)) return logged(answered(refusal('017'), null), '017')
    const intake = new Intake(options, callers)
    const verdict = await intake.take(body, {
      extra: (file) =>
        file.kind === kind ? null : { ...coded('002'), text: 'El fichero es de otro servicio.' },
    })
    if (verdict.kept) await intake.commit()
    const { file, codes } = verdict
    let identifier: string | null = null
    if (file?.kind === 'invoice') {
      const facts = (signature: string) => ({
        nif: file.key.issuerNif,
        issueDate: file.key.issueDate,
        signature,
      })
      if (!codes.some(({ code }) => code === '005')) identifier = identifierOf(facts(file.signature))
      else if (options.heldIdentifier === 'sent') identifier = identifierOf(facts(file.signature))
      else if (options.heldIdentifier === 'held') {
        const held = await options.state.find(file.key)
        identifier = held && identifierOf(facts(held.signature))
      }
    }
    if (fault?.kind === 'stray_answer') identifier = `TBAI-00000000T-010101-${'0'.repeat(13)}-000`
    const outcome = [verdict.kept ? STATE.kept : STATE.refused, ...codes.map(({ code }) => code)].join(' ')
    return logged(answered(verdict, identifier), outcome)
  }

  const protocol: Protocol = {
    effectOf: (path) => (kinds.has(path) ? 'change' : null),
    process: async ({ path, headers, body, callers }, fault) => {
      const [type = '', charset = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
      if (type.trim() !== 'application/xml' || (charset.trim() !== '' && charset.trim() !== 'charset=utf-8'))
        return { answer: page(415, 'Tipo no admitido', 'Se espera application/xml.'), outcome: '415' }
      const { outcome, ...answer } = await take(kinds.get(path) ?? 'invoice', body, callers, fault)
      return { answer, outcome }
    },
  }
  return createService(options, protocol)
}

const logged = (answer: ServiceAnswer, outcome: string): ServiceAnswer & { outcome: string } => ({
  ...answer,
  outcome,
})

const coded = (code: string) => {
  const text = XML_CODES[code]?.meaning ?? 'Rechazado.'
  return { code, text, basque: text }
}
