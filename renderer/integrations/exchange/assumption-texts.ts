/** Texts of the assumptions in the language of the page; sources that are described are translated here. Pure. */
import { language } from '../../format.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Assumption = OutputOf<'exchange.assumptions'>['items'][number]

interface AssumptionText {
  title: string
  assumed: string
  source: string
}

/** Sources that are described, not cited; the others stand as they are. */
const SOURCES: readonly (readonly [english: string, spanish: string])[] = [
  [
    'Slides of the tax agency, 19 May and 10 September 2026',
    'Diapositivas de la AEAT, 19 de mayo y 10 de septiembre de 2026',
  ],
  ['Slides of the tax agency, 10 September 2026', 'Diapositivas de la AEAT, 10 de septiembre de 2026'],
  ['Slides of the tax agency, 19 May 2026', 'Diapositivas de la AEAT, 19 de mayo de 2026'],
  ['annexes, as one reader wrote them down', 'anexos, según los anotó un lector'],
  ['as one repository transcribed it', 'según la transcripción de un repositorio'],
  ['definition of', 'definición de'],
  ['preamble', 'preámbulo'],
  ['Not described anywhere.', 'No está descrito en ninguna parte.'],
  [
    'The name of the endpoint, and the customer’s action',
    'El nombre de la dirección y la acción del cliente',
  ],
  ['The list of request parts in the slides', 'La lista de partes de una petición en las diapositivas'],
  [
    'The names of the query’s properties, and the structure of UBL',
    'Los nombres de las propiedades de la consulta y la estructura de UBL',
  ],
  [
    'cbc:SequenceID in the slides; the property is not shown',
    'cbc:SequenceID en las diapositivas; la propiedad no se muestra',
  ],
  ['“Within one period and year” in the slides', '«Dentro de un periodo y año» en las diapositivas'],
  [
    'The names of the part properties in the slides',
    'Los nombres de las propiedades de cada parte en las diapositivas',
  ],
  ['The locator of an original in the slides', 'El localizador de un original en las diapositivas'],
  ['One code as an example in the slides', 'Un código de ejemplo en las diapositivas'],
  ['part 1, section', 'parte 1, sección'],
  ['section', 'sección'],
  [
    'and the slides on cancelling before reporting again',
    'y las diapositivas sobre anular antes de comunicar otra vez',
  ],
]

/** Returns title, assumption and source in the language of the page. */
export function assumptionText({ title, assumed, source }: Assumption): AssumptionText {
  return {
    title: title[language.value],
    assumed: assumed[language.value],
    source:
      language.value === 'en'
        ? source
        : SOURCES.reduce((text, [from, to]) => text.replaceAll(from, to), source),
  }
}

/** Returns the assumptions by topic, in the order of the list, those that prevent most first in each. */
export function byTopic(items: readonly Assumption[]): { topic: Assumption['topic']; items: Assumption[] }[] {
  const weight = { live: 0, rendering: 1, nothing: 2 }
  const topics = [...new Set(items.map(({ topic }) => topic))]
  return topics.map((topic) => ({
    topic,
    items: items
      .filter((each) => each.topic === topic)
      .toSorted((one, other) => weight[one.blocks] - weight[other.blocks]),
  }))
}
