/** Readme files of an archive: what each file is, how to read it without Sello, and how to bring it back. Pure. */
import type { Manifest } from '../format.ts'
import { KINDS } from './data.ts'

type Facts = Pick<Manifest, 'company' | 'books' | 'madeAt' | 'program' | 'sandbox'>

const bookNames = (books: Facts['books'], live: string, test: string): string =>
  books.map(({ folder, mode }) => `${folder}/ (${mode === 'live' ? live : test})`).join(', ')

/** Returns the text of LEEME.md. */
export function spanishReadme({ company, books, madeAt, program, sandbox }: Facts): string {
  return `# ${company.name}${company.nif ? ` · NIF ${company.nif}` : ''}

Todo lo que hay de esta empresa en Sello, en formatos abiertos. Preparado el ${madeAt} con Sello ${program.version}.
${sandbox ? '\n**Libros de prueba: nada de esto son operaciones reales.**\n' : ''}
**Este archivo no está cifrado.** Contiene tus clientes, importes y documentos: guárdalo donde solo pueda leerlo quien deba.

## Qué hay

Cada libro tiene su carpeta: ${bookNames(books, 'el real', 'el de prueba, sin valor fiscal')}.

| | |
| --- | --- |
| \`LIBRO/documents/AÑO/\` | las facturas en PDF, firmadas si lo están, tal como se entregaron; el nombre es su número |
| \`LIBRO/einvoices/AÑO/\` | las facturas electrónicas firmadas que se guardaron (Facturae, .xsig) |
| \`LIBRO/attachments/\` | los archivos adjuntos y las facturas de proveedores, tal como llegaron; las que están en una factura recibida empiezan por su año y número |
| \`LIBRO/exchange/\` | las facturas electrónicas, los mensajes de estados y las respuestas de la plataforma, tal como se enviaron y recibieron |
| \`LIBRO/mails/\` | lo que se adjuntó a correos |
| \`LIBRO/records/\` | los registros de facturación en XML tal como se sellaron, con su índice y las respuestas de la Agencia Tributaria (records.csv) |
| \`LIBRO/csv/AÑO/\` | los libros registro unificados de IVA e IRPF en el formato de la Agencia Tributaria (XLSX y CSV), el diario y las sumas y saldos |
| \`LIBRO/csv/\` | listas de facturas, contactos y productos |
| \`LIBRO/data/\` | los mismos datos en JSON, con las formas de la API pública de Sello; \`schema/\` tiene el JSON Schema (2020-12) de cada uno |
| \`tables/\` | las filas exactas de la base de datos, una por línea (JSON Lines); \`tables/schema.json\` describe cada tabla y columna. Es lo que lee Sello para traerlo de vuelta |
| \`manifest.json\` | cada archivo con sus bytes y su SHA-256, y qué se dejó fuera y por qué |

Listas de \`data/\`:

${KINDS.map(({ name, es }) => `- \`${name}.json\`: ${es.toLowerCase()}`).join('\n')}

## Leerlo sin Sello

- Los CSV se abren con cualquier hoja de cálculo: separados por punto y coma, en UTF-8.
- Los JSON los lee cualquier lenguaje. Los importes de \`data/\` son euros con dos decimales; los de \`tables/\` son enteros: céntimos (\`_cents\`), centésimas de punto porcentual (\`_bp\`), millonésimas (\`_micro\`) y milisegundos desde 1970 (\`_at\`). Las columnas de bytes van en base64; las de documentos dicen qué archivo, y qué parte de él, es su contenido.
- Comprobar un archivo: \`sha256sum live/documents/2026/F-0001.pdf\`, y compáralo con \`manifest.json\`.

## Traerlo de vuelta

En un Sello recién instalado, en la página de bienvenida: «Traer un archivo de Sello». O en la línea de comandos:
\`sello take-in --file ARCHIVO.zip\`; en un despacho, \`sello office take-in --file ARCHIVO.zip\`. Sello comprueba cada archivo antes de tocar
nada, verifica los libros y los trae enteros o no trae nada. En el libro real no se emite hasta que empieces una instalación
nueva en la página de registro, cuando la anterior ya no emita: dos que numeran romperían la cadena.

## Lo que no está

Certificados (sus claves privadas), contraseñas, claves de programas y conexiones: \`manifest.json\` nombra cada cosa y su motivo.
Vuelve a ponerlas tú.
`
}

/** Returns the text of README.md. */
export function englishReadme({ company, books, madeAt, program, sandbox }: Facts): string {
  return `# ${company.name}${company.nif ? ` · NIF ${company.nif}` : ''}

Everything of this company in Sello, in open formats. Made at ${madeAt} with Sello ${program.version}.
${sandbox ? '\n**Books for trials: none of this is real business.**\n' : ''}
**This archive is not encrypted.** It has your customers, amounts and documents: keep it where only the right people can read it.

## What is inside

Each book has its folder: ${bookNames(books, 'the real one', 'the one for trials, without legal effect')}.

| | |
| --- | --- |
| \`BOOK/documents/YEAR/\` | the invoices as PDF, signed if they were, as they were delivered; the name is their number |
| \`BOOK/einvoices/YEAR/\` | the signed electronic invoices that were kept (Facturae, .xsig) |
| \`BOOK/attachments/\` | attached files and suppliers' invoices, as they arrived; those of a received invoice begin with its year and number |
| \`BOOK/exchange/\` | electronic invoices, messages of statuses and answers of the platform, as they were sent and received |
| \`BOOK/mails/\` | what was attached to mails |
| \`BOOK/records/\` | the billing records in XML as they were sealed, with their index and the answers of the tax agency (records.csv) |
| \`BOOK/csv/YEAR/\` | the unified VAT and income tax books in the tax agency's format (XLSX and CSV), the journal and the trial balance |
| \`BOOK/csv/\` | lists of invoices, contacts and products |
| \`BOOK/data/\` | the same data as JSON, in the shapes of Sello's public API; \`schema/\` has the JSON Schema (2020-12) of each |
| \`tables/\` | the exact rows of the database, one a line (JSON Lines); \`tables/schema.json\` describes each table and column. Sello reads these to bring it back |
| \`manifest.json\` | every file with its bytes and SHA-256, and what was left out and why |

Lists in \`data/\`:

${KINDS.map(({ name, en }) => `- \`${name}.json\`: ${en.toLowerCase()}`).join('\n')}

## Reading it without Sello

- The CSV files open in any spreadsheet: separated by semicolons, in UTF-8.
- Any language reads the JSON files. Amounts in \`data/\` are euros with two decimals; those in \`tables/\` are whole numbers: cents (\`_cents\`), hundredths of a percentage point (\`_bp\`), millionths (\`_micro\`) and milliseconds since 1970 (\`_at\`). Columns of bytes are in base64; those of documents name the file, and the part of it, that is their content.
- To check a file: \`sha256sum live/documents/2026/F-0001.pdf\`, and compare with \`manifest.json\`.

## Bringing it back

In a newly installed Sello, on the welcome page: "Bring an archive of Sello". Or on the command line: \`sello take-in --file ARCHIVE.zip\`;
in an office, \`sello office take-in --file ARCHIVE.zip\`. Sello checks every file before it touches anything, verifies the books, and takes
all of them or nothing. The real book issues nothing until you begin a new installation on the registry page, once the earlier one
issues no more: two that number would break the chain.

## What is not inside

Certificates (their private keys), passwords, keys of programs and connections: \`manifest.json\` names each with its reason. Add
them again yourself.
`
}
