/**
 * The simulated authority's own description of its messages: order, number, length and format of each element, as
 * tables. It is written independently of the serializer, so that it detects the serializer's mistakes.
 */
import { COUNTRIES } from '../../record/parties.ts'
import { trimValue } from '../../record/hashed.ts'
import { NS_QUERY, NS_RECORD, NS_SUBMISSION } from '../../wire/namespaces.ts'
import type { XmlElement } from '../../wire/reader.ts'

interface Text {
  min?: number
  max?: number
  form?: RegExp
  oneOf?: ReadonlySet<string>
  /** Blanks around the value do not count, as in the schema's own types; in texts they do. */
  collapses?: true
  /** The content is not checked. */
  any?: true
}

interface Field {
  name: string
  ns: string
  min: number
  max: number
  type: Text | Block
}

/** Alternatives: exactly one of them, or at most one. */
interface Choice {
  anyOf: Field[]
  optional?: true
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
const query = (field: Field): Field => ({ ...field, ns: NS_QUERY })
const choice = (...anyOf: Field[]): Choice => ({ anyOf })
const maybeChoice = (...anyOf: Field[]): Choice => ({ anyOf, optional: true })

const YES_NO = oneOf('S', 'N')
const NIF = text(9, 9)
const DATE: Text = { form: /^\d{2}-\d{2}-\d{4}$/ }
const AMOUNT: Text = { form: /^[+-]?\d{1,12}(\.\d{0,2})?$/ }
const RATE: Text = { form: /^\d{1,3}(\.\d{0,2})?$/ }
// Wider than the schema's dateTime: an offset without colon or with seconds must reach the record's own check (1244).
const INSTANT: Text = {
  form: /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d(:\d\d)?)?$/,
  collapses: true,
}
/** A record of the other mode is signed; the signature is not read here. */
const SIGNATURE: Field = {
  name: 'Signature',
  ns: 'http://www.w3.org/2000/09/xmldsig#',
  min: 0,
  max: 1,
  type: { any: true },
}

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
  SIGNATURE,
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
  SIGNATURE,
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

const QUERY: Block = [
  query(
    one('Cabecera', [
      one('IDVersion', oneOf('1.0')),
      maybeChoice(one('ObligadoEmision', SPANISH_PARTY), one('Destinatario', SPANISH_PARTY)),
      maybe('IndicadorRepresentante', oneOf('S')),
    ]),
  ),
  query(
    one('FiltroConsulta', [
      query(
        one('PeriodoImputacion', [
          one('Ejercicio', { form: /^\d{4}$/ }),
          one('Periodo', oneOf(...'01 02 03 04 05 06 07 08 09 10 11 12'.split(' '))),
        ]),
      ),
      query(maybe('NumSerieFactura', text(60, 1))),
      query(maybe('Contraparte', PARTY)),
      query(
        maybe('FechaExpedicionFactura', [
          maybeChoice(
            one('FechaExpedicionFactura', DATE),
            one('RangoFechaExpedicion', [maybe('Desde', DATE), maybe('Hasta', DATE)]),
          ),
        ]),
      ),
      query(
        maybe('SistemaInformatico', [
          ...PARTY,
          maybe('NombreSistemaInformatico', text(30)),
          one('IdSistemaInformatico', text(2)),
          maybe('Version', text(50)),
          one('NumeroInstalacion', text(100)),
          maybe('TipoUsoPosibleSoloVerifactu', YES_NO),
          maybe('TipoUsoPosibleMultiOT', YES_NO),
          maybe('IndicadorMultiplesOT', YES_NO),
        ]),
      ),
      query(maybe('RefExterna', text(60))),
      query(maybe('ClavePaginacion', INVOICE_KEY)),
    ]),
  ),
  query(
    maybe('DatosAdicionalesRespuesta', [
      query(maybe('MostrarNombreRazonEmisor', YES_NO)),
      query(maybe('MostrarSistemaInformatico', YES_NO)),
    ]),
  ),
]

interface SchemaFault {
  /** Usually 4102; 4113 and 4114 for too many items, 4136 and 4137 for a missing record. */
  code: '4102' | '4113' | '4114' | '4136' | '4137'
  /** The element at fault, as the authority would name it. */
  element: string
  why: 'missing' | 'unexpected' | 'too_many' | 'value'
}

/** Returns the first difference between a submission's root element and the table, or null. */
export function checkSubmissionSchema(root: XmlElement): SchemaFault | null {
  if (root.ns !== NS_SUBMISSION || root.name !== 'RegFactuSistemaFacturacion')
    return { code: '4102', element: root.name, why: 'unexpected' }
  return checkBlock(root, SUBMISSION)
}

/** Returns the first difference between a query's root element and the table, or null. */
export function checkQuerySchema(root: XmlElement): SchemaFault | null {
  if (!isQuery(root)) return { code: '4102', element: root.name, why: 'unexpected' }
  return checkBlock(root, QUERY)
}

export function isQuery(root: XmlElement): boolean {
  return root.ns === NS_QUERY && root.name === 'ConsultaFactuSistemaFacturacion'
}

function checkBlock(parent: XmlElement, block: Block): SchemaFault | null {
  if (trimValue(parent.text) !== '') return { code: '4102', element: parent.name, why: 'value' }
  const { children } = parent
  let at = 0
  for (const part of block) {
    const field = 'anyOf' in part ? part.anyOf.find((candidate) => isElement(children[at], candidate)) : part
    if (!field) {
      if ('anyOf' in part && part.optional) continue
      return missingChoice(parent, part as Choice)
    }
    let count = 0
    for (let child = children[at]; child && isElement(child, field); child = children[at]) {
      if (++count > field.max) return tooMany(field)
      const fault = checkContent(child, field.type)
      if (fault) return fault
      at++
    }
    if (count < field.min) return { code: '4102', element: field.name, why: 'missing' }
  }
  const surplus = children[at]
  return surplus ? { code: '4102', element: surplus.name, why: 'unexpected' } : null
}

function missingChoice(parent: XmlElement, { anyOf }: Choice): SchemaFault {
  const element = anyOf[0]?.name ?? ''
  if (parent.name !== 'RegistroFactura') return { code: '4102', element, why: 'missing' }
  const cancels = parent.children.some(({ name }) => name === 'RegistroAnulacion')
  return cancels
    ? { code: '4137', element: 'RegistroAnulacion', why: 'missing' }
    : { code: '4136', element, why: 'missing' }
}

function tooMany({ name, max }: Field): SchemaFault {
  const code = name === 'RegistroFactura' ? '4114' : max > 1 ? '4113' : '4102'
  return { code, element: name, why: 'too_many' }
}

function isElement(element: XmlElement | undefined, field: Field): boolean {
  return element !== undefined && element.name === field.name && element.ns === field.ns
}

function checkContent(element: XmlElement, type: Text | Block): SchemaFault | null {
  if (isBlock(type)) return checkBlock(element, type)
  if (type.any) return null
  const fault: SchemaFault = { code: '4102', element: element.name, why: 'value' }
  if (element.children.length > 0) return fault
  const value = type.collapses ? trimValue(element.text) : element.text
  if (type.oneOf && !type.oneOf.has(value)) return fault
  if (type.form && !type.form.test(value)) return fault
  const { min = 0, max = Infinity } = type
  if (value.length < min) return fault
  // Lengths count characters, of which there are never more than UTF-16 units.
  return value.length > max && [...value].length > max ? fault : null
}

function isBlock(type: Text | Block): type is Block {
  return Array.isArray(type)
}
