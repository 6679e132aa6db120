/**
 * What sending to the platform rests on without proof: not published, not seen, or contradictory by 9 October 2026. It is the one
 * list for documents, messages, the simulator and the page. An entry leaves it when a published text settles it; until then nothing
 * that it blocks is done. Identifiers are stable.
 */

/** A text in both languages of the program. */
interface InBoth {
  es: string
  en: string
}

/** What an assumption is about. */
type Topic = 'service' | 'document' | 'status' | 'term' | 'scope'

/**
 * How well the assumption is founded: `official` slides or text say so without the detail, `one_reader` of the gazette alone wrote it
 * down, `inferred` from neighbouring rules, `none` where nothing was found.
 */
type Grade = 'official' | 'one_reader' | 'inferred' | 'none'

/** `live`: nothing is sent to the real service; `rendering`: no document is made; `nothing`: only our own texts. */
type Blocks = 'live' | 'rendering' | 'nothing'

interface Statement {
  /** Who says what. */
  source: InBoth
  /** In a few words. */
  title: InBoth
  /** What Sello takes for true, and why it is not certain. */
  assumed: InBoth
}

interface Assumption extends Statement {
  id: string
  topic: Topic
  grade: Grade
  blocks: Blocks
  /** Day of the newest source that was read for it. */
  since: string
}

const SEEN = '2026-10-09'

function assumption<Id extends string>(
  id: Id,
  topic: Topic,
  grade: Grade,
  blocks: Blocks,
  statement: Statement,
): Assumption & { id: Id } {
  return { id, topic, grade, blocks, since: SEEN, ...statement }
}

/** A citation reads the same in both languages. */
const cited = (source: string): InBoth => ({ es: source, en: source })
const joined = (...sources: InBoth[]): InBoth => ({
  es: sources.map(({ es }) => es).join('; '),
  en: sources.map(({ en }) => en).join('; '),
})

const SLIDES = {
  es: 'Diapositivas de la AEAT, 10 de septiembre de 2026',
  en: 'Slides of the tax agency, 10 September 2026',
}
const SLIDES_OF_MAY = {
  es: 'Diapositivas de la AEAT, 19 de mayo de 2026',
  en: 'Slides of the tax agency, 19 May 2026',
}
const READER = {
  es: 'Orden HAC/1028/2026, anexos, según los anotó un lector',
  en: 'Orden HAC/1028/2026, annexes, as one reader wrote them down',
}
const CEN = {
  es: 'CEN/TS 16931-3-2:2026, según la transcripción de un repositorio',
  en: 'CEN/TS 16931-3-2:2026, as one repository transcribed it',
}

