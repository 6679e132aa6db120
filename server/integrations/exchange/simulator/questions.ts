/** Answers queries and downloads: who sees what, in pages by the order of presentation. */
import { children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { STATUSES } from '../../../documents/e-invoice/index.ts'
import type { StatusRole } from '../types.ts'
import { FOUND, PAGE, PART, QUERY, ROLE_VALUES } from '../wire/envelope.ts'
import { REQUEST_XML_LIMITS, PLATFORM_LIMITS } from '../wire/limits.ts'
import { DATE_MARKS, reasonCode } from '../wire/status-codes.ts'
import { readRoot, referenceNode, requiredDay, UBL, ublNamespaces, Unreadable } from '../wire/xml.ts'
import { MessageRefused, refusalText, TAKEN } from './codes.ts'
import { readCodeReference, senderOf } from './documents.ts'
import type { MessageContext } from './invoices.ts'
import { partyOf } from './state.ts'
import type { HeldInvoice, HeldStatus } from './state.ts'

type Properties = Readonly<Record<string, string>>

function roleOf(properties: Properties): StatusRole {
  const role = (['issuer', 'recipient'] as const).find((each) => ROLE_VALUES[each] === properties[QUERY.role])
  if (!role) throw new MessageRefused('SPFE-SIM-MESSAGE', `property ${QUERY.role}`)
  return role
}

/** Reads the document of a query or download, with the company that asks. Throws `MessageRefused`. */
function readRequest<T>(body: Uint8Array, read: (reference: XmlElement) => T): { nif: string; asked: T[] } {
  try {
    const root = readRoot(
      body,
      { ns: UBL.applicationResponse, name: 'ApplicationResponse' },
      REQUEST_XML_LIMITS,
    )
    const references = children(root, 'DocumentResponse').flatMap((each) =>
      children(each, 'DocumentReference'),
    )
    return { nif: senderOf(root), asked: references.map(read) }
  } catch (error) {
    if (error instanceof Unreadable) throw new MessageRefused('SPFE-SIM-XML', error.message)
    throw error
  }
}

/** Answers a query by codes. */
export async function findByCodes(
  body: Uint8Array,
  properties: Properties,
  context: MessageContext,
): Promise<string> {
  const role = roleOf(properties)
  const { nif, asked } = readRequest(body, readCodeReference)
  if (asked.length === 0 || asked.length > PLATFORM_LIMITS.codesOfQuery)
    throw new MessageRefused('SPFE-SIM-BATCH')
  assertMayAsk(context, nif)
  const found = new Map<number, HeldInvoice>()
  for (const code of asked) {
    const held = await context.state.find(code)
    if (held && partyOf(held, role) === nif && context.register.mayRead(context.callers, nif, held))
      found.set(held.sequence, held)
  }
  return writeFound([...found.values()], null, context)
}

/** Answers a query by days of presentation. `pageSize` is the most that one answer lists. */
export async function findByPeriod(
  properties: Properties,
  pageSize: number,
  context: MessageContext,
): Promise<string> {
  const role = roleOf(properties)
  const nif = properties[QUERY.company] ?? ''
  const { from, to } = periodOf(properties)
  const after = properties[QUERY.after] ?? '0'
  if (!/^\d{1,12}$/.test(after)) throw new MessageRefused('SPFE-SIM-MESSAGE', `property ${QUERY.after}`)
  assertMayAsk(context, nif)
  const { state, register, callers } = context
  const mine: HeldInvoice[] = []
  let last = Number(after)
  // A collaborator reads only its own, so that a page of the state may hold fewer of them.
  for (;;) {
    const page = await state.presented({ role, nif, from, to, after: last, limit: pageSize + 1 })
    for (const held of page) if (register.mayRead(callers, nif, held)) mine.push(held)
    last = page.at(-1)?.sequence ?? last
    if (page.length <= pageSize || mine.length > pageSize) break
  }
  const shown = mine.slice(0, pageSize)
  return writeFound(shown, mine.length > pageSize ? String(shown.at(-1)?.sequence) : null, context)
}

function periodOf(properties: Properties): { from: string; to: string } {
  try {
    const from = requiredDay(properties[QUERY.from] ?? null, QUERY.from)
    const to = requiredDay(properties[QUERY.to] ?? null, QUERY.to)
    if (from > to || from.slice(0, 7) !== to.slice(0, 7)) throw new MessageRefused('SPFE-SIM-PERIOD')
    return { from, to }
  } catch (error) {
    if (error instanceof Unreadable) throw new MessageRefused('SPFE-SIM-PERIOD', error.message)
    throw error
  }
}

function assertMayAsk({ register, callers }: MessageContext, nif: string): void {
  if (!register.maySend(callers, nif)) throw new MessageRefused('SPFE-SIM-AUTHORITY', nif)
}

interface DownloadPart {
  body: Buffer
  properties: Record<string, string>
}

/** Answers a download: one part for each invoice, or for what cannot be given an empty one with its code. */
export async function download(
  body: Uint8Array,
  by: 'locator' | 'code',
  context: MessageContext,
): Promise<DownloadPart[]> {
  const { state, register, callers } = context
  const { nif, asked } = readRequest(body, (reference) =>
    by === 'locator'
      ? { id: textAt(reference, 'ReferencedDocumentInternalAddress') ?? '', code: null }
      : { id: textAt(reference, 'ID') ?? '', code: readCodeReference(reference) },
  )
  if (asked.length === 0 || asked.length > PLATFORM_LIMITS.locatorsOfDownload)
    throw new MessageRefused('SPFE-SIM-BATCH')
  assertMayAsk(context, nif)
  const parts: DownloadPart[] = []
  const given = new Set<number | string>()
  for (const { id, code } of asked) {
    const held = code ? await state.find(code) : await state.byLocator(id)
    const isTheirs =
      held !== null &&
      held.withdrawnAt === null &&
      [partyOf(held, 'issuer'), partyOf(held, 'recipient')].includes(nif) &&
      register.mayRead(callers, nif, held)
    if (given.has(held?.sequence ?? id)) continue
    given.add(held?.sequence ?? id)
    parts.push(
      isTheirs
        ? { body: Buffer.from(held.xml, 'utf8'), properties: { [PART.id]: id, [PART.statusCode]: TAKEN } }
        : {
            body: Buffer.from('<vacio/>'),
            properties: {
              [PART.id]: id,
              [PART.statusCode]: 'SPFE-SIM-LOCATOR',
              [PART.statusDescription]: refusalText('SPFE-SIM-LOCATOR'),
            },
          },
    )
  }
  return parts
}

function writeFound(
  found: readonly HeldInvoice[],
  after: string | null,
  { csv, now }: MessageContext,
): string {
  const references = found.map((held) =>
    referenceNode(held.invoice, { copy: held.copy, locator: held.locator, status: TAKEN }),
  )
  // UBL asks for at least one reference.
  const nothing: XmlNode = ['cac:DocumentReference', [['cbc:ID', 'ninguna']]]
  return xmlDocumentCompact([
    'DocumentStatus',
    [
      ['cbc:ID', csv],
      ['cbc:IssueDate', now.toISOString().slice(0, 10)],
      [
        'cac:DocumentResponse',
        [
          [
            'cac:Response',
            [
              ['cbc:ResponseCode', TAKEN],
              [
                'cac:Status',
                [
                  ['cbc:StatusReasonCode', after === null ? PAGE.last : PAGE.more],
                  ['cbc:StatusReason', after === null ? 'Sin más resultados' : 'Hay más resultados'],
                  ['cbc:SequenceID', after ?? String(found.at(-1)?.sequence ?? 0)],
                ],
              ],
            ],
          ],
          ...(references.length === 0 ? [nothing] : references),
        ],
      ],
      ...found.flatMap((held) => [
        presentationNode(held),
        ...held.statuses.map((each) => statusNode(held, each)),
      ]),
    ],
    ublNamespaces(UBL.documentStatus),
  ])
}

function presentationNode(held: HeldInvoice): XmlNode {
  return [
    'cac:AdditionalDocumentResponse',
    [
      ['cac:Response', [['cbc:ResponseCode', FOUND.invoice], instantNode(held.presentedAt)]],
      referenceNode(held.invoice, { locator: held.locator, status: TAKEN }),
    ],
  ]
}

function instantNode(instant: string): XmlNode {
  return [
    'cac:Status',
    [
      ['cbc:ReferenceDate', instant.slice(0, 10)],
      ['cbc:ReferenceTime', instant.slice(11)],
      ['cac:Condition', [['cbc:AttributeID', FOUND.presentedAt]]],
    ],
  ]
}

function statusNode(held: HeldInvoice, status: HeldStatus): XmlNode {
  const { kind, date, reason, note, presentedAt } = status
  return [
    'cac:AdditionalDocumentResponse',
    [
      [
        'cac:Response',
        [
          ['cbc:ResponseCode', STATUSES[kind].code],
          note === undefined ? undefined : ['cbc:Description', note],
          date === '' ? undefined : ['cbc:EffectiveDate', date],
          reason === undefined ? undefined : ['cac:Status', [['cbc:StatusReasonCode', reasonCode(reason)]]],
          ...DATE_MARKS.map(([name, mark]): XmlNode | undefined => {
            const day = status[name]
            return day === undefined
              ? undefined
              : [
                  'cac:Status',
                  [
                    ['cbc:ReferenceDate', day],
                    ['cac:Condition', [['cbc:AttributeID', mark]]],
                  ],
                ]
          }),
          instantNode(presentedAt),
        ],
      ],
      referenceNode(held.invoice, { locator: held.locator, status: TAKEN }),
    ],
  ]
}
