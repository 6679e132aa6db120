/** What a document is: by a title of its own at the head, in five languages, never by a mention. */
import { expect, test } from 'vitest'
import { readText } from './read-text.ts'

test.each([
  ['FACTURA PROFORMA Nº 12', 'not_invoice'],
  ['PROFORMA INVOICE', 'not_invoice'],
  ['PRESUPUESTO Nº 2026/12\nFecha: 01/02/2026', 'not_invoice'],
  ['PRESSUPOST 2026/12', 'not_invoice'],
  ['ORZAMENTO', 'not_invoice'],
  ['AURREKONTUA 12', 'not_invoice'],
  ['ALBARÁN DE ENTREGA\nNº 4711', 'not_invoice'],
  ['ALBARÀ núm. 4', 'not_invoice'],
  ['NOTA DE ENTREGA', 'not_invoice'],
  ['EMATE-AGIRIA', 'not_invoice'],
  ['DELIVERY NOTE 33', 'not_invoice'],
  ['CONFIRMACIÓN DE PEDIDO\nPedido nº 44', 'not_invoice'],
  ['PEDIDO Nº 12/26', 'not_invoice'],
  ['COMANDA 12', 'not_invoice'],
  ['PURCHASE ORDER PO-12', 'not_invoice'],
  ['ESKAERA 12', 'not_invoice'],
  ['EXTRACTO DE CUENTA\nFecha Factura Importe', 'not_invoice'],
  ['EXTRACTE DE COMPTE', 'not_invoice'],
  ['ACCOUNT STATEMENT', 'not_invoice'],
  ['KONTU-LABURPENA', 'not_invoice'],
  ['RECORDATORIO DE PAGO\nLa factura F26/12 sigue pendiente', 'not_invoice'],
  ['RECORDATORI DE PAGAMENT', 'not_invoice'],
  ['PAYMENT REMINDER\nInvoice 12 is overdue', 'not_invoice'],
  ['ORDAINKETA OROIGARRIA', 'not_invoice'],
  ['JUSTIFICANTE DE PAGO', 'not_invoice'],
  ['Justificante de transferencia', 'not_invoice'],
  ['JUSTIFICANT DE PAGAMENT', 'not_invoice'],
  ['XUSTIFICANTE DE PAGAMENTO', 'not_invoice'],
  ['ORDAINAGIRIA', 'not_invoice'],
  ['PAYMENT CONFIRMATION', 'not_invoice'],
  ['Oferta comercial 2026-3', 'not_invoice'],
  ['QUOTE Q-12', 'not_invoice'],
  ['Presupuesto\nFactura a emitir al finalizar', 'not_invoice'],
  ['Comprobante de transferencia', 'not_invoice'],
  ['FACTURA\nPresupuesto nº 12 aceptado', 'invoice'],
  ['FACTURA 12\nAlbarán 123', 'invoice'],
  ['Factura nº 12   Pedido nº 12', 'invoice'],
  ['FACTURA\nSegún albarán 123 de 01/02/2026', 'invoice'],
  ['Albarán: 123\nFactura: 12', 'invoice'],
  ['Nº Pedido   Nº Factura\n12   13', 'invoice'],
  ['INVOICE\nOrder confirmation 12', 'invoice'],
  ['Papelería Sol, S.L.\nFACTURA\nExtracto de condiciones', 'invoice'],
  ['Factura de anticipo\nPedido 12', 'invoice'],
  ['FACTURA RECTIFICATIVA', 'credit'],
  ['NOTA DE ABONO Nº 3', 'credit'],
  ['ABONO', 'credit'],
  ['CREDIT NOTE CN-1', 'credit'],
  ['FACTURA SIMPLIFICADA', 'simplified'],
  ['Tique 12', 'simplified'],
  ['FACTURA\nAbono en cuenta ES91', 'invoice'],
  ['FACTURA DE ABONO', 'credit'],
  ['Faktura zuzentzailea', 'credit'],
  ['FACTURA Nº 7\nABONO MATERIAL DEFECTUOSO   1   -18,20', 'invoice'],
  ['AVISO DE PAGO DE PRIMA', 'invoice'],
  ['AVISO DE VENCIMIENTO', 'not_invoice'],
])('%j is %s', (title, kind) => {
  const text = `Papelería Sol, S.L.\nCIF B58818501\n${title}\nBase 100,00\nIVA 21% 21,00\nTotal 121,00`
  expect(readText(text).kind).toBe(kind)
})

test('a title far below the head names an enclosure', () => {
  const rows = Array.from({ length: 20 }, (_, index) => `Artículo ${index}  1,00`).join('\n')
  expect(readText(`FACTURA nº 12\n${rows}\nALBARÁN\nTotal 20,00`).kind).toBe('invoice')
})
