/** Kind of a dropped file, by its name and its first bytes. */
import { expect, test } from 'vitest'
import { destinationsOf, storeDropped, takeDropped } from '../../../../renderer/app/shell/dropped.ts'

const camt = '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'
const facturae = '<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml">'
const ubl = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">'
const n43 = '11' + '2100' + '0418' + '0200051332' + '261101' + '261130' + '2'

test.each([
  ['factura.PDF', 'x', ['received']],
  ['foto.heic', 'x', ['received']],
  ['firmada.xsig', 'x', ['received']],
  ['banco.n43', n43, ['bank']],
  ['banco.txt', n43, ['bank']],
  ['nota.txt', 'Total 12,10', ['received']],
  ['banco.xml', camt, ['bank']],
  ['factura.xml', facturae, ['received']],
  ['factura.xml', ubl, ['received']],
  ['otra.xml', '<a/>', ['received', 'bank']],
  ['tabla.csv', 'a;b', ['bank', 'import', 'received']],
  ['tabla.xlsx', 'PK', ['bank', 'import', 'received']],
  ['programa.exe', 'MZ', []],
  ['factura.pdf.exe', '%PDF', []],
  ['sin extensión', '%PDF', []],
])('%s goes to %j', async (name, content, destinations) => {
  expect(await destinationsOf(new File([content], name))).toEqual(destinations)
})

test('a stored file is taken once, by the page it is stored for', () => {
  const file = new File(['x'], 'a.csv')
  storeDropped('bank', file)
  expect(takeDropped('import')).toBeNull()
  expect(takeDropped('bank')).toBe(file)
  expect(takeDropped('bank')).toBeNull()
})
