/** Writes TicketBAI's files: XML 1.2 by schema 1.2.2, in canonical form, so that they can be signed as they are. */
import { registryDate } from '../../../domain/dates.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { basisPointsToText, centsToText } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { isForeign } from './content.ts'
import type {
  CancellationContent,
  ContentBreakdown,
  ContentKey,
  ContentLine,
  ContentRectification,
  Fine,
  Footprint,
  Identity,
  InvoiceContent,
  TicketBaiContent,
  VatDetail,
} from './content.ts'

/** Root element and namespace of each kind of file. Elements below the root are in no namespace. */
export const ROOTS: Readonly<Record<TicketBaiContent['kind'], { name: string; ns: string }>> = {
  issue: { name: 'TicketBai', ns: 'urn:ticketbai:emision' },
  cancellation: { name: 'AnulaTicketBai', ns: 'urn:ticketbai:anulacion' },
  amended_issue: { name: 'SubsanacionModificacionTicketBAI', ns: 'urn:ticketbai:zuzendu-alta' },
  amended_cancellation: { name: 'SubsanacionAnulacionTicketBAI', ns: 'urn:ticketbai:zuzendu-baja' },
}

/** Returns the document without a signature. The caller has checked texts, codes and lengths. */
export function writeTicketBai(content: TicketBaiContent): string {
  const { name, ns } = ROOTS[content.kind]
  return xmlDocumentCompact([`T:${name}`, partsOf(content), `xmlns:T="${ns}"`])
}

type Parts = (XmlNode | undefined)[]

function partsOf(content: TicketBaiContent): Parts {
  switch (content.kind) {
    case 'issue':
      return [['Cabecera', [['IDVersionTBAI', '1.2']]], ...invoiceParts(content.invoice)]
    case 'cancellation':
      return [['Cabecera', [['IDVersionTBAI', '1.2']]], ...cancellationParts(content.cancellation)]
    case 'amended_issue':
      return [
        [
          'Cabecera',
          [
            ['IDVersion', '1.0'],
            ['Accion', content.action],
          ],
        ],
        ...invoiceParts(content.invoice),
        ['SignatureValueFirmaFactura', content.signature],
      ]
    case 'amended_cancellation':
      return [
        ['Cabecera', [['IDVersion', '1.0']]],
        ...cancellationParts(content.cancellation),
        ['SignatureValueFirmaAnulacion', content.signature],
      ]
  }
}

/** An element with text, or nothing where the text is null. */
const maybe = (name: string, text: string | null): XmlNode | undefined =>
  text === null ? undefined : [name, text]
const yesNo = (value: boolean | null): string | null => (value === null ? null : value ? 'S' : 'N')
const money = (cents: Cents | null): string | null => (cents === null ? null : centsToText(cents))
const rate = (rateBp: BasisPoints | null): string | null =>
  rateBp === null ? null : basisPointsToText(rateBp)

const FINE_DECIMALS = 8
const SHOWN_DECIMALS = 2

