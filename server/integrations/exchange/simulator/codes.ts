/**
 * Codes with which the simulated platform refuses. The real catalogue is unpublished, so that all of them are the
 * simulator's own; only `200` is the platform's.
 */

export const TAKEN = '200'

export const REFUSALS = {
  'SPFE-SIM-XML': 'El documento no se puede leer',
  'SPFE-SIM-SIZE': 'La factura supera 5.120 kB',
  'SPFE-SIM-PROFILE': 'La factura no cumple el perfil',
  'SPFE-SIM-PART-TWICE': 'La misma factura va dos veces en el envío',
  'SPFE-SIM-AUTHORITY': 'El certificado no permite actuar por este titular',
  'SPFE-SIM-RECIPIENT': 'El NIF del destinatario no está identificado',
  'SPFE-SIM-ISSUER': 'El NIF del emisor no está identificado',
  'SPFE-SIM-DUPLICATE': 'La factura original ya consta',
  'SPFE-SIM-COPY-TWICE': 'La copia ya consta',
  'SPFE-SIM-ORIGINAL-HELD': 'Consta la factura original: no se admite una copia',
  'SPFE-SIM-COPY-HELD': 'Consta una copia: dé de baja la copia antes de enviar la original',
  'SPFE-SIM-UNKNOWN-INVOICE': 'La factura no consta',
  'SPFE-SIM-ROLE': 'El estado no corresponde a quien lo comunica',
  'SPFE-SIM-STATUS-TWICE': 'El mismo estado va dos veces para la factura',
  'SPFE-SIM-STATUS-STANDS': 'Consta otro estado: anúlelo antes',
  'SPFE-SIM-STATUS-MISSING': 'No consta el estado que se anula',
  'SPFE-SIM-STATUS-DATE': 'Falta una fecha, o no es posible',
  'SPFE-SIM-PAID': 'La factura consta pagada',
  'SPFE-SIM-LOCATOR': 'El localizador no corresponde a ninguna factura de quien consulta',
  'SPFE-SIM-MESSAGE': 'El mensaje no tiene la forma esperada',
  'SPFE-SIM-BATCH': 'El mensaje tiene más o menos documentos de los admitidos',
  'SPFE-SIM-SENDER': 'El remitente del mensaje no es el titular del certificado',
  'SPFE-SIM-PERIOD': 'El periodo consultado no es de un solo mes',
  'SPFE-SIM-FAULT': 'Rechazo provocado por una prueba',
} as const
export type RefusalCode = keyof typeof REFUSALS

/** Returns the text of a code, with what it is about. */
export function refusalText(code: RefusalCode, detail = ''): string {
  return detail === '' ? REFUSALS[code] : `${REFUSALS[code]}: ${detail}`.slice(0, 400)
}

/** A message that is refused as a whole. */
export class MessageRefused extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode, detail = '') {
    super(refusalText(code, detail))
    this.name = 'MessageRefused'
    this.code = code
  }
}
