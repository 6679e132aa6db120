/** HTML pages of the simulated authority, for people. */
import { webPage } from '../../../../platform/simulated-authority/start.ts'
import type { QrAnswer } from './qr.ts'

/** Returns the page behind a QR code. */
export function qrPage(answer: QrAnswer): string {
  if (answer.status === 'KO') return webPage('No se puede comprobar la factura', answer.mensaje)
  const { nif, numserie, fecha, importe } = answer.respuesta
  return webPage(answer.mensaje, `Emisor ${nif}, factura ${numserie} de ${fecha}, importe ${importe}.`)
}