/** Formats hundred-millionths with at least two decimals and no zeros after them. */
export function fineText(value: Fine): string {
  const digits = String(value < 0n ? -value : value).padStart(FINE_DECIMALS + 1, '0')
  const fraction = digits.slice(-FINE_DECIMALS).replace(/0+$/, '').padEnd(SHOWN_DECIMALS, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -FINE_DECIMALS)}.${fraction}`
}

function invoiceParts(invoice: InvoiceContent): Parts {
  return [
    ['Sujetos', subjectParts(invoice)],
    [
      'Factura',
      [
        ['CabeceraFactura', headerParts(invoice)],
        ['DatosFactura', dataParts(invoice)],
        ['TipoDesglose', [breakdownPart(invoice.breakdown)]],
      ],
    ],
    footprintPart(invoice.footprint),
  ]
}

function cancellationParts({ issuer, key, footprint }: CancellationContent): Parts {
  return [
    ['IDFactura', [issuerPart(issuer), ['CabeceraFactura', keyParts(key)]]],
    footprintPart({ ...footprint, previous: null }),
  ]
}

const issuerPart = ({ nif, name }: InvoiceContent['issuer']): XmlNode => [
  'Emisor',
  [
    ['NIF', nif],
    ['ApellidosNombreRazonSocial', name],
  ],
]

function identityPart(identity: Identity): XmlNode {
  if (!isForeign(identity)) return ['NIF', identity.nif]
  return ['IDOtro', [maybe('CodigoPais', identity.country), ['IDType', identity.idType], ['ID', identity.id]]]
}

function subjectParts({ issuer, recipients, hasSeveralRecipients, maker }: InvoiceContent): Parts {
  return [
    issuerPart(issuer),
    recipients.length === 0
      ? undefined
      : [
          'Destinatarios',
          recipients.map(({ identity, name, postcode, address }) => [
            'IDDestinatario',
            [
              identityPart(identity),
              ['ApellidosNombreRazonSocial', name],
              maybe('CodigoPostal', postcode),
              maybe('Direccion', address),
            ],
          ]),
        ],
    maybe('VariosDestinatarios', yesNo(hasSeveralRecipients)),
    maybe('EmitidaPorTercerosODestinatario', maker),
  ]
}

const keyParts = ({ series, number, issueDate }: ContentKey): Parts => [
  maybe('SerieFactura', series),
  ['NumFactura', number],
  ['FechaExpedicionFactura', registryDate(issueDate)],
]

function headerParts(invoice: InvoiceContent): Parts {
  const { rectification, originals } = invoice
  return [
    ...keyParts(invoice.key),
    ['HoraExpedicionFactura', invoice.issueTime],
    maybe('FacturaSimplificada', yesNo(invoice.isSimplified)),
    maybe('FacturaEmitidaSustitucionSimplificada', yesNo(invoice.replacesSimplified)),
    rectification === null ? undefined : ['FacturaRectificativa', rectificationParts(rectification)],
    originals.length === 0
      ? undefined
      : [
          'FacturasRectificadasSustituidas',
          originals.map((key) => ['IDFacturaRectificadaSustituida', keyParts(key)]),
        ],
  ]
}

function rectificationParts({ code, method, replaced }: ContentRectification): Parts {
  return [
    ['Codigo', code],
    ['Tipo', method],
    replaced === null
      ? undefined
      : [
          'ImporteRectificacionSustitutiva',
          [
            ['BaseRectificada', centsToText(replaced.baseCents)],
            ['CuotaRectificada', centsToText(replaced.taxCents)],
            maybe('CuotaRecargoRectificada', money(replaced.surchargeCents)),
          ],
        ],
  ]
}

const linePart = ({ description, quantity, unitPrice, discount, total }: ContentLine): XmlNode => [
  'IDDetalleFactura',
  [
    ['DescripcionDetalle', description],
    ['Cantidad', fineText(quantity)],
    ['ImporteUnitario', fineText(unitPrice)],
    maybe('Descuento', discount === null ? null : fineText(discount)),
    ['ImporteTotal', fineText(total)],
  ],
]

function dataParts(invoice: InvoiceContent): Parts {
  const { operationDate, lines } = invoice
  return [
    maybe('FechaOperacion', operationDate === null ? null : registryDate(operationDate)),
    ['DescripcionFactura', invoice.description],
    lines.length === 0 ? undefined : ['DetallesFactura', lines.map(linePart)],
    ['ImporteTotalFactura', centsToText(invoice.totalCents)],
    maybe('RetencionSoportada', money(invoice.withholdingCents)),
    maybe('BaseImponibleACoste', money(invoice.costBaseCents)),
    ['Claves', invoice.regimeKeys.map((key) => ['IDClave', [['ClaveRegimenIvaOpTrascendencia', key]]])],
  ]
}

function breakdownPart(breakdown: InvoiceContent['breakdown']): XmlNode {
  if (breakdown.by === 'invoice') return ['DesgloseFactura', supplyParts(breakdown.whole)]
  const { services, goods } = breakdown
  return [
    'DesgloseTipoOperacion',
    [
      services === null ? undefined : ['PrestacionServicios', supplyParts(services)],
      goods === null ? undefined : ['Entrega', supplyParts(goods)],
    ],
  ]
}

function supplyParts({ exempt, taxed, notSubject }: ContentBreakdown): Parts {
  const subject: Parts = [
    exempt.length === 0
      ? undefined
      : [
          'Exenta',
          exempt.map(({ cause, baseCents }) => [
            'DetalleExenta',
            [
              ['CausaExencion', cause],
              ['BaseImponible', centsToText(baseCents)],
            ],
          ]),
        ],
    taxed.length === 0
      ? undefined
      : [
          'NoExenta',
          taxed.map(({ type, details }) => [
            'DetalleNoExenta',
            [
              ['TipoNoExenta', type],
              ['DesgloseIVA', details.map((detail) => ['DetalleIVA', vatParts(detail)])],
            ],
          ]),
        ],
  ]
  return [
    subject.every((part) => part === undefined) ? undefined : ['Sujeta', subject],
    notSubject.length === 0
      ? undefined
      : [
          'NoSujeta',
          notSubject.map(({ cause, amountCents }) => [
            'DetalleNoSujeta',
            [
              ['Causa', cause],
              ['Importe', centsToText(amountCents)],
            ],
          ]),
        ],
  ]
}

const vatParts = (detail: VatDetail): Parts => [
  ['BaseImponible', centsToText(detail.baseCents)],
  maybe('TipoImpositivo', rate(detail.rateBp)),
  maybe('CuotaImpuesto', money(detail.taxCents)),
  maybe('TipoRecargoEquivalencia', rate(detail.surchargeRateBp)),
  maybe('CuotaRecargoEquivalencia', money(detail.surchargeCents)),
  maybe('OperacionEnRecargoDeEquivalenciaORegimenSimplificado', yesNo(detail.isRetail)),
]

function footprintPart({ previous, software, device }: Footprint): XmlNode {
  return [
    'HuellaTBAI',
    [
      previous === null
        ? undefined
        : [
            'EncadenamientoFacturaAnterior',
            [
              maybe('SerieFacturaAnterior', previous.series),
              ['NumFacturaAnterior', previous.number],
              ['FechaExpedicionFacturaAnterior', registryDate(previous.issueDate)],
              ['SignatureValueFirmaFacturaAnterior', previous.signature],
            ],
          ],
      [
        'Software',
        [
          ['LicenciaTBAI', software.licence],
          ['EntidadDesarrolladora', [identityPart(software.developer)]],
          ['Nombre', software.name],
          ['Version', software.version],
        ],
      ],
      maybe('NumSerieDispositivo', device),
    ],
  ]
}
