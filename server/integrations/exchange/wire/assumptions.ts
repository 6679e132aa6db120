/**
 * What the client and the simulator of the platform assume where its operator has published nothing, or where its slides
 * contradict each other. Each entry leaves the list when an official text settles it; until then nothing can be sent for real.
 */
import type { Assumption } from '../../../documents/e-invoice/index.ts'

const SEEN = '2026-10-09'
const SLIDES = 'Slides of the tax agency, 10 September 2026'

function live(id: string, title: string, assumed: string, inferredFrom?: string): Assumption {
  const grade = inferredFrom === undefined ? 'official' : 'inferred'
  return {
    id,
    title,
    topic: 'service',
    assumed,
    source: inferredFrom ?? SLIDES,
    grade,
    blocks: 'live',
    since: SEEN,
  }
}

/** Of the service; those of the documents are listed with the documents. */
export const WIRE_ASSUMPTIONS: readonly Assumption[] = [
  live(
    'exchange_addresses',
    'Addresses of the service',
    'Each operation has its own address that ends in ws/ and the name of its endpoint. The hosts are unknown: the program contains none.',
  ),
  live(
    'exchange_soap_version',
    'SOAP version',
    'Messages are written in SOAP 1.2 and may be answered in either version. One example has 1.2, two have 1.1.',
  ),
  live(
    'exchange_multipart',
    'Documents of a message',
    'Plain multipart/related with binary parts named by cid. MTOM is mentioned, too; a part of it looks the same.',
  ),
  live(
    'exchange_parties',
    'Parties of a message',
    'The sender is the holder of the certificate, the receiver is Q2826000H. The answer swaps the parties and keeps the roles.',
  ),
  live(
    'exchange_services',
    'Service and action',
    'As the slides show them. Not seen: those of downloads, and of all answers but the one to sent invoices; they repeat the request’s.',
  ),
  live(
    'exchange_issuer_action',
    'Action of the issuer’s statuses',
    'AccountingSupplierPartyAction, by analogy with the customer’s.',
    'The name of the endpoint, and the customer’s action',
  ),
  live(
    'exchange_conversation',
    'ConversationId',
    'Each message is a conversation of its own; the answer repeats its identifier.',
    'ebMS 3.0',
  ),
  live(
    'exchange_answer_items',
    'Answer to a message',
    'It says something about every invoice or status sent, in their order, and 400 when nothing was taken.',
  ),
  live(
    'exchange_query_codes',
    'Query by codes',
    'The codes are the document references of an ApplicationResponse whose sender is the company.',
    'The list of request parts in the slides',
  ),
  live(
    'exchange_query_answer',
    'Answer to a query',
    'Each invoice is a document reference with its locator; entries beside it give the instant of its presentation (RegistrationDate) and its statuses.',
    'The names of the query’s properties, and the structure of UBL',
  ),
  live(
    'exchange_query_paging',
    'Pages of a query',
    'A page ends with S and a number when another one follows; the next query repeats that number in the property SequenceID.',
    'cbc:SequenceID in the slides; the property is not shown',
  ),
  live(
    'exchange_query_period',
    'Period of a query',
    'Both days are in one month of one year.',
    '“Within one period and year” in the slides',
  ),
  live(
    'exchange_download',
    'Downloads',
    'Locators stand where queries give them; each part of the answer names its locator in the property id, and 200 in statusCode.',
    'The names of the part properties in the slides',
  ),
  live(
    'exchange_withdrawn_hidden',
    'Withdrawn invoices',
    'No query shows them, neither by period nor by code; a code that was withdrawn may be sent again.',
  ),
  live(
    'exchange_copy_locator',
    'Locator of a copy',
    'LOCGENV1:C: and base64, as that of an original has O.',
    'The locator of an original in the slides',
  ),
  live(
    'exchange_refusal_codes',
    'Codes of refusals',
    'The catalogue is unpublished. The simulator’s codes begin with SPFE-SIM- and are its own; the program treats every code but 200 as a refusal and shows its text.',
    'One code as an example in the slides',
  ),
  live(
    'exchange_faults',
    'Refused messages',
    'A SOAP fault that blames the sender, and the statuses 4xx of HTTP but 408, mean that nothing was taken; anything else without a whole answer leaves it open.',
    'SOAP 1.2 part 1, section 5.4.6; RFC 9110, section 15',
  ),
  live('exchange_throttling', 'Too many messages', 'HTTP 429 with Retry-After.', 'RFC 6585, section 4'),
  live(
    'exchange_status_rules',
    'Order of statuses',
    'Of one side, a report must be cancelled before another one; the issuer’s and the customer’s do not exclude each other. A withdrawal is refused while a payment or a collection stands.',
    'RD 238/2026 art. 12, Orden HAC/1028/2026, and the slides on cancelling before reporting again',
  ),
]

