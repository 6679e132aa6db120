/**
 * The simulated authority's own statement of what a submission looks like: order, number, length and form of each
 * element, as a table. It is written apart from the serializer, so that a mistake there is seen here.
 */
import { COUNTRIES } from '../record/parties.ts'
import { trimValue } from '../record/chain.ts'
import { NS_RECORD, NS_SUBMISSION } from '../wire/namespaces.ts'
import type { XmlElement } from '../wire/reader.ts'

interface Text {
  min?: number
  max?: number
  form?: RegExp
  oneOf?: ReadonlySet<string>
}

interface Field {
  name: string
  ns: string
  min: number
  max: number
  type: Text | Block
}

/** Alternatives: exactly one of them. */
interface Choice {
  anyOf: Field[]
}

type Block = readonly (Field | Choice)[]

const text = (max: number, min = 0): Text => ({ min, max })
const oneOf = (...values: string[]): Text => ({ oneOf: new Set(values) })
const one = (name: string, type: Text | Block): Field => ({ name, ns: NS_RECORD, min: 1, max: 1, type })
const maybe = (name: string, type: Text | Block): Field => ({ name, ns: NS_RECORD, min: 0, max: 1, type })
const many = (name: string, type: Text | Block, max: number): Field => ({
  name,
  ns: NS_RECORD,
  min: 1,
  max,
  type,
})
const submission = (field: Field): Field => ({ ...field, ns: NS_SUBMISSION })
const choice = (...anyOf: Field[]): Choice => ({ anyOf })

const YES_NO = oneOf('S', 'N')
const NIF = text(9, 9)
const DATE: Text = { form: /^\d{2}-\d{2}-\d{4}$/ }
const AMOUNT: Text = { form: /^[+-]?\d{1,12}(\.\d{0,2})?$/ }
const RATE: Text = { form: /^\d{1,3}(\.\d{0,2})?$/ }
const INSTANT: Text = { form: /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/ }

const OTHER_ID: Block = [
  maybe('CodigoPais', { oneOf: COUNTRIES }),
  one('IDType', oneOf('02', '03', '04', '05', '06', '07')),
  one('ID', text(20)),
]
const SPANISH_PARTY: Block = [one('NombreRazon', text(120)), one('NIF', NIF)]
const PARTY: Block = [one('NombreRazon', text(120)), choice(one('NIF', NIF), one('IDOtro', OTHER_ID))]
const INVOICE_KEY: Block = [
  one('IDEmisorFactura', NIF),
  one('NumSerieFactura', text(60, 1)),
  one('FechaExpedicionFactura', DATE),
]
const CHAIN: Block = [
  choice(
    one('PrimerRegistro', oneOf('S')),
    one('RegistroAnterior', [
      one('IDEmisorFactura', NIF),
      one('NumSerieFactura', text(60)),
      one('FechaExpedicionFactura', DATE),
      one('Huella', text(64)),
    ]),
  ),
]
const SYSTEM: Block = [
  ...PARTY,
  one('NombreSistemaInformatico', text(30)),
  one('IdSistemaInformatico', text(2)),
  one('Version', text(50)),
  one('NumeroInstalacion', text(100)),
  one('TipoUsoPosibleSoloVerifactu', YES_NO),
  one('TipoUsoPosibleMultiOT', YES_NO),
  one('IndicadorMultiplesOT', YES_NO),
]
const REGIMES = oneOf(...'01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '))
const BREAKDOWN_LINE: Block = [
  maybe('Impuesto', oneOf('01', '02', '03', '05')),
  maybe('ClaveRegimen', REGIMES),
  choice(
    one('CalificacionOperacion', oneOf('S1', 'S2', 'N1', 'N2')),
    one('OperacionExenta', oneOf('E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8')),
  ),
  maybe('TipoImpositivo', RATE),
  one('BaseImponibleOimporteNoSujeto', AMOUNT),
  maybe('BaseImponibleACoste', AMOUNT),
  maybe('CuotaRepercutida', AMOUNT),
  maybe('TipoRecargoEquivalencia', RATE),
  maybe('CuotaRecargoEquivalencia', AMOUNT),
]
const SEAL: Block = [one('SistemaInformatico', SYSTEM), one('FechaHoraHusoGenRegistro', INSTANT)]
const REGISTRATION: Block = [
  one('IDVersion', oneOf('1.0')),
  one('IDFactura', INVOICE_KEY),
  maybe('RefExterna', text(60)),
  one('NombreRazonEmisor', text(120)),
  maybe('Subsanacion', YES_NO),
  maybe('RechazoPrevio', oneOf('N', 'S', 'X')),
  one('TipoFactura', oneOf('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5')),
  maybe('TipoRectificativa', oneOf('S', 'I')),
  maybe('FacturasRectificadas', [many('IDFacturaRectificada', INVOICE_KEY, 1000)]),
  maybe('FacturasSustituidas', [many('IDFacturaSustituida', INVOICE_KEY, 1000)]),
  maybe('ImporteRectificacion', [
    one('BaseRectificada', AMOUNT),
    one('CuotaRectificada', AMOUNT),
    maybe('CuotaRecargoRectificado', AMOUNT),
  ]),
  maybe('FechaOperacion', DATE),
  one('DescripcionOperacion', text(500)),
  maybe('FacturaSimplificadaArt7273', YES_NO),
  maybe('FacturaSinIdentifDestinatarioArt61d', YES_NO),
  maybe('Macrodato', YES_NO),
  maybe('EmitidaPorTerceroODestinatario', oneOf('T', 'D')),
  maybe('Tercero', PARTY),
  maybe('Destinatarios', [many('IDDestinatario', PARTY, 1000)]),
  maybe('Cupon', YES_NO),
  one('Desglose', [many('DetalleDesglose', BREAKDOWN_LINE, 12)]),
  one('CuotaTotal', AMOUNT),
  one('ImporteTotal', AMOUNT),
  one('Encadenamiento', CHAIN),
  ...SEAL,
  maybe('NumRegistroAcuerdoFacturacion', text(15)),
  maybe('IdAcuerdoSistemaInformatico', text(16)),
  one('TipoHuella', oneOf('01')),
  one('Huella', text(64)),
]
const CANCELLATION: Block = [
  one('IDVersion', oneOf('1.0')),
  one('IDFactura', [
    one('IDEmisorFacturaAnulada', NIF),
    one('NumSerieFacturaAnulada', text(60, 1)),
    one('FechaExpedicionFacturaAnulada', DATE),
  ]),
  maybe('RefExterna', text(60)),
  maybe('SinRegistroPrevio', YES_NO),
  maybe('RechazoPrevio', YES_NO),
  maybe('GeneradoPor', oneOf('E', 'D', 'T')),
  maybe('Generador', PARTY),
  one('Encadenamiento', CHAIN),
  ...SEAL,
  one('TipoHuella', oneOf('01')),
  one('Huella', text(64)),
]
const HEADER: Block = [
  one('ObligadoEmision', SPANISH_PARTY),
  maybe('Representante', SPANISH_PARTY),
  maybe('RemisionVoluntaria', [maybe('FechaFinVeriFactu', DATE), maybe('Incidencia', YES_NO)]),
  maybe('RemisionRequerimiento', [one('RefRequerimiento', text(18)), maybe('FinRequerimiento', YES_NO)]),
]

