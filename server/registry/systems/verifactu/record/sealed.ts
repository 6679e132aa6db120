/** Reads a stored record from its XML, character by character, so that the chain is verified from what was sent. */
import { trimValue } from './hashed.ts'
import { NS_RECORD } from '../wire/namespaces.ts'
import { onlyChild, optionalChild, readXml, XmlError } from '../wire/reader.ts'
import { dateFromRegistry } from '../wire/replies.ts'
import type { SealedRecord } from './hashed.ts'
import type { ChainLink } from './fields.ts'
import type { XmlElement } from '../wire/reader.ts'

/**
 * Returns the hashed fields, the link and the previous record of a stored record. Throws XmlError when it is not a
 * record.
 */
export function readSealedRecord(xml: string): SealedRecord {
  const record = readXml(xml)
  if (record.ns !== NS_RECORD) throw new XmlError('unexpected_element', record.name)
  const key = onlyChild(record, NS_RECORD, 'IDFactura')
  const chain = onlyChild(record, NS_RECORD, 'Encadenamiento')
  const previous = optionalChild(chain, NS_RECORD, 'RegistroAnterior')
  const [, second] = chain.children
  if (second) throw new XmlError('unexpected_element', second.name)
  if (!previous) onlyChild(chain, NS_RECORD, 'PrimerRegistro')
  const previousHash = previous ? value(previous, 'Huella') : ''
  const generatedAt = value(record, 'FechaHoraHusoGenRegistro')
  const hash = value(record, 'Huella')
  const reference = optionalChild(record, NS_RECORD, 'RefExterna')
  const operation = optionalChild(record, NS_RECORD, 'FechaOperacion')
  const common = {
    previous: previous ? linkOf(previous, '', previousHash) : null,
    recordId: reference ? trimValue(reference.text) : null,
    operationDate: operation ? dateFromRegistry(trimValue(operation.text)) : null,
  }
  if (record.name === 'RegistroAlta') {
    const text = {
      issuerNif: value(key, 'IDEmisorFactura'),
      number: value(key, 'NumSerieFactura'),
      issueDate: value(key, 'FechaExpedicionFactura'),
      invoiceKind: value(record, 'TipoFactura'),
      taxTotal: value(record, 'CuotaTotal'),
      total: value(record, 'ImporteTotal'),
      previousHash,
      generatedAt,
    }
    return { kind: 'registration', text, link: linkOf(key, '', hash), ...common }
  }
  if (record.name === 'RegistroAnulacion') {
    const text = {
      issuerNif: value(key, 'IDEmisorFacturaAnulada'),
      number: value(key, 'NumSerieFacturaAnulada'),
      issueDate: value(key, 'FechaExpedicionFacturaAnulada'),
      previousHash,
      generatedAt,
    }
    return { kind: 'cancellation', text, link: linkOf(key, 'Anulada', hash), ...common }
  }
  throw new XmlError('unexpected_element', record.name)
}

function value(parent: XmlElement, name: string): string {
  return trimValue(onlyChild(parent, NS_RECORD, name).text)
}

function linkOf(parent: XmlElement, suffix: '' | 'Anulada', hash: string): ChainLink {
  return {
    issuerNif: value(parent, `IDEmisorFactura${suffix}`),
    number: value(parent, `NumSerieFactura${suffix}`),
    issueDate: dateFromRegistry(value(parent, `FechaExpedicionFactura${suffix}`)),
    hash,
  }
}
