/** Forms of amounts, percents and dates on paper. */

const grouped = (cents: number, group: string, comma: string): string => {
  const [whole = '', fraction = ''] = (Math.abs(cents) / 100).toFixed(2).split('.')
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + comma + fraction
}
const signed = (cents: number, text: string, sign = '-'): string => (cents < 0 ? `${sign}${text}` : text)

export type Money = (cents: number) => string

export const FORMS = {
  spanish: (cents) => signed(cents, grouped(cents, '.', ',')),
  euro: (cents) => signed(cents, `${grouped(cents, '.', ',')} €`, '\u2013'),
  tight: (cents) => signed(cents, `${grouped(cents, '.', ',')}€`),
  code: (cents) => signed(cents, `${grouped(cents, '.', ',')} EUR`),
  plain: (cents) => signed(cents, grouped(cents, '', ',')),
  point: (cents) => signed(cents, grouped(cents, '', '.')),
  blank: (cents) => `${grouped(cents, ' ', ',')}${cents < 0 ? '-' : ''} €`,
  english: (cents) => signed(cents, `€${grouped(cents, ',', '.')}`),
  dollar: (cents) => signed(cents, `$${grouped(cents, ',', '.')}`),
  dollars: (cents) => signed(cents, `US$ ${grouped(cents, ',', '.')}`),
  bracket: (cents) => (cents < 0 ? `(${grouped(cents, '.', ',')})` : grouped(cents, '.', ',')),
  star: (cents) => `*${signed(cents, grouped(cents, '.', ','))}`,
} as const satisfies Record<string, Money>
export type FormName = keyof typeof FORMS

export const percent = (bp: number): string => String(bp / 100).replace('.', ',')
export const percent2 = (bp: number): string => (bp / 100).toFixed(2).replace('.', ',')
/** Returns a quantity of thousandths with its decimals. */
export const quantity = (milli: number, decimals = 0): string =>
  (milli / 1000).toFixed(decimals).replace('.', ',')

const MONTHS = {
  es: ['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
  ca: ['gener', 'febrer', 'març', 'abril', 'maig', 'juny', 'juliol', 'agost', 'setembre', 'octubre', 'novembre', 'desembre'],
  gl: ['xaneiro', 'febreiro', 'marzo', 'abril', 'maio', 'xuño', 'xullo', 'agosto', 'setembro', 'outubro', 'novembro', 'decembro'],
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  eu: ['urtarrila', 'otsaila', 'martxoa', 'apirila', 'maiatza', 'ekaina', 'uztaila', 'abuztua', 'iraila', 'urria', 'azaroa', 'abendua'],
} as const // prettier-ignore

const parts = (iso: string): [year: string, month: string, day: string] => {
  const [year = '', month = '', day = ''] = iso.split('-')
  return [year, month, day]
}
const named = (iso: string, language: keyof typeof MONTHS): string =>
  MONTHS[language][Number(parts(iso)[1]) - 1] ?? ''

export type Day = (iso: string) => string

/** Catalan elides before a vowel: 3 d’abril. */
const catalanOf = (month: string): string => (/^[ao]/.test(month) ? `d’${month}` : `de ${month}`)

export const DAYS = {
  slash: (iso) => parts(iso).toReversed().join('/'),
  dash: (iso) => parts(iso).toReversed().join('-'),
  dot: (iso) => parts(iso).toReversed().join('.'),
  short: (iso) => `${parts(iso)[2]}/${parts(iso)[1]}/${parts(iso)[0].slice(2)}`,
  single: (iso) => `${Number(parts(iso)[2])}/${Number(parts(iso)[1])}/${parts(iso)[0]}`,
  iso: (iso) => iso,
  isoSlash: (iso) => iso.replaceAll('-', '/'),
  abbreviated: (iso) => `${parts(iso)[2]}-${named(iso, 'es').slice(0, 3)}-${parts(iso)[0]}`,
  spoken: (iso) => `${Number(parts(iso)[2])} ${named(iso, 'es').slice(0, 3)}. ${parts(iso)[0]}`,
  spanish: (iso) => `${Number(parts(iso)[2])} de ${named(iso, 'es')} de ${parts(iso)[0]}`,
  catalan: (iso) => `${Number(parts(iso)[2])} ${catalanOf(named(iso, 'ca'))} de ${parts(iso)[0]}`,
  galician: (iso) => `${Number(parts(iso)[2])} de ${named(iso, 'gl')} de ${parts(iso)[0]}`,
  basque: (iso) => `${parts(iso)[0]}ko ${named(iso, 'eu').replace(/a$/, '')}aren ${Number(parts(iso)[2])}a`,
  american: (iso) => `${named(iso, 'en')} ${Number(parts(iso)[2])}, ${parts(iso)[0]}`,
  british: (iso) => `${Number(parts(iso)[2])} ${named(iso, 'en')} ${parts(iso)[0]}`,
  britishShort: (iso) => `${parts(iso)[2]} ${named(iso, 'en').slice(0, 3)} ${parts(iso)[0]}`,
} as const satisfies Record<string, Day>
export type DayName = keyof typeof DAYS
