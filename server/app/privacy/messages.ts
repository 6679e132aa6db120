/** Messages of the summary in a person's export, in both languages of the program. */
import type { Area, Finding } from './contract.ts'
import type { Law } from './retention.ts'

export type SummaryLanguage = 'es' | 'en'

interface SummaryMessages {
  title: string
  intro: (person: string, company: string, day: string) => string
  area: string
  count: string
  fate: string
  until: string
  laws: string
  files: string
  filesText: string
  missing: string
  rights: string
  fates: Record<Finding['fate'], string>
  areas: Record<Area, string>
  lawNames: Record<Law, string>
}

export const MESSAGES: Record<SummaryLanguage, SummaryMessages> = {
  es: {
    title: 'Datos personales',
    intro: (person, company, day) =>
      `Todo lo que ${company} guarda de ${person} en este libro, a ${day}. Responde al derecho de acceso y al de portabilidad (RGPD, artículos 15 y 20).`,
    area: 'Qué',
    count: 'Cuántos',
    fate: 'Si se pide borrar',
    until: 'Hasta',
    laws: 'Por qué se conserva',
    files: 'Qué hay en este archivo',
    filesText:
      'En datos/ hay un archivo JSON por cada clase de datos, para leerlo con un programa. En facturas/ están los PDF de las facturas emitidas y en archivos/ los documentos recibidos y los que se enviaron por correo.',
    missing: 'No se ha podido incluir',
    rights:
      'Puedes pedir que se corrijan o se borren tus datos, que se limite su uso u oponerte a él. Si no te convence la respuesta, puedes reclamar ante la Agencia Española de Protección de Datos (www.aepd.es).',
    fates: { erase: 'Se borra', block: 'Se bloquea', keep: 'Se conserva' },
    areas: {
      contact: 'Ficha de contacto',
      drafts: 'Borradores',
      quotes: 'Presupuestos y albaranes',
      recurrences: 'Facturas recurrentes',
      templates: 'Plantillas',
      mandates: 'Mandatos de domiciliación',
      mails: 'Correos enviados',
      reminders: 'Recordatorios de pago',
      checks: 'Comprobaciones de NIF y NIF-IVA',
      imports: 'Filas de importaciones',
      erp: 'Leído del programa de contabilidad',
      proposals: 'Propuestas de asistentes',
      notes: 'Notas y tareas',
      bankRules: 'Reglas del banco',
      supplierMemory: 'Lo aprendido de sus documentos',
      incoming: 'Documentos por revisar',
      wages: 'Nóminas escritas para el modelo 190',
      premises: 'Locales alquilados escritos para el modelo 180',
      assets: 'Bienes de inversión comprados a la persona',
      issuers: 'Facturas que la persona expide en nombre de la empresa',
      answers: 'Respuestas a facturas',
      exchanged: 'Lo enviado y recibido por plataformas y páginas de respuesta',
      agreements: 'Cómo recibe facturas y por quién actúa',
      replies: 'Respuestas guardadas de la API',
      issued: 'Facturas emitidas',
      documents: 'PDF y facturas electrónicas',
      records: 'Registros de facturación',
      received: 'Facturas recibidas',
      attachments: 'Documentos recibidos',
      payments: 'Cobros y pagos',
      debits: 'Recibos y transferencias',
      entries: 'Asientos',
      bank: 'Movimientos del banco',
      history: 'Historial',
    },
    lawNames: {
      commerce: 'Código de Comercio, art. 30 (6 años)',
      tax: 'Ley General Tributaria, arts. 29, 66 y 70',
      invoicing: 'RD 1619/2012, arts. 19 a 21',
      registry: 'RD 1007/2023, art. 8',
      capital_goods: 'Ley del IVA, arts. 107, 108 y 165 (bienes de inversión)',
      one_stop_shop: 'Directiva 2006/112/CE, arts. 369 y 369 duodecies (10 años)',
      debits: 'RDL 19/2018, art. 43',
      claims: 'RGPD, art. 17.3.e (reclamaciones)',
      accountability: 'RGPD, arts. 5.2 y 24 (responsabilidad proactiva)',
      exactly_once: 'Para no repetir una operación (una semana)',
    },
  },
  en: {
    title: 'Personal data',
    intro: (person, company, day) =>
      `Everything that ${company} keeps about ${person} in this book, on ${day}. It answers the rights of access and portability (GDPR, articles 15 and 20).`,
    area: 'What',
    count: 'How many',
    fate: 'If erasure is asked for',
    until: 'Until',
    laws: 'Why it is kept',
    files: 'What is in this file',
    filesText:
      'datos/ holds a JSON file for each kind of data, to be read by a program. facturas/ holds the PDFs of issued invoices, and archivos/ the documents received and those sent by mail.',
    missing: 'Could not be included',
    rights:
      'You can ask for your data to be corrected or erased, for their use to be limited, or object to it. If the answer does not convince you, you can complain to the Spanish Data Protection Agency (www.aepd.es).',
    fates: { erase: 'Erased', block: 'Blocked', keep: 'Kept' },
    areas: {
      contact: 'Contact card',
      drafts: 'Drafts',
      quotes: 'Quotes and delivery notes',
      recurrences: 'Recurring invoices',
      templates: 'Templates',
      mandates: 'Direct debit mandates',
      mails: 'Mails sent',
      reminders: 'Payment reminders',
      checks: 'Checks of tax and VAT numbers',
      imports: 'Rows of imports',
      erp: 'Read from the accounting system',
      proposals: 'Proposals of assistants',
      notes: 'Notes and tasks',
      bankRules: 'Bank rules',
      supplierMemory: 'What was learned from their documents',
      incoming: 'Documents to review',
      wages: 'Wages typed for form 190',
      premises: 'Rented premises typed for form 180',
      assets: 'Fixed assets bought from the person',
      issuers: "Invoices that the person issues in the company's name",
      answers: 'Answers to invoices',
      exchanged: 'What was sent and received by platforms and reply pages',
      agreements: 'How they receive invoices and for whom they act',
      replies: 'Kept replies of the API',
      issued: 'Issued invoices',
      documents: 'PDFs and electronic invoices',
      records: 'Registry records',
      received: 'Received invoices',
      attachments: 'Received documents',
      payments: 'Payments',
      debits: 'Debits and transfers',
      entries: 'Ledger entries',
      bank: 'Bank movements',
      history: 'History',
    },
    lawNames: {
      commerce: 'Spanish Commercial Code, art. 30 (6 years)',
      tax: 'Spanish General Tax Act, arts. 29, 66 and 70',
      invoicing: 'RD 1619/2012, arts. 19 to 21',
      registry: 'RD 1007/2023, art. 8',
      capital_goods: 'Spanish VAT Act, arts. 107, 108 and 165 (capital goods)',
      one_stop_shop: 'Directive 2006/112/EC, arts. 369 and 369k (10 years)',
      debits: 'RDL 19/2018, art. 43',
      claims: 'GDPR, art. 17(3)(e) (legal claims)',
      accountability: 'GDPR, arts. 5(2) and 24 (accountability)',
      exactly_once: 'So that nothing is done twice (one week)',
    },
  },
}
