/** Namespaces of the registry's messages, exactly as its schemas declare them (the address of the files differs). */
const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'

/** Records and their types. */
export const NS_RECORD = `${BASE}SuministroInformacion.xsd`
/** The submission around the records. */
export const NS_SUBMISSION = `${BASE}SuministroLR.xsd`
/** The reply to a submission. */
export const NS_REPLY = `${BASE}RespuestaSuministro.xsd`
/** A query about what is registered. */
export const NS_QUERY = `${BASE}ConsultaLR.xsd`
/** The answer to a query. */
export const NS_QUERY_REPLY = `${BASE}RespuestaConsultaLR.xsd`
/** SOAP 1.1. */
export const NS_SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