/** Spanish texts of the assumptions, by their identifiers. */
export const WIRE_ASSUMPTIONS_ES: Readonly<Record<string, { title: string; assumed: string }>> = {
  exchange_addresses: {
    title: 'Direcciones del servicio',
    assumed:
      'Que cada operación tiene su dirección, que termina en ws/ y el nombre de su punto de acceso. No se conocen los servidores: el programa no contiene ninguno.',
  },
  exchange_soap_version: {
    title: 'Versión de SOAP',
    assumed:
      'Que los mensajes van en SOAP 1.2 y la respuesta puede venir en cualquiera de las dos. Un ejemplo lleva 1.2 y dos llevan 1.1.',
  },
  exchange_multipart: {
    title: 'Documentos de un mensaje',
    assumed:
      'Que van en multipart/related, en partes binarias con su cid. También se menciona MTOM, cuyas partes son iguales.',
  },
  exchange_parties: {
    title: 'Partes de un mensaje',
    assumed:
      'Que el emisor es el titular del certificado y el receptor Q2826000H. La respuesta intercambia las partes y mantiene los papeles.',
  },
  exchange_services: {
    title: 'Servicio y acción',
    assumed:
      'Que son los de las diapositivas. No se han visto los de las descargas ni los de las respuestas, salvo la del envío; repiten los de la petición.',
  },
  exchange_issuer_action: {
    title: 'Acción de los estados del emisor',
    assumed: 'Que es AccountingSupplierPartyAction, por analogía con la del cliente.',
  },
  exchange_conversation: {
    title: 'ConversationId',
    assumed: 'Que cada mensaje es una conversación y la respuesta repite su identificador.',
  },
  exchange_answer_items: {
    title: 'Respuesta a un mensaje',
    assumed:
      'Que dice algo de cada factura o estado enviado, en su orden, y 400 cuando no se ha admitido nada.',
  },
  exchange_query_codes: {
    title: 'Consulta por códigos',
    assumed: 'Que los códigos son las referencias de un ApplicationResponse cuyo remitente es la empresa.',
  },
  exchange_query_answer: {
    title: 'Respuesta a una consulta',
    assumed:
      'Que cada factura es una referencia con su localizador, y que las entradas que la acompañan dan el momento de su presentación (RegistrationDate) y sus estados.',
  },
  exchange_query_paging: {
    title: 'Páginas de una consulta',
    assumed:
      'Que una página termina con S y un número si hay otra, y que la siguiente consulta repite ese número en la propiedad SequenceID.',
  },
  exchange_query_period: {
    title: 'Periodo de una consulta',
    assumed: 'Que los dos días son del mismo mes del mismo año.',
  },
  exchange_download: {
    title: 'Descargas',
    assumed:
      'Que los localizadores van donde los dan las consultas, y que cada parte de la respuesta lleva el suyo en la propiedad id, y 200 en statusCode.',
  },
  exchange_withdrawn_hidden: {
    title: 'Facturas dadas de baja',
    assumed:
      'Que ninguna consulta las muestra, ni por periodo ni por código, y que su código puede volver a enviarse.',
  },
  exchange_copy_locator: {
    title: 'Localizador de una copia',
    assumed: 'Que es LOCGENV1:C: y base64, como el de una original lleva O.',
  },
  exchange_refusal_codes: {
    title: 'Códigos de rechazo',
    assumed:
      'El catálogo no está publicado. Los códigos del simulador empiezan por SPFE-SIM- y son suyos; el programa toma por rechazo todo código distinto de 200 y muestra su texto.',
  },
  exchange_faults: {
    title: 'Mensajes rechazados',
    assumed:
      'Que un fallo SOAP que culpa al remitente, y los estados 4xx de HTTP salvo 408, significan que no se ha admitido nada; cualquier otra cosa sin respuesta completa lo deja en duda.',
  },
  exchange_throttling: { title: 'Demasiados mensajes', assumed: 'Que se responde HTTP 429 con Retry-After.' },
  exchange_status_rules: {
    title: 'Orden de los estados',
    assumed:
      'Que cada parte debe anular un estado antes de comunicar otro, sin que los del emisor y los del cliente se excluyan, y que no se admite la baja mientras consta un pago o un cobro.',
  },
}
