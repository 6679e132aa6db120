/**
 * Reads a record's XML back into its facts: the reverse of the serializer, written from the published schema alone,
 * so that a lost, swapped or repeated field shows.
 */
import { scaleText } from '../../../server/domain/money.ts'
import { NS_RECORD } from '../../../server/registry/systems/verifactu/wire/namespaces.ts'
import { onlyChild, optionalChild, readXml } from '../../../server/registry/systems/verifactu/wire/reader.ts'
import type {
  BreakdownLine,
  CancellationTurn,
  ChainLink,
  InvoiceKey,
  MadeBy,
  Recipient,
  Rectification,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from '../../../server/registry/systems/verifactu/record/fields.ts'
import type { XmlElement } from '../../../server/registry/systems/verifactu/wire/reader.ts'

/** The facts around a record of either kind. */
interface Seal {
  previous: ChainLink | null
  system: SystemInfo
  generatedAt: string
  hash: string
}

const child = (parent: XmlElement, name: string) => onlyChild(parent, NS_RECORD, name)
const maybe = (parent: XmlElement, name: string) => optionalChild(parent, NS_RECORD, name)
const text = (parent: XmlElement, name: string) => child(parent, name).text
const maybeText = (parent: XmlElement, name: string) => maybe(parent, name)?.text ?? null

function scaled(written: string | null): number | null {
  if (written === null) return null
  const value = scaleText(written, 2)
  if (value === null) throw new Error(`${written} is no amount`)
  return value
}

const cents = (parent: XmlElement, name: string) => scaled(text(parent, name)) ?? Number.NaN
const maybeScaled = (parent: XmlElement, name: string) => scaled(maybeText(parent, name))

function date(written: string): string {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(written) ?? []
  if (!day) throw new Error(`${written} is no day`)
  return `${year}-${month}-${day}`
}

/** Returns a flag, which is written only when it is true. */
function flag(parent: XmlElement, name: string): boolean {
  const written = maybeText(parent, name)
  if (written !== null && written !== 'S') throw new Error(`${name} ${written}`)
  return written === 'S'
}

function yesNo(parent: XmlElement, name: string): boolean {
  const written = text(parent, name)
  if (written !== 'S' && written !== 'N') throw new Error(`${name} ${written}`)
  return written === 'S'
}

function key(parent: XmlElement, suffix = ''): InvoiceKey {
  return {
    issuerNif: text(parent, `IDEmisorFactura${suffix}`),
    number: text(parent, `NumSerieFactura${suffix}`),
    issueDate: date(text(parent, `FechaExpedicionFactura${suffix}`)),
  }
}

function party(element: XmlElement): Recipient {
  const name = text(element, 'NombreRazon')
  const nif = maybeText(element, 'NIF')
  if (nif !== null) return { name, nif }
  const other = child(element, 'IDOtro')
  return {
    name,
    country: maybeText(other, 'CodigoPais') ?? '',
    idType: text(other, 'IDType') as '02',
    id: text(other, 'ID'),
  }
}

function seal(record: XmlElement): Seal {
  const chain = child(record, 'Encadenamiento')
  const before = maybe(chain, 'RegistroAnterior')
  if (!before && text(chain, 'PrimerRegistro') !== 'S') throw new Error('PrimerRegistro')
  const system = child(record, 'SistemaInformatico')
  return {
    previous: before ? { ...key(before), hash: text(before, 'Huella') } : null,
    system: {
      producer: { name: text(system, 'NombreRazon'), nif: text(system, 'NIF') },
      name: text(system, 'NombreSistemaInformatico'),
      id: text(system, 'IdSistemaInformatico'),
      version: text(system, 'Version'),
      installationNumber: text(system, 'NumeroInstalacion'),
      onlyVerifactu: yesNo(system, 'TipoUsoPosibleSoloVerifactu'),
      multiIssuer: yesNo(system, 'TipoUsoPosibleMultiOT'),
      severalIssuers: yesNo(system, 'IndicadorMultiplesOT'),
    },
    generatedAt: text(record, 'FechaHoraHusoGenRegistro'),
    hash: text(record, 'Huella'),
  }
}

const REGISTRATION_TURNS: Record<string, RegistrationTurn> = {
  '': 'first',
  S: 'correction',
  SS: 'correction_after_rejection',
  SX: 'unregistered',
}
/** Keys: SinRegistroPrevio, then RechazoPrevio. */
const CANCELLATION_TURNS: Record<string, CancellationTurn> = {
  '-': 'first',
  '-S': 'after_rejection',
  'S-': 'unregistered',
  'S-S': 'unregistered_after_rejection',
}

function turn<T>(turns: Record<string, T>, written: string): T {
  const found = turns[written]
  if (found === undefined) throw new Error(`flags ${written}`)
  return found
}

function line(element: XmlElement): BreakdownLine {
  return {
    tax: text(element, 'Impuesto') as '01',
    regimeKey: maybeText(element, 'ClaveRegimen'),
    taxTreatment: (maybeText(element, 'CalificacionOperacion') ?? text(element, 'OperacionExenta')) as 'S1',
    vatRateBp: maybeScaled(element, 'TipoImpositivo'),
    baseCents: cents(element, 'BaseImponibleOimporteNoSujeto'),
    costBaseCents: maybeScaled(element, 'BaseImponibleACoste'),
    taxCents: maybeScaled(element, 'CuotaRepercutida') ?? 0,
    surchargeRateBp: maybeScaled(element, 'TipoRecargoEquivalencia'),
    surchargeCents: maybeScaled(element, 'CuotaRecargoEquivalencia') ?? 0,
  }
}

function rectification(record: XmlElement): Rectification | null {
  const method = maybeText(record, 'TipoRectificativa')
  const amounts = maybe(record, 'ImporteRectificacion')
  if (!amounts) return method === null ? null : { method: method as 'I' }
  return {
    method: method as 'S',
    baseCents: cents(amounts, 'BaseRectificada'),
    taxCents: cents(amounts, 'CuotaRectificada'),
    surchargeCents: maybeScaled(amounts, 'CuotaRecargoRectificado'),
  }
}

function maker(record: XmlElement): MadeBy | null {
  const by = maybeText(record, 'EmitidaPorTerceroODestinatario')
  const third = maybe(record, 'Tercero')
  if (by === 'T' && third) return { by: 'third_party', party: party(third) }
  if (third || (by !== null && by !== 'D')) throw new Error(`made by ${by}`)
  return by === null ? null : { by: 'recipient' }
}

function keys(record: XmlElement, list: string, item: string): InvoiceKey[] {
  const found = maybe(record, list)
  if (!found) return []
  if (found.children.length === 0 || found.children.some(({ name }) => name !== item)) throw new Error(list)
  return found.children.map((one) => key(one))
}

/** Returns the facts of a RegistroAlta; a part that is not sent gets its default (no country with type 02). */
export function readRegistration(xml: string): { invoice: RegistryInvoice; macro: boolean; seal: Seal } {
  const record = readXml(xml)
  if (record.name !== 'RegistroAlta' || record.ns !== NS_RECORD) throw new Error(record.name)
  const { issuerNif, number, issueDate } = key(child(record, 'IDFactura'))
  const operation = maybeText(record, 'FechaOperacion')
  const invoice: RegistryInvoice = {
    recordId: text(record, 'RefExterna'),
    turn: turn(
      REGISTRATION_TURNS,
      (maybeText(record, 'Subsanacion') ?? '') + (maybeText(record, 'RechazoPrevio') ?? ''),
    ),
    issuer: { nif: issuerNif, name: text(record, 'NombreRazonEmisor') },
    number,
    issueDate,
    operationDate: operation === null ? null : date(operation),
    kind: text(record, 'TipoFactura') as 'F1',
    rectification: rectification(record),
    rectified: keys(record, 'FacturasRectificadas', 'IDFacturaRectificada'),
    substituted: keys(record, 'FacturasSustituidas', 'IDFacturaSustituida'),
    simplifiedArt7273: flag(record, 'FacturaSimplificadaArt7273'),
    withoutRecipientArt61d: flag(record, 'FacturaSinIdentifDestinatarioArt61d'),
    madeBy: maker(record),
    description: text(record, 'DescripcionOperacion'),
    recipients: maybe(record, 'Destinatarios')?.children.map(party) ?? [],
    coupon: flag(record, 'Cupon'),
    breakdown: child(record, 'Desglose').children.map(line),
    taxTotalCents: cents(record, 'CuotaTotal'),
    totalCents: cents(record, 'ImporteTotal'),
    agreementNumber: maybeText(record, 'NumRegistroAcuerdoFacturacion'),
  }
  return { invoice, macro: flag(record, 'Macrodato'), seal: seal(record) }
}

/** Returns the facts of a RegistroAnulacion. */
export function readCancellation(xml: string): { cancellation: RegistryCancellation; seal: Seal } {
  const record = readXml(xml)
  if (record.name !== 'RegistroAnulacion' || record.ns !== NS_RECORD) throw new Error(record.name)
  const by = maybeText(record, 'GeneradoPor')
  const cancellation: RegistryCancellation = {
    recordId: text(record, 'RefExterna'),
    turn: turn(
      CANCELLATION_TURNS,
      `${maybeText(record, 'SinRegistroPrevio') ?? ''}-${maybeText(record, 'RechazoPrevio') ?? ''}`,
    ),
    key: key(child(record, 'IDFactura'), 'Anulada'),
    madeBy:
      by === null
        ? null
        : { by: by === 'D' ? 'recipient' : 'third_party', party: party(child(record, 'Generador')) },
  }
  return { cancellation, seal: seal(record) }
}
