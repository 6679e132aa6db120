/** Readme files of a pack: what it contains, and how to verify it by hand. Pure. */

interface ReadmeFacts {
  company: string
  nif: string
  madeAt: string
  version: string
  build: string | null
  isTest: boolean
  years: { from: number; to: number } | null
}

const spanOf = (years: ReadmeFacts['years'], all: string): string =>
  years === null ? all : years.from === years.to ? String(years.from) : `${years.from}–${years.to}`

/** Returns the text of LEEME.txt. */
export function spanishReadme(facts: ReadmeFacts): string {
  return `LIBROS DE FACTURACIÓN · ${facts.company} · NIF ${facts.nif}
Periodo: ${spanOf(facts.years, 'todo el libro')}. Preparado con Sello ${facts.version} el ${facts.madeAt}.
Compilación de Sello: ${facts.build ?? 'ninguna (ejecutado desde su código fuente)'}.
${facts.isTest ? 'LIBRO DE PRUEBA: nada de esto son operaciones reales.\n' : ''}
COMPROBARLO
Abra index.html en un navegador (no hace falta conexión ni Sello) y arrastre encima el ZIP, o elija esta carpeta.

QUÉ HAY
index.html              la página que lo comprueba todo
manifest.json           cada archivo con sus bytes y su SHA-256, y qué se comprobó al prepararlo
records/                los registros de facturación en XML tal como se sellaron; records.csv, el índice y la respuesta de la AEAT
chain.json              la cadena: campos de la huella, huella anterior, huella y respuesta (CSV) de cada registro
invoices/               las facturas en PDF, las electrónicas guardadas (.xsig) e invoices.json, la lista
audit.jsonl             el historial completo, con lo que hace falta para comprobar su cadena
books/                  libros de IVA (formato de la AEAT), diario, sumas y saldos

COMPROBARLO A MANO
Un archivo:       openssl dgst -sha256 invoices/NUMERO.pdf   o   sha256sum ...   y compare con manifest.json.
Un registro:      la huella es el SHA-256, en mayúsculas, del texto en UTF-8 que sigue, con los valores de "fields" de chain.json
                  (los mismos que en el XML), todo en una línea y sin salto final:
  alta:           IDEmisorFactura=..&NumSerieFactura=..&FechaExpedicionFactura=..&TipoFactura=..&CuotaTotal=..&ImporteTotal=..&Huella=(anterior)&FechaHoraHusoGenRegistro=..
  anulación:      IDEmisorFacturaAnulada=..&NumSerieFacturaAnulada=..&FechaExpedicionFacturaAnulada=..&Huella=(anterior)&FechaHoraHusoGenRegistro=..
                  printf '%s' 'IDEmisorFactura=...' | openssl dgst -sha256
  En la primera de una instalación la huella anterior está vacía. (AEAT, especificación de la huella 0.1.2.)
Un apunte del historial: SHA-256 de los 32 bytes de la huella anterior seguidos del JSON de "event" con las claves en orden.

LO QUE NO PRUEBA
Que nadie rehízo el paquete entero: quien cambie un registro y recalcule todos los siguientes obtiene otra cadena coherente.
Compare la huella del último registro, y el CSV de los que quiera, con lo que tiene la AEAT; o el QR de una factura entregada.
No va cifrado: guárdelo donde solo puedan leerlo quienes deban.
`
}

/** Returns the text of README.txt. */
export function englishReadme(facts: ReadmeFacts): string {
  return `INVOICING BOOKS · ${facts.company} · NIF ${facts.nif}
Span: ${spanOf(facts.years, 'the whole book')}. Prepared with Sello ${facts.version} at ${facts.madeAt}.
Build of Sello: ${facts.build ?? 'none (run from its sources)'}.
${facts.isTest ? 'TEST BOOK: none of this is real business.\n' : ''}
CHECKING IT
Open index.html in a browser (neither connection nor Sello is needed) and drop the ZIP on it, or choose this folder.

WHAT IS IN IT
index.html              the page that checks all of it
manifest.json           every file with its bytes and SHA-256, and what was proved when it was made
records/                the billing records as XML as they were sealed; records.csv, the index with the answers of the tax agency
chain.json              the chain: hashed fields, hash before, hash and answer (CSV) of each record
invoices/               invoices as PDF, electronic ones that were kept (.xsig), and invoices.json, the list
audit.jsonl             the whole history, with what its chain needs
books/                  VAT books (the agency's format), journal, trial balance

CHECKING BY HAND
A file:           openssl dgst -sha256 invoices/NUMBER.pdf   or   sha256sum ...   and compare with manifest.json.
A record:         its hash is the SHA-256, upper case, of the UTF-8 text below with the values of "fields" in chain.json (those of
                  the XML), all in one line without an end of line:
  registration:   IDEmisorFactura=..&NumSerieFactura=..&FechaExpedicionFactura=..&TipoFactura=..&CuotaTotal=..&ImporteTotal=..&Huella=(before)&FechaHoraHusoGenRegistro=..
  cancellation:   IDEmisorFacturaAnulada=..&NumSerieFacturaAnulada=..&FechaExpedicionFacturaAnulada=..&Huella=(before)&FechaHoraHusoGenRegistro=..
                  printf '%s' 'IDEmisorFactura=...' | openssl dgst -sha256
  The first of an installation has no hash before it: that value is empty. (AEAT, hash specification 0.1.2.)
An event of the history: SHA-256 of the 32 bytes of the hash before, followed by the JSON of "event" with its keys in order.

WHAT IT DOES NOT PROVE
That nobody remade the whole pack: whoever changes a record and recomputes all that follow has another chain that holds.
Compare the hash of the last record, and the CSV of any, with what the agency holds; or the QR of an invoice that was handed out.
It is not encrypted: keep it where only the right people can read it.
`
}
