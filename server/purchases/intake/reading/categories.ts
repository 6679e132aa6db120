/** Proposes the category of an expense by the words of its document. Pure. */
import type { ReadCategory } from '../contract.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import type { Row } from './rows.ts'

const WORDS: readonly (readonly [ReadCategory, number, RegExp])[] = [
  // Shops of food and goods, whose articles name what others cook.
  ['compras', 3.5, /\b(?:supermercados?|hipermercados?|supermercats?|alimentacion|alimentacio|autoservicio|fruteria|carniceria|pescaderia|panaderia|ferreteria|papeleria|libreria|bazar|suministros industriales|embalajes|supermerkatua)\b/g],
  ['seguros', 3, /\b(?:poliza|prima neta|seguros?|aseguradora|consorcio de compensacion|asseguran\w*|insurance)\b/g],
  ['alquiler', 3, /\b(?:alquiler|arrendamiento|lloguer|renta mensual|alugueiro|alokairua|rent)\b/g],
  ['combustible', 3, /\b(?:gasolina\w*|gasoleo\w*|gasoil|diesel|sin plomo|surtidor|carburante\w*|estacion de servicio|litros|fuel|gasolinera|e5|e10|adblue)\b/g],
  ['restauracion', 3, /\b(?:restaurante|restaurant|cafeteria|bar|meson|menu|comensales|camarero|mesa|asador|taberna|comida|cena|taula|jatetxea)\b/g],
  ['viajes', 3, /\b(?:hotel\w*|hostal|habitacion|alojamiento|habitacio|vuelo|billete|tren|renfe|taxi|peaje|parking|check in|estancia|huesped|desayuno)\b/g],
  ['telefonia', 3, /\b(?:telefonia|fibra|linea movil|movil|internet|adsl|roaming|telecom\w*|centralita|sms|mobil)\b/g],
  ['suministros', 3, /\b(?:kwh|energia electrica|termino de energia|electrica|aguas|consumo de agua|gas natural|termino de potencia|cups|suministro electrico|alcantarillado|bono social|aigua|llum|argindarra)\b/g],
  ['software', 3, /\b(?:software|saas|subscription|suscripcion|licencia\w*|hosting|cloud|dominio|api requests|seats|storage|premium support|plan)\b/g],
  ['profesionales', 2.8, /\b(?:honorarios|asesoria|consultoria|abogad\w*|traduccion|traductor\w*|gestoria|diseno|minuta|notari\w*|procurador\w*|asesoramiento|i ?r ?p ?f|pfez|honoraris|proyecto|horas adicionales|formacion)\b/g],
] // prettier-ignore

/** Proposes a category; a purchase of goods where no words decide. */
export function readCategory(rows: readonly Row[]): FieldValue<ReadCategory> {
  const text = plain(rows.map(({ text: each }) => each).join(' '))
  if (text === '') return missing()
  const scores = WORDS.map(([category, weight, pattern]) => {
    const found = text.match(pattern) ?? []
    return {
      category,
      score: Math.min(new Set(found).size, 4) * weight + Math.min(found.length, 6) * 0.3,
      words: [...new Set(found)],
    }
  }).toSorted((a, b) => b.score - a.score)
  const [best, second] = scores
  const isFound = best !== undefined && best.score >= 3
  const value: ReadCategory = isFound ? best.category : 'compras'
  const first = rows[0]
  return {
    value,
    level: 'guess',
    evidence:
      first && isFound
        ? [
            {
              page: first.page,
              box: first.box,
              reason: 'words',
              args: { words: best.words.slice(0, 5).join(', ') },
            },
          ]
        : [],
    rivals: isFound && second && second.score > 0 ? [second.category] : [],
  }
}
