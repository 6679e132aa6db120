/** Annulling and amending in tests: both steps through their operations, and an authority that refuses what a test picks. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import type { Ctx } from '../../../../server/context.ts'
import type { Authority, Exchange } from '../../../../server/registry/queue/authority.ts'
import { simulatedAuthority } from '../../../../server/registry/systems/verifactu/simulator/stored.ts'
import {
  NS_RECORD,
  NS_REPLY,
  NS_SOAP,
} from '../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import type { Invoice, TestBooks } from '../../../support/books.ts'

export type Changes = NonNullable<InputOf<'invoices.validate'>['changes']>
type Action = 'issue' | 'cancel' | 'amend'

/** Validates a step; with amend, of these changes. */
export function validateStep(
  world: TestBooks,
  id: string,
  action: Action,
  changes?: Changes,
  ctx: Ctx = world.test,
): Promise<OutputOf<'invoices.validate'>> {
  return world.run('invoices.validate', { id, action, ...(changes ? { changes } : {}) }, ctx)
}

/** The token of a step; fails with the faults when there is none. */
export async function stepToken(
  world: TestBooks,
  id: string,
  action: Action,
  changes?: Changes,
  ctx?: Ctx,
): Promise<string> {
  const { confirmation, issues } = await validateStep(world, id, action, changes, ctx)
  if (!confirmation)
    throw new Error(`Not valid: ${issues.map((issue) => `${issue.field}: ${issue.code}`).join(', ')}`)
  return confirmation.confirmationToken
}

export async function cancel(world: TestBooks, id: string, reason?: string): Promise<Invoice> {
  const confirmationToken = await stepToken(world, id, 'cancel')
  return world.run('invoices.cancel', { id, confirmationToken, ...(reason ? { reason } : {}) })
}

export async function amend(world: TestBooks, id: string, changes: Changes = {}): Promise<Invoice> {
  return world.run('invoices.amend', { id, confirmationToken: await stepToken(world, id, 'amend', changes) })
}

/** A record on its way to the authority, as far as a test picks by it. */
interface PassingRecord {
  kind: 'registration' | 'cancellation'
  number: string
  xml: string
}

function passing(xml: string): PassingRecord {
  return {
    kind: xml.includes('RegistroAlta>') ? 'registration' : 'cancellation',
    number: /NumSerieFactura(?:Anulada)?>([^<]*)</.exec(xml)?.[1] ?? '',
    xml,
  }
}

function refusedLine({ kind, xml }: PassingRecord, code: string): string {
  const value = (name: string) => new RegExp(`<sf:${name}(?:Anulada)?>([^<]*)<`).exec(xml)?.[1] ?? ''
  const key = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura']
    .map((name) => `<sf:${name}>${value(name)}</sf:${name}>`)
    .join('')
  const operation = kind === 'registration' ? 'Alta' : 'Anulacion'
  return `<sfR:RespuestaLinea><sfR:IDFactura>${key}</sfR:IDFactura><sfR:Operacion><sf:TipoOperacion>${operation}</sf:TipoOperacion></sfR:Operacion><sfR:RefExterna>${value('RefExterna')}</sfR:RefExterna><sfR:EstadoRegistro>Incorrecto</sfR:EstadoRegistro><sfR:CodigoErrorRegistro>${code}</sfR:CodigoErrorRegistro><sfR:DescripcionErrorRegistro>Rechazado por la prueba.</sfR:DescripcionErrorRegistro></sfR:RespuestaLinea>`
}

/** An answer in which everything is refused. */
function refusal(lines: string, issuer: string): string {
  return `<soapenv:Envelope xmlns:soapenv="${NS_SOAP}"><soapenv:Body><sfR:RespuestaRegFactuSistemaFacturacion xmlns:sfR="${NS_REPLY}" xmlns:sf="${NS_RECORD}"><sfR:Cabecera>${issuer}</sfR:Cabecera><sfR:TiempoEsperaEnvio>0</sfR:TiempoEsperaEnvio><sfR:EstadoEnvio>Incorrecto</sfR:EstadoEnvio>${lines}</sfR:RespuestaRegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>`
}

/**
 * The book's simulated authority, except for what it never gets to see: records for which `codeOf` gives a code are
 * refused with it. The simulator goes on by its own strict rules, so a record with a wrong turn is refused by itself.
 */
export function refusing(ctx: Ctx, codeOf: (record: PassingRecord) => string | null): Authority {
  const inner = simulatedAuthority(ctx)
  const answered = (body: string): Exchange => ({
    kind: 'answered',
    status: 200,
    body: Buffer.from(body),
    serverTime: null,
  })
  return {
    query: (envelope) => inner.query(envelope),
    submit: async (envelope) => {
      let lines = ''
      const rest = envelope.replaceAll(
        /<sfLR:RegistroFactura>([\s\S]*?)<\/sfLR:RegistroFactura>/g,
        (item, xml: string) => {
          const record = passing(xml)
          const code = codeOf(record)
          if (code === null) return item
          lines += refusedLine(record, code)
          return ''
        },
      )
      if (lines === '') return inner.submit(envelope)
      const issuer = /<sf:ObligadoEmision>.*?<\/sf:ObligadoEmision>/.exec(envelope)?.[0] ?? ''
      if (!rest.includes('<sfLR:RegistroFactura>')) return answered(refusal(lines, issuer))
      const exchange = await inner.submit(rest)
      if (exchange.kind !== 'answered') return exchange
      const body = Buffer.from(exchange.body).toString('utf8')
      return answered(
        body
          .replace(/(<\w+:EstadoEnvio>)Correcto</, '$1ParcialmenteCorrecto<')
          .replace(/<\/(\w+):RespuestaRegFactuSistemaFacturacion>/, `${lines}$&`),
      )
    },
  }
}
