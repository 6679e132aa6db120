/**
 * Returns that businesses of a territory may have to file and that Sello does not compute, as rows: who files them, and what
 * to do. What is not known is said to be unknown.
 */
import type { CompanyRow } from '../../../company/index.ts'
import type { TaxFamily } from '../../../tax/systems/contract.ts'
import { isForal } from '../../../tax/systems/index.ts'
import { ALL_RETURNS, familyOf } from '../calendar/return-rows.ts'
import type { ElsewhereReturn, ModelNumber } from '../contract.ts'
import { MODEL_NAMES } from './names.ts'

const ASK_ISLANDS = {
  es: 'Hazlo en la sede de la Agencia Tributaria Canaria o con tu asesor: Sello no lo calcula.',
  en: 'Prepare it on the site of the Canary tax office or with your adviser: Sello does not compute it.',
}

/** Source: forms and terms of the Canary tax office. */
const ISLANDS: readonly ElsewhereReturn[] = [
  {
    model: '412',
    name: { es: 'IGIC, autoliquidación ocasional', en: 'IGIC, occasional return' },
    who: {
      es: 'Quien no presenta el 420 y debe IGIC por una operación ocasional o como destinatario. Sello no conoce sus casillas ni su plazo.',
      en: 'Those who file no 420 and owe IGIC on an occasional operation or as the buyer. Sello knows neither its boxes nor its term.',
    },
    advice: ASK_ISLANDS,
  },
  {
    model: '421',
    name: { es: 'IGIC, régimen simplificado', en: 'IGIC, simplified scheme' },
    who: {
      es: 'Quien está en el régimen simplificado, cada trimestre, en los plazos del 420 (no comprobado). Sus cuotas salen de índices que Sello no conoce.',
      en: 'Businesses in the simplified scheme, each quarter, in the terms of form 420 (not checked). Its amounts come from indices that Sello does not know.',
    },
    advice: ASK_ISLANDS,
  },
  {
    model: '416',
    name: { es: 'IGIC, operaciones exentas', en: 'IGIC, exempt operations' },
    who: {
      es: 'Algunos sectores con operaciones exentas por el artículo 50, en febrero. Sello no sabe cuáles.',
      en: 'Some sectors with operations exempt by article 50, in February. Sello does not know which.',
    },
    advice: ASK_ISLANDS,
  },
  {
    model: '417',
    name: { es: 'IGIC, autoliquidación mensual (SII)', en: 'IGIC, monthly return (SII)' },
    who: {
      es: 'Quien liquida por meses o está en el SII de las islas: no suele ser una empresa pequeña. Sello no conoce sus plazos.',
      en: 'Those who file by months or are in the SII of the islands: rarely a small business. Sello does not know its terms.',
    },
    advice: ASK_ISLANDS,
  },
  {
    model: '400',
    name: { es: 'Declaración censal', en: 'Census form' },
    who: {
      es: 'Al empezar, al cambiar de datos y para renunciar al régimen del pequeño empresario.',
      en: 'When starting, when data change, and to waive the small-business scheme.',
    },
    advice: ASK_ISLANDS,
  },
]

const ASK_CITY = {
  es: 'Pregunta a la ciudad y prepárala allí: Sello muestra los totales por tipo, pero no prepara el formulario.',
  en: 'Ask the city and prepare it there: Sello shows the totals by rate and prepares no form.',
}

const CITIES: readonly ElsewhereReturn[] = [
  {
    model: null,
    name: { es: 'IPSI, autoliquidación', en: 'IPSI return' },
    who: {
      es: 'Quien produce bienes o presta servicios en Ceuta o Melilla, al parecer cada trimestre (cada mes los grandes). Sello no conoce el número del modelo ni el plazo.',
      en: 'Those who produce goods or render services in Ceuta or Melilla, it seems each quarter (large ones each month). Sello knows neither the number of the form nor its term.',
    },
    advice: ASK_CITY,
  },
  {
    model: '347',
    name: { es: 'Operaciones con terceras personas', en: 'Operations with third parties' },
    who: {
      es: 'No se ha averiguado qué operaciones con IPSI se declaran.',
      en: 'Which operations with IPSI are declared was not found.',
    },
    advice: {
      es: 'Pregunta a la Agencia Tributaria o a tu asesor.',
      en: 'Ask the state tax agency or your adviser.',
    },
  },
]

const ASK_FORAL = {
  es: 'Prepáralo en la sede de tu hacienda foral o con tu asesor: los modelos del Estado no sirven allí.',
  en: 'Prepare it on the site of your foral treasury or with your adviser: the forms of the State are of no use there.',
}

const foral = (name: ElsewhereReturn['name'], who: ElsewhereReturn['who']): ElsewhereReturn => ({
  model: null,
  name,
  who,
  advice: ASK_FORAL,
})

/** What a foral treasury takes in place of a form of the State: its number, boxes and terms are its own. */
const inPlaceOf = (model: ModelNumber): ElsewhereReturn => {
  const { es, en } = MODEL_NAMES[model]
  return foral(
    { es: `${es} (en el Estado, ${model})`, en: `${en} (${model} of the State)` },
    {
      es: 'En tu hacienda foral, con el número, las casillas y los plazos que ella fija. Sello no los conoce.',
      en: 'With your foral treasury, by the number, boxes and terms that it sets. Sello does not know them.',
    },
  )
}

/** The forms of the State that a business files there in another form, those of taxes that apply to it. */
function foralReturns(place: Pick<CompanyRow, 'territory'>): readonly ElsewhereReturn[] {
  const family = familyOf(place)
  return [
    ...ALL_RETURNS.filter(({ tax }) => tax === undefined || tax === family).map(({ model }) =>
      inPlaceOf(model),
    ),
    foral(
      { es: 'Impuesto sobre la renta o sobre sociedades', en: 'Income or company tax' },
      {
        es: 'La declaración del año y sus pagos a cuenta, en tu hacienda foral.',
        en: 'The return of the year and its instalments, with your foral treasury.',
      },
    ),
    foral(
      { es: 'Libros que pida tu hacienda foral', en: 'Books that your foral treasury asks for' },
      {
        es: 'Bizkaia pide además el libro de gastos y otros capítulos (LROE) hasta el 25 tras cada trimestre y, el cuarto, hasta el 31 de enero. Sello envía las facturas emitidas y no esos capítulos.',
        en: 'Bizkaia also asks for the book of expenses and other chapters (LROE), until the 25th after each quarter and, for the fourth, until 31 January. Sello sends issued invoices and not those chapters.',
      },
    ),
  ]
}

const BY_TAX: Readonly<Record<TaxFamily, readonly ElsewhereReturn[]>> = {
  vat: [],
  igic: ISLANDS,
  ipsi: CITIES,
}

/** Returns the returns of the territory of a business that Sello does not compute. */
export function elsewhereReturns(company: Pick<CompanyRow, 'territory'>): readonly ElsewhereReturn[] {
  if (isForal(company.territory)) return foralReturns(company)
  return BY_TAX[familyOf(company)]
}
