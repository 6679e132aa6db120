/** Structure of the queries of LROE about invoices issued. Source: the schemas of Batuz, batuz_TiposConsulta and its messages. */
import { LROE_SCHEMA } from './lroe-table.ts'
import type { SchemaTable } from './check.ts'

const SCHEMAS = 'https://www.batuz.eus/fitxategiak/batuz/LROE/esquemas'
const FILTER =
  'Destinatario[?]:c.DocumentoType CabeceraFactura[?]:q.CabeceraFacturaConsultaType Estado[?]:q.EstadoRegistroConsultaEnum NumPaginaConsulta:q.Page'

export const QUERY_SCHEMA: SchemaTable = {
  roots: {
    [`{${SCHEMAS}/LROE_PF_140_1_1_Ingresos_ConfacturaConSG_ConsultaPeticion_V1_0_0.xsd}LROEPF140IngresosConFacturaConSGConsultaPeticion`]:
      'q.Person',
    [`{${SCHEMAS}/LROE_PJ_240_1_1_FacturasEmitidas_ConSG_ConsultaPeticion_V1_0_0.xsd}LROEPJ240FacturasEmitidasConSGConsultaPeticion`]:
      'q.Company',
  },
  groups: {
    ...LROE_SCHEMA.groups,
    'q.Person': 'Cabecera:c.Cabecera140Type FiltroConsultaIngresosConSG:q.PersonFilter',
    'q.Company': 'Cabecera:c.Cabecera240Type FiltroConsultaFacturasEmitidasConSG:q.CompanyFilter',
    'q.CompanyFilter': FILTER,
    'q.PersonFilter': FILTER.replace('Estado[?]', 'Epigrafe[?]:b.stringMax7Digits Estado[?]'),
    'q.CabeceraFacturaConsultaType':
      'SerieFactura[?]:b.TextMax20Type NumFactura[?]:b.TextMax20Type FechaExpedicionFactura[?]:q.FechaDesdeHastaType',
    'q.FechaDesdeHastaType': 'Desde[?]:b.FechaType Hasta[?]:b.FechaType',
  },
  values: {
    ...LROE_SCHEMA.values,
    'q.EstadoRegistroConsultaEnum': { values: 'Correcto AceptadoConErrores Anulado' },
    'q.Page': { base: 'int', from: 1 },
  },
}
