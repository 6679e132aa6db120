/** HTML pages of the simulated authority, for people and for misdirected programs. */
import type { QrAnswer } from './qr.ts'

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export function webPage(title: string, text: string): string {
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></body></html>`
}

/** Returns the page behind a QR code. */
export function qrPage(answer: QrAnswer): string {
  if (answer.status === 'KO') return webPage('No se puede comprobar la factura', answer.mensaje)
  const { nif, numserie, fecha, importe } = answer.respuesta
  return webPage(answer.mensaje, `Emisor ${nif}, factura ${numserie} de ${fecha}, importe ${importe}.`)
}