const LIST = [
  assumption('wsdl', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'El servicio web y sus direcciones', en: 'The web service and its addresses' },
    assumed: {
      es: 'El servicio es como lo muestran las diapositivas: cada operación tiene su dirección, que termina en ws/ y el nombre de su punto de acceso. Ni el WSDL ni los servidores están publicados, y el programa no contiene ninguno.',
      en: 'The service is as the slides show it: each operation has its own address, which ends in ws/ and the name of its endpoint. Neither the WSDL nor the hosts are published, and the program contains none.',
    },
  }),
  assumption('validation', 'service', 'one_reader', 'live', {
    source: READER,
    title: { es: 'Las validaciones', en: 'The validation' },
    assumed: {
      es: 'Bastan las reglas del perfil que conocemos. No hay esquema de extensión ni Schematron publicados: el servicio real puede rechazar más.',
      en: 'The rules here are those of the profile. Neither the extension schema nor a Schematron is published, so that the real service may refuse more.',
    },
  }),
  assumption('test_environment', 'service', 'none', 'live', {
    source: joined(SLIDES_OF_MAY, SLIDES),
    title: { es: 'El entorno de pruebas', en: 'The test environment' },
    assumed: {
      es: 'El entorno anunciado aún no existe: nada de esto se ha probado contra él.',
      en: 'The announced test environment does not exist yet: nothing here was tried against it.',
    },
  }),
  assumption('queries_show_at_once', 'service', 'none', 'live', {
    source: { es: 'No está descrito en ninguna parte', en: 'Not described anywhere' },
    title: {
      es: 'Cuándo aparece en las consultas lo que se envió',
      en: 'When what was sent appears in queries',
    },
    assumed: {
      es: 'Aparece, como mucho, tras dos consultas separadas por un minuto: lo que entonces no aparece no llegó, y se envía otra vez.',
      en: 'It appears at the latest after two queries a minute apart: what does not appear then did not arrive, and is sent again.',
    },
  }),
  assumption('soap_version', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Versión de SOAP', en: 'SOAP version' },
    assumed: {
      es: 'Los mensajes van en SOAP 1.2 y la respuesta puede venir en cualquiera de las dos. Los ejemplos se contradicen en la versión (uno lleva 1.2 y dos, 1.1) y en cómo escriben los nombres.',
      en: 'Messages are written in SOAP 1.2 and may be answered in either version. The examples contradict each other in the version (one has 1.2, two have 1.1) and in the spelling of names.',
    },
  }),
  assumption('message_parts', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Documentos de un mensaje', en: 'Documents of a message' },
    assumed: {
      es: 'Van en multipart/related, en partes binarias con su cid. También se menciona MTOM, cuyas partes son iguales.',
      en: 'They are plain multipart/related with binary parts named by cid. MTOM is mentioned, too; a part of it looks the same.',
    },
  }),
  assumption('message_parties', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Partes de un mensaje', en: 'Parties of a message' },
    assumed: {
      es: 'El emisor es el titular del certificado y el receptor Q2826000H. La respuesta intercambia las partes y mantiene los papeles.',
      en: 'The sender is the holder of the certificate, the receiver is Q2826000H. The answer swaps the parties and keeps the roles.',
    },
  }),
  assumption('service_names', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Servicio y acción', en: 'Service and action' },
    assumed: {
      es: 'Son los de las diapositivas. No se han visto los de las descargas ni los de las respuestas, salvo la del envío: repiten los de la petición.',
      en: 'They are as the slides show them. Not seen: those of downloads, and of all answers but the one to sent invoices; they repeat the request’s.',
    },
  }),
  assumption('issuer_action', 'service', 'inferred', 'live', {
    source: {
      es: 'El nombre de la dirección y la acción del cliente, en las diapositivas',
      en: 'The name of the endpoint and the customer’s action, in the slides',
    },
    title: { es: 'Acción de los estados del emisor', en: 'Action of the issuer’s statuses' },
    assumed: {
      es: 'Es AccountingSupplierPartyAction, por analogía con la del cliente.',
      en: 'It is AccountingSupplierPartyAction, by analogy with the customer’s.',
    },
  }),
  assumption('conversations', 'service', 'inferred', 'live', {
    source: cited('ebMS 3.0'),
    title: { es: 'Conversaciones (ConversationId)', en: 'Conversations (ConversationId)' },
    assumed: {
      es: 'Cada mensaje es una conversación y la respuesta repite su identificador.',
      en: 'Each message is a conversation of its own; the answer repeats its identifier.',
    },
  }),
  assumption('answers', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Respuesta a un mensaje', en: 'Answer to a message' },
    assumed: {
      es: 'Dice algo de cada factura o estado enviado, en su orden, y 400 cuando no se ha admitido nada.',
      en: 'It says something about every invoice or status sent, in their order, and 400 when nothing was taken.',
    },
  }),
  assumption('query_codes', 'service', 'inferred', 'live', {
    source: {
      es: 'La lista de partes de una petición en las diapositivas',
      en: 'The list of request parts in the slides',
    },
    title: { es: 'Consulta por códigos', en: 'Query by codes' },
    assumed: {
      es: 'Los códigos son las referencias de un ApplicationResponse cuyo remitente es la empresa.',
      en: 'The codes are the document references of an ApplicationResponse whose sender is the company.',
    },
  }),
  assumption('query_answer', 'service', 'inferred', 'live', {
    source: {
      es: 'Los nombres de las propiedades de la consulta y la estructura de UBL',
      en: 'The names of the query’s properties, and the structure of UBL',
    },
    title: { es: 'Respuesta a una consulta', en: 'Answer to a query' },
    assumed: {
      es: 'Cada factura es una referencia con su localizador, y las entradas que la acompañan dan el momento de su presentación (RegistrationDate) y sus estados, en la misma forma en que se comunicaron.',
      en: 'Each invoice is a document reference with its locator; entries beside it give the instant of its presentation (RegistrationDate) and its statuses, in the form in which they were reported.',
    },
  }),
  assumption('query_paging', 'service', 'inferred', 'live', {
    source: {
      es: 'cbc:SequenceID en las diapositivas; la propiedad no se muestra',
      en: 'cbc:SequenceID in the slides; the property is not shown',
    },
    title: { es: 'Páginas de una consulta', en: 'Pages of a query' },
    assumed: {
      es: 'Una página termina con S y un número si hay otra, y la siguiente consulta repite ese número en la propiedad SequenceID.',
      en: 'A page ends with S and a number when another one follows; the next query repeats that number in the property SequenceID.',
    },
  }),
  assumption('query_period', 'service', 'inferred', 'live', {
    source: {
      es: '«Dentro de un periodo y año» en las diapositivas',
      en: '“Within one period and year” in the slides',
    },
    title: { es: 'Periodo de una consulta', en: 'Period of a query' },
    assumed: {
      es: 'Los dos días son del mismo mes del mismo año.',
      en: 'Both days are in one month of one year.',
    },
  }),
  assumption('downloads', 'service', 'inferred', 'live', {
    source: {
      es: 'Los nombres de las propiedades de cada parte en las diapositivas',
      en: 'The names of the part properties in the slides',
    },
    title: { es: 'Descargas', en: 'Downloads' },
    assumed: {
      es: 'Los localizadores van donde los dan las consultas, y cada parte de la respuesta lleva el suyo en la propiedad id, y 200 en statusCode.',
      en: 'Locators stand where queries give them; each part of the answer names its locator in the property id, and 200 in statusCode.',
    },
  }),
  assumption('withdrawn_hidden', 'service', 'official', 'live', {
    source: SLIDES,
    title: { es: 'Facturas dadas de baja', en: 'Withdrawn invoices' },
    assumed: {
      es: 'Ninguna consulta las muestra, ni por periodo ni por código, y su código puede volver a enviarse.',
      en: 'No query shows them, neither by period nor by code; a code that was withdrawn may be sent again.',
    },
  }),
  assumption('copy_locator', 'service', 'inferred', 'live', {
    source: {
      es: 'El localizador de una original en las diapositivas',
      en: 'The locator of an original in the slides',
    },
    title: { es: 'Localizador de una copia', en: 'Locator of a copy' },
    assumed: {
      es: 'Es LOCGENV1:C: y base64, como el de una original lleva O.',
      en: 'It is LOCGENV1:C: and base64, as that of an original has O.',
    },
  }),
  assumption('refusal_codes', 'service', 'inferred', 'live', {
    source: { es: 'Un código de ejemplo en las diapositivas', en: 'One code as an example in the slides' },
    title: { es: 'Códigos de rechazo', en: 'Codes of refusals' },
    assumed: {
      es: 'El catálogo no está publicado. Los códigos del simulador empiezan por SPFE-SIM- y son suyos; el programa toma por rechazo todo código distinto de 200 y muestra su texto.',
      en: 'The catalogue is unpublished. The simulator’s codes begin with SPFE-SIM- and are its own; the program treats every code but 200 as a refusal and shows its text.',
    },
  }),
  assumption('refused_messages', 'service', 'inferred', 'live', {
    source: {
      es: 'SOAP 1.2 parte 1, sección 5.4.6; RFC 9110, sección 15',
      en: 'SOAP 1.2 part 1, section 5.4.6; RFC 9110, section 15',
    },
    title: { es: 'Mensajes rechazados', en: 'Refused messages' },
    assumed: {
      es: 'Un fallo SOAP que culpa al remitente, y los estados 4xx de HTTP salvo 408, significan que no se ha admitido nada; cualquier otra cosa sin respuesta completa lo deja en duda.',
      en: 'A SOAP fault that blames the sender, and the statuses 4xx of HTTP but 408, mean that nothing was taken; anything else without a whole answer leaves it open.',
    },
  }),
  assumption('throttling', 'service', 'inferred', 'live', {
    source: { es: 'RFC 6585, sección 4', en: 'RFC 6585, section 4' },
    title: { es: 'Demasiados mensajes', en: 'Too many messages' },
    assumed: {
      es: 'Se responde HTTP 429, con Retry-After.',
      en: 'They are answered HTTP 429 with Retry-After.',
    },
  }),
  assumption('status_rules', 'service', 'inferred', 'live', {
    source: {
      es: 'RD 238/2026 art. 12, Orden HAC/1028/2026 y las diapositivas sobre anular antes de comunicar otra vez',
      en: 'RD 238/2026 art. 12, Orden HAC/1028/2026, and the slides on cancelling before reporting again',
    },
    title: { es: 'Orden de los estados', en: 'Order of statuses' },
    assumed: {
      es: 'Cada parte debe anular un estado antes de comunicar otro, sin que los del emisor y los del cliente se excluyan, y no se admite la baja mientras consta un pago o un cobro.',
      en: 'Of one side, a report must be cancelled before another one; the issuer’s and the customer’s do not exclude each other. A withdrawal is refused while a payment or a collection stands.',
    },
  }),
  assumption('qualifiers', 'document', 'one_reader', 'live', {
    source: READER,
    title: { es: 'Las marcas REGI, QR y RECT', en: 'The marks REGI, QR and RECT' },
    assumed: {
      es: 'Van en los nombres e identificadores de sus elementos. El anexo no da ruta para sus calificadores.',
      en: 'The marks REGI, QR and RECT stand in the names and identifiers of their elements. The annex gives their qualifiers no path.',
    },
  }),
  assumption('withholding', 'document', 'inferred', 'live', {
    source: joined(READER, CEN),
    title: { es: 'La retención del IRPF', en: 'Income tax withheld' },
    assumed: {
      es: 'Es un total de retenciones con la clave 01 y una línea RETE negativa que reduce el importe a pagar. Ni el signo, ni la clave, ni su efecto están descritos.',
      en: 'Income tax withheld is a withholding total with key 01 and a negative collection line RETE that reduces the amount due. Sign, key and effect are not described.',
    },
  }),
  assumption('disbursements', 'document', 'inferred', 'live', {
    source: joined(SLIDES, CEN),
    title: { es: 'Los suplidos', en: 'Disbursements' },
    assumed: {
      es: 'Van en líneas de cobro aparte: fuera del total con impuestos y dentro del importe a pagar.',
      en: 'Disbursements (suplidos) are collection lines outside the total with tax and inside the amount due.',
    },
  }),
  assumption('surcharge', 'document', 'inferred', 'live', {
    source: SLIDES_OF_MAY,
    title: { es: 'El recargo de equivalencia', en: 'The equivalence surcharge' },
    assumed: {
      es: 'Es un cargo exento con su motivo. Se dice que la edición de 2026 le da un sitio, pero no lo hemos visto.',
      en: 'The equivalence surcharge is a charge in category E with its reason. The edition of 2026 is said to have a place for it; the place was not seen.',
    },
  }),
  assumption('margin', 'document', 'inferred', 'live', {
    source: joined(SLIDES, READER),
    title: { es: 'Las ventas con margen', en: 'Margin sales' },
    assumed: {
      es: 'Llevan la categoría F, o D las de agencias de viajes, sin cuota. Cuándo corresponde la N no se ha visto.',
      en: 'Margin sales have category F, those of travel agencies D, and no tax. When N is meant, and what the tax then is, was not seen.',
    },
  }),
  assumption('regimes', 'document', 'inferred', 'live', {
    source: SLIDES,
    title: { es: 'Los regímenes sin clave', en: 'Regimes without a key' },
    assumed: {
      es: 'Las claves que faltan en las listas se escriben como 01, régimen general.',
      en: 'Regime keys that the lists leave out are written as 01, general.',
    },
  }),
  assumption('notes', 'document', 'official', 'live', {
    source: joined(CEN, READER, SLIDES),
    title: { es: 'Las notas y menciones', en: 'Notes and mentions' },
    assumed: {
      es: 'Cada una es una anotación. Un lector de la Orden las escribe como notas, y se anunciaron campos nuevos para las menciones.',
      en: 'Notes and legal mentions are annotations, one each. One reader of the Order writes them as notes, and new fields for mentions were announced.',
    },
  }),
  assumption('buyer_reference', 'document', 'one_reader', 'nothing', {
    source: joined(CEN, READER),
    title: { es: 'La referencia del comprador', en: 'The buyer reference' },
    assumed: {
      es: 'No se escribe: la norma y el lector de la Orden le dan dos sitios distintos.',
      en: 'The buyer reference (BT-10) is left out; the standard and the reader of the Order give it two paths.',
    },
  }),
  assumption('buyer_number', 'document', 'official', 'live', {
    source: joined(SLIDES, CEN),
    title: { es: 'El NIF del cliente', en: 'The number of the customer' },
    assumed: {
      es: 'Va en su esquema fiscal LOC, como dice el anexo; la norma lo pone en la entidad legal.',
      en: 'The number of the customer stands in its tax scheme LOC, as in the annex; the standard has it at the legal entity.',
    },
  }),
  assumption('bg24_code', 'document', 'one_reader', 'live', {
    source: joined(CEN, READER),
    title: { es: 'El código de los documentos de apoyo', en: 'The code of supporting documents' },
    assumed: {
      es: 'QR y RECT no llevan el código 916: el anexo pone ahí R1 a R4, I y S; la norma pide el 916.',
      en: 'References QR and RECT need no type code 916: the annex puts R1 to R4, I and S there, the standard asks for 916.',
    },
  }),
  assumption('rectified_amount', 'document', 'none', 'live', {
    source: SLIDES,
    title: { es: 'El importe rectificado', en: 'The amount rectified' },
    assumed: {
      es: 'Una rectificativa por sustitución no dice el importe que rectifica. Se habla de una tercera referencia, con un código que no se ha visto.',
      en: 'A rectification by substitution does not state the amount that it rectifies. A third reference is said to carry it; its code was not seen.',
    },
  }),
  assumption('replaced_amount', 'document', 'inferred', 'live', {
    source: { es: 'EN 16931, definición de BT-113', en: 'EN 16931, definition of BT-113' },
    title: { es: 'Lo ya pedido por las facturas sustituidas', en: 'What replaced invoices asked for' },
    assumed: {
      es: 'Es un importe ya pagado, para que el importe a pagar sea el de los libros.',
      en: 'What the replaced invoices asked for before is an amount paid (BT-113), so that the amount due is that of the books.',
    },
  }),
  assumption('self_billed_code', 'document', 'one_reader', 'live', {
    source: joined(READER, CEN),
    title: { es: 'La rectificativa expedida por el cliente', en: 'A rectification by the customer' },
    assumed: {
      es: 'Es el tipo 471: está en la lista del anexo, y se dice que la norma lo retira.',
      en: 'A rectification that the customer issues has type 471. The list of the annex has it, that of the standard is said to drop it.',
    },
  }),
  assumption('third_party', 'document', 'none', 'rendering', {
    source: SLIDES,
    title: { es: 'Las facturas expedidas por un tercero', en: 'Invoices that a third party issues' },
    assumed: {
      es: 'No tienen documento: los campos de ese tercero no se han visto.',
      en: 'An invoice that a third party issues has no document: the fields of that party were not seen.',
    },
  }),
  assumption('excise', 'document', 'none', 'nothing', {
    source: SLIDES,
    title: { es: 'Los impuestos especiales', en: 'Special taxes' },
    assumed: {
      es: 'Ni ellos ni el impuesto de matriculación tienen aquí un campo propio.',
      en: 'Special taxes and the registration tax of vehicles have no field of their own here.',
    },
  }),
  assumption('vatex_es', 'document', 'official', 'nothing', {
    source: SLIDES,
    title: { es: 'Los códigos españoles de exención', en: 'Spain’s own exemption codes' },
    assumed: {
      es: 'Las exenciones sin código europeo dicen su motivo en palabras: los códigos propios se pidieron y no se han concedido.',
      en: 'Exemptions without a European code state their reason in words: Spain’s own codes were asked for and not granted.',
    },
  }),
  assumption('message_header', 'status', 'inferred', 'live', {
    source: READER,
    title: { es: 'La cabecera de los mensajes de estado', en: 'The header of status messages' },
    assumed: {
      es: 'Llevan identificador, día, remitente por su NIF y la Agencia como destinataria. El anexo II solo describe el cuerpo.',
      en: 'A status message has an identifier, its day, its sender by number and the agency as receiver. Annex II describes the body alone.',
    },
  }),
  assumption('withdraw_path', 'status', 'inferred', 'live', {
    source: joined(READER, cited('UBL 2.5')),
    title: { es: 'La baja de una factura', en: 'The withdrawal of an invoice' },
    assumed: {
      es: 'Tiene la forma de un estado. El anexo I imprime una ruta que el esquema UBL 2.5 no admite.',
      en: 'A withdrawal has the form of a status. Annex I prints a path that the schema of UBL 2.5 does not allow.',
    },
  }),
  assumption('rejection_reason', 'status', 'inferred', 'live', {
    source: READER,
    title: { es: 'El motivo de un rechazo', en: 'The reason of a rejection' },
    assumed: {
      es: 'Es el código de motivo de su estado, 01 o 02.',
      en: 'The reason of a rejection, 01 or 02, is the reason code of its status.',
    },
  }),
  assumption('holiday_list', 'term', 'inferred', 'nothing', {
    source: cited('RD 238/2026 art. 12.3'),
    title: { es: 'Los festivos del plazo', en: 'Holidays of the term' },
    assumed: {
      es: 'No cuentan los nueve festivos nacionales ni el día del hecho; el aviso va por la lectura más temprana.',
      en: 'Nine national holidays do not count, nor does the day of the event; the alarm goes by the earlier of both readings.',
    },
  }),
  assumption('rejection_term', 'term', 'inferred', 'nothing', {
    source: cited('RD 238/2026 art. 12'),
    title: { es: 'El plazo de un rechazo', en: 'The term of a rejection' },
    assumed: {
      es: 'Es el de los pagos: para los rechazos no hay ninguno escrito.',
      en: 'A rejection is reported within the term of payments: none is written for it.',
    },
  }),
  assumption('retention', 'term', 'none', 'nothing', {
    source: { es: 'RD 238/2026, preámbulo', en: 'RD 238/2026, preamble' },
    title: { es: 'La conservación en la plataforma', en: 'How long the platform keeps invoices' },
    assumed: {
      es: 'No se ha visto cuántos años guarda las facturas: Sello guarda sus originales.',
      en: 'How long the platform keeps invoices was not seen: Sello keeps its own originals.',
    },
  }),
  assumption('foral', 'scope', 'none', 'rendering', {
    source: cited('RD 238/2026 DA3'),
    title: { es: 'País Vasco y Navarra', en: 'The Basque Country and Navarre' },
    assumed: {
      es: 'Se rechazan las empresas de esos territorios; a sus clientes se les trata como a los demás. Los convenios no están publicados.',
      en: 'Companies of the Basque Country and Navarre are refused; their customers are treated like all others. The agreements are not published.',
    },
  }),
  assumption('platform_directory', 'scope', 'official', 'nothing', {
    source: cited('RD 238/2026 arts. 6.1, 6.3, 6.4'),
    title: { es: 'Las plataformas privadas', en: 'Private platforms' },
    assumed: {
      es: 'Cada cliente tiene la plataforma pública salvo que se acuerde otra: no hay directorio de las privadas.',
      en: 'Every customer has the public platform, unless agreed otherwise: there is no directory of private ones.',
    },
  }),
]

export type AssumptionId = (typeof LIST)[number]['id']

export const ASSUMPTIONS: readonly (Assumption & { id: AssumptionId })[] = LIST

/** Returns the assumptions that keep the real platform closed. */
export function blockingLive(): readonly Assumption[] {
  return ASSUMPTIONS.filter(({ blocks }) => blocks === 'live')
}
