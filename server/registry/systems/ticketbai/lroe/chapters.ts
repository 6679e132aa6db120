/**
 * Chapters of Bizkaia's book of economic operations (LROE) that Sello writes, as data: the messages of each operation with their
 * roots, namespaces and limits. Source: the schemas of Batuz; those of the queries from its published set of schemas.
 */

/** 140 is the book of natural persons, 240 that of companies. */
export type LroeModel = '140' | '240'
/** A00 adds, M00 changes, AN0 cancels, C00 queries. */
export type LroeOperation = 'A00' | 'M00' | 'AN0' | 'C00'
export type LroeChapter = 'issued' | 'received'

interface MessageShape {
  root: string
  /** Address of its schema, which is its namespace. */
  namespace: string
  prefix: string
  answer: { root: string; namespace: string }
}

export interface ChapterFacts {
  model: LroeModel
  chapter: string
  /** Null where the chapter has none: an empty element is refused. */
  subchapter: string | null
  /** Element around the records, and the element of one. */
  list: string
  record: string
  /** Records in a message. */
  most: number
  operations: Readonly<Partial<Record<LroeOperation, MessageShape>>>
  /** Element with the filter of a query. */
  filter: string | null
}

const SCHEMAS = 'https://www.batuz.eus/fitxategiak/batuz/LROE/esquemas'
export const ISSUED_PER_MESSAGE = 1_000
const RECEIVED_PER_MESSAGE = 10_000
/** The books publish no other size of a page of a query; the schema allows as many invoices. */
export const PAGE_OF_QUERY = 1_000

function shape(
  prefix: string,
  request: readonly [root: string, file: string],
  answer: readonly [root: string, file: string],
): MessageShape {
  const namespace = (file: string): string => `${SCHEMAS}/LROE_${file}.xsd`
  return {
    prefix,
    root: request[0],
    namespace: namespace(request[1]),
    answer: { root: answer[0], namespace: namespace(answer[1]) },
  }
}

const PERSON = 'LROEPF140IngresosConFacturaConSG'
const PERSON_FILE = 'PF_140_1_1_Ingresos_ConfacturaConSG'
const COMPANY = 'LROEPJ240FacturasEmitidasConSG'
const COMPANY_FILE = 'PJ_240_1_1_FacturasEmitidas_ConSG'
const EXPENSES = 'LROEPF140GastosConFacturaAltaModif'
const EXPENSES_FILE = 'PF_140_2_1_Gastos_Confactura_AltaModif'
const RECEIVED = 'LROEPJ240FacturasRecibidasAltaModif'
const RECEIVED_FILE = 'PJ_240_2_FacturasRecibidas_AltaModif'

const EXPENSES_SHAPE = shape(
  'lrpfgcfamp',
  [`${EXPENSES}Peticion`, `${EXPENSES_FILE}Peticion_V1_0_2`],
  [`${EXPENSES}Respuesta`, `${EXPENSES_FILE}Respuesta_V1_0_1`],
)
const RECEIVED_SHAPE = shape(
  'lrpjframp',
  [`${RECEIVED}Peticion`, `${RECEIVED_FILE}Peticion_V1_0_1`],
  [`${RECEIVED}Respuesta`, `${RECEIVED_FILE}Respuesta_V1_0_1`],
)

export const CHAPTERS: Readonly<Record<LroeModel, Readonly<Record<LroeChapter, ChapterFacts>>>> = {
  '140': {
    issued: {
      model: '140',
      chapter: '1',
      subchapter: '1.1',
      list: 'Ingresos',
      record: 'Ingreso',
      most: ISSUED_PER_MESSAGE,
      operations: {
        A00: shape(
          'lrpficfcsgap',
          [`${PERSON}AltaPeticion`, `${PERSON_FILE}_AltaPeticion_V1_0_2`],
          [`${PERSON}AltaRespuesta`, `${PERSON_FILE}_AltaRespuesta_V1_0_2`],
        ),
        AN0: shape(
          'lrpficfcsgap',
          [`${PERSON}AnulacionPeticion`, `${PERSON_FILE}_AnulacionPeticion_V1_0_0`],
          [`${PERSON}AnulacionRespuesta`, `${PERSON_FILE}_AnulacionRespuesta_V1_0_0`],
        ),
        C00: shape(
          'lrpficfcsgcp',
          [`${PERSON}ConsultaPeticion`, `${PERSON_FILE}_ConsultaPeticion_V1_0_0`],
          [`${PERSON}ConsultaRespuesta`, `${PERSON_FILE}_ConsultaRespuesta_V1_0_1`],
        ),
      },
      filter: 'FiltroConsultaIngresosConSG',
    },
    received: {
      model: '140',
      chapter: '2',
      subchapter: '2.1',
      list: 'Gastos',
      record: 'Gasto',
      most: RECEIVED_PER_MESSAGE,
      operations: { A00: EXPENSES_SHAPE, M00: EXPENSES_SHAPE },
      filter: null,
    },
  },
  '240': {
    issued: {
      model: '240',
      chapter: '1',
      subchapter: '1.1',
      list: 'FacturasEmitidas',
      record: 'FacturaEmitida',
      most: ISSUED_PER_MESSAGE,
      operations: {
        A00: shape(
          'lrpjfecsgap',
          [`${COMPANY}AltaPeticion`, `${COMPANY_FILE}_AltaPeticion_V1_0_2`],
          [`${COMPANY}AltaRespuesta`, `${COMPANY_FILE}_AltaRespuesta_V1_0_1`],
        ),
        AN0: shape(
          'lrpjfecsgap',
          [`${COMPANY}AnulacionPeticion`, `${COMPANY_FILE}_AnulacionPeticion_V1_0_0`],
          [`${COMPANY}AnulacionRespuesta`, `${COMPANY_FILE}_AnulacionRespuesta_V1_0_0`],
        ),
        C00: shape(
          'lrpjfecsgcp',
          [`${COMPANY}ConsultaPeticion`, `${COMPANY_FILE}_ConsultaPeticion_V1_0_0`],
          [`${COMPANY}ConsultaRespuesta`, `${COMPANY_FILE}_ConsultaRespuesta_V1_0_1`],
        ),
      },
      filter: 'FiltroConsultaFacturasEmitidasConSG',
    },
    received: {
      model: '240',
      chapter: '2',
      subchapter: null,
      list: 'FacturasRecibidas',
      record: 'FacturaRecibida',
      most: RECEIVED_PER_MESSAGE,
      operations: { A00: RECEIVED_SHAPE, M00: RECEIVED_SHAPE },
      filter: null,
    },
  },
}

/** The section that the header of a message names: the subchapter, or the chapter that has none. */
export function sectionOf({ chapter, subchapter }: Pick<ChapterFacts, 'chapter' | 'subchapter'>): string {
  return subchapter ?? chapter
}