const SUBMISSION: Block = [
  submission(one('Cabecera', HEADER)),
  submission(
    many(
      'RegistroFactura',
      [choice(one('RegistroAlta', REGISTRATION), one('RegistroAnulacion', CANCELLATION))],
      1000,
    ),
  ),
]

export interface SchemaFault {
  /** The element at fault, as the authority would name it. */
  element: string
  why: 'missing' | 'unexpected' | 'too_many' | 'value'
}

/** The first departure of a submission's root element from the table, or null. */
export function checkSubmissionSchema(root: XmlElement): SchemaFault | null {
  if (root.ns !== NS_SUBMISSION || root.name !== 'RegFactuSistemaFacturacion')
    return { element: root.name, why: 'unexpected' }
  return checkBlock(root, SUBMISSION)
}

function checkBlock(parent: XmlElement, block: Block): SchemaFault | null {
  if (trimValue(parent.text) !== '') return { element: parent.name, why: 'value' }
  const { children } = parent
  let at = 0
  for (const part of block) {
    const field = 'anyOf' in part ? part.anyOf.find((candidate) => isElement(children[at], candidate)) : part
    if (!field) return { element: 'anyOf' in part ? (part.anyOf[0]?.name ?? '') : '', why: 'missing' }
    let count = 0
    for (let child = children[at]; child && isElement(child, field); child = children[at]) {
      if (++count > field.max) return { element: field.name, why: 'too_many' }
      const fault = checkContent(child, field.type)
      if (fault) return fault
      at++
    }
    if (count < field.min) return { element: field.name, why: 'missing' }
  }
  const surplus = children[at]
  return surplus ? { element: surplus.name, why: 'unexpected' } : null
}

function isElement(element: XmlElement | undefined, field: Field): boolean {
  return element !== undefined && element.name === field.name && element.ns === field.ns
}

function checkContent(element: XmlElement, type: Text | Block): SchemaFault | null {
  if (isBlock(type)) return checkBlock(element, type)
  const fault: SchemaFault = { element: element.name, why: 'value' }
  if (element.children.length > 0) return fault
  const value = trimValue(element.text)
  if (type.oneOf && !type.oneOf.has(value)) return fault
  if (type.form && !type.form.test(value)) return fault
  const { min = 0, max = Infinity } = type
  if (value.length < min) return fault
  // Lengths count characters, which are never more than UTF-16 units.
  return value.length > max && [...value].length > max ? fault : null
}

function isBlock(type: Text | Block): type is Block {
  return Array.isArray(type)
}
