/** Categories of expenses that the words of a document decide, with the concept of the books each goes to. */
export const CATEGORIES = [
  'compras',
  'profesionales',
  'restauracion',
  'combustible',
  'telefonia',
  'suministros',
  'viajes',
  'seguros',
  'alquiler',
  'software',
] as const
export type Category = (typeof CATEGORIES)[number]

/** Concepts G01..G46 of the unified books; null where the words do not decide it. */
export const CONCEPT_OF: Record<Category, string | null> = {
  compras: null,
  profesionales: 'G19',
  restauracion: null,
  combustible: null,
  telefonia: 'G17',
  suministros: null,
  viajes: null,
  seguros: 'G20',
  alquiler: 'G12',
  software: null,
}
