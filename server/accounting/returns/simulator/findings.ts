/**
 * What the simulator objects to. Codes that begin with `S` are its own; the others were seen in answers of the real
 * service, by users and authors of other programs. The texts are the simulator's: the real ones are not published.
 */
const TEXTS = {
  EMALREG: 'El fichero no se ajusta al diseño de registro',
  ECRLF: 'El fichero contiene saltos de línea o tabuladores',
  E000060: 'El NIF de la empresa de desarrollo no es válido',
  E0100803: 'El nombre contiene dos espacios seguidos',
  '30515': 'Contenido en una casilla de IVA devengado bloqueada para el período',
  E010321: 'El tipo de la casilla 154 debe ser 0',
  E010501: 'El tipo de la casilla 17 debe ser 0',
  E010811: 'El tipo de la casilla 166 debe ser 0',
  E010841: 'El tipo de la casilla 169 debe ser 0,5',
  '30650': 'El volumen de operaciones no puede ser cero',
  E010330: 'El número de la convocatoria (BDNS) es numérico',
  E030321: 'Con la marca SEPA 1 no se admite el código BIC',
  EDID065: 'Este tipo de declaración no admite IBAN',
  EDID112: 'Una devolución exige la marca SEPA',
  IDT10516: 'El NIF y el nombre del perceptor no están identificados en el censo',
  '22602C': 'W Compruebe los gastos deducibles',
  '8888': 'La cabecera es correcta, pero existe una declaración anterior no anulada',
  S0001: 'El cuerpo no es un objeto JSON en UTF-8',
  S0002: 'Falta una clave o no es texto',
  S0003: 'El servicio no conoce esta clave',
  S0004: 'La firma (FIR) debe ser FirmaBasica',
  S0005: 'El idioma debe ser ES, EN, CA, GL o VA',
  S0006: 'El fichero contiene caracteres que no son de ISO-8859-1',
  S0007: 'Este servicio no admite el modelo',
  S0008: 'El mensaje y el fichero no coinciden',
  S0009: 'El NIF del firmante no es del certificado',
  S0010: 'El firmante no es el declarante ni consta que pueda presentar por él',
  S0011: 'Falta el nombre del firmante',
  S0012: 'El período no ha terminado',
  S0013: 'El modelo no tiene este período',
  S0101: 'El NIF del declarante no es válido',
  S0103: 'El nombre falta o contiene otros signos que mayúsculas, cifras y espacios',
  S0104: 'Falta una página, sobra o no está en su orden',
  S0105: 'Una declaración sin actividad no lleva importes y es de tipo N',
  S0201: 'El tipo impositivo no es el del diseño',
  S0202: 'El importe no es el que resulta de las otras casillas',
  S0203: 'El porcentaje de la casilla 65 no es válido',
  S0204: 'La casilla 78 no puede ser mayor que la 110',
  S0205: 'La marca no es admisible en este período',
  S0301: 'Los datos de la rectificación no son coherentes',
  S0302: 'Ya consta presentada esta autoliquidación',
  S0303: 'La autoliquidación anterior no consta',
  S0304: 'Lo ingresado antes no es lo que consta',
  S0401: 'El tipo de declaración no corresponde al resultado',
  S0403: 'Falta el IBAN',
  S0404: 'El IBAN no es válido',
  S0405: 'Los datos bancarios no corresponden a la marca SEPA',
  S0406: 'Este tipo de declaración no admite IBAN',
  S0501: 'El tipo I exige el número de referencia completo (NRC)',
  S0502: 'Solo el tipo I admite NRC',
  S0503: 'El NRC no tiene 22 letras y cifras',
  S0601: 'Los totales de la cabecera no son los de los registros',
  S0603: 'El ejercicio o el declarante del registro no son los de la cabecera',
  S0604: 'El NIF de la persona declarada no es válido',
  S0605: 'Lleva NIF español y número de otro Estado, o ninguno',
  S0606: 'El importe anual no es la suma de los trimestres',
  S0607: 'Falta una cabecera HTTP o no es válida',
  S0608: 'El bloque no es el siguiente',
  S0609: 'El envío no existe',
  S0610: 'El envío no está en el estado necesario',
  S0611: 'El bloque tiene más de 40.000 registros',
  S0613: 'Falta la cookie del envío',
  S0614: 'La declaración anterior no consta, o la complementaria o sustitutiva no la indica',
  S0615: 'El expediente no consta',
  S0616: 'El número de IVA del otro Estado no es válido',
  S0617: 'El número identificativo no es válido o ya se usó',
  S0618: 'Una declaración no puede ser complementaria y sustitutiva',
  S0619: 'No hay registros correctos que presentar',
  S0701: 'Un dato de la consulta falta o no es válido',
} as const

export type FindingCode = keyof typeof TEXTS

export interface Finding {
  code: FindingCode
  /** What it is about, such as the box. */
  at: string
}

/** Creates a finding. */
export function finding(code: FindingCode, at = ''): Finding {
  return { code, at }
}

/** Characters of ISO-8859-1 that a line may contain. */
const UNPRINTABLE = /[^\x20-\x7E\u00A1-\u00FF]/g

/** Returns a finding as `CODE - text`, in one line. */
export function textOf({ code, at }: Finding): string {
  const about = at.replace(UNPRINTABLE, '?').slice(0, 200)
  return `${code} - ${TEXTS[code]}${about === '' ? '' : `: ${about}`}`
}

/** The service names at most so many errors. */
const MOST = 100

/** Returns the findings as the service lists them. */
export function listed(findings: readonly Finding[]): string[] {
  return findings.slice(0, MOST).map(textOf)
}

/** Returns given codes as the service lists errors. */
export function listedCodes(codes: readonly string[]): string[] {
  return codes.slice(0, MOST).map((code) => `${code} - Error simulado`)
}
