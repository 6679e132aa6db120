/**
 * The simulated authority's messages for faults of a whole message: in Spanish like the real ones, but in wording of
 * our own.
 */

export const FAULT_MESSAGES = {
  '4102': 'El XML no cumple el esquema.',
  '4103': 'No se ha podido leer el XML.',
  '4104': 'El NIF del obligado a emitir, o su nombre, no consta en el censo.',
  '4105': 'El representante no está identificado.',
  '4106': 'Una fecha de la cabecera o del filtro no existe.',
  '4107': 'El NIF no consta en el censo.',
  '4108': 'Fallo técnico al leer el certificado.',
  '4109': 'El NIF no tiene un formato correcto.',
  '4110': 'Fallo técnico al comprobar los apoderamientos.',
  '4111': 'Fallo técnico al abrir el trámite.',
  '4112': 'El titular del certificado no es el obligado a emitir ni actúa por él.',
  '4113': 'El XML no cumple el esquema: un bloque tiene demasiados elementos.',
  '4114': 'El XML no cumple el esquema: el envío supera los 1000 registros.',
  '4115': 'El NIF del obligado a emitir no es válido.',
  '4116': 'El NIF del obligado a emitir no tiene un formato correcto.',
  '4117': 'El NIF del representante no tiene un formato correcto.',
  '4118': 'Fallo técnico: el mensaje no corresponde a esta dirección.',
  '4119': 'El mensaje no está codificado en UTF-8.',
  '4120': 'La fecha de fin de VERI*FACTU debe ser el 31 de diciembre del año en curso o del anterior.',
  '4121': 'El indicador de incidencia no es válido.',
  '4122': 'La referencia del requerimiento no es válida.',
  '4123': 'El NIF del representante no consta en el censo.',
  '4124': 'El nombre del representante no es el que consta en el censo.',
  '4125': 'Falta la referencia del requerimiento.',
  '4126': 'La remisión por requerimiento no se admite en este servicio.',
  '4127': 'La remisión voluntaria solo se admite en los sistemas VERI*FACTU.',
  '4128': 'Fallo técnico al leer una tabla interna.',
  '4129': 'Falta el indicador de fin del requerimiento.',
  '4130': 'El fin del requerimiento solo procede en sistemas no VERI*FACTU.',
  '4131': 'El indicador de fin del requerimiento no es válido.',
  '4132': 'El titular del certificado no es el destinatario que consulta ni actúa por él.',
  '4133': 'La referencia del requerimiento tiene caracteres que no son letras ni cifras.',
  '3500': 'Fallo técnico de la base de datos: integridad.',
  '3501': 'Fallo técnico de la base de datos.',
  '3502': 'La factura consultada no existe.',
  '3503': 'La factura no pertenece al titular registrado.',
  '4134': 'El servicio no está activo.',
  '4135': 'Esta dirección no admite GET.',
  '4136': 'Falta el registro de alta o va precedido de un elemento incorrecto.',
  '4137': 'Falta el registro de anulación o va precedido de un elemento incorrecto.',
  '4138': 'La petición está vacía.',
  '4139': 'El servicio no está habilitado en producción.',
  '4140': 'No hay apoderamiento para consultar las facturas de este obligado.',
  '4141':
    'El acceso está suspendido temporalmente: deje de enviar y póngase en contacto con el buzón de soporte.',
  // Codes of records that refuse the whole message when found in a header or a query.
  '1172': 'Falta el obligado a emitir o su NIF.',
  '1219': 'El emisor de la factura no es correcto.',
  '1250': 'El comienzo del intervalo de fechas debe ser anterior a su final.',
  '1261': 'El indicador de representante solo procede cuando consulta el obligado a emitir.',
  '1272': 'Quien consulta como destinatario no puede pedir los datos del sistema informático.',
  '1282': 'El NIF de la cabecera es de una persona física y falta su nombre.',
  '1100': 'Valor o tipo incorrecto en un campo.',
} as const

export type FaultCode = keyof typeof FAULT_MESSAGES

export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULT_MESSAGES, code)
}
