/** Countries of a customer, with their names in the language of the page. Pure. */

/** Spain, the Union, its neighbours and the countries Spain trades with most; ISO 3166-1 alpha-2. */
const COUNTRIES = (
  'ES AD AE AR AT AU BE BG BO BR CA CH CL CN CO CR CU CY CZ DE DK DO DZ EC EE EG FI FR GB GI GR GT HK HN HR HU IE IL IN IS IT JP KR ' +
  'LI LT LU LV MA MC MT MX NI NL NO NZ PA PE PH PL PR PT PY RO RS RU SA SE SG SI SK SM SN SV TH TN TR TW UA US UY VA VE ZA'
).split(' ')

/**
 * Returns the countries by name, Spain first; `kept` is added if it is not among them, so that a contact keeps its
 * own.
 */
export function countryChoices(tag: string, kept: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([tag], { type: 'region' })
  const codes = COUNTRIES.includes(kept) ? COUNTRIES : [...COUNTRIES, kept]
  const choices = codes.map((code) => ({ code, name: names.of(code) ?? code }))
  return choices.sort((a, b) =>
    a.code === 'ES' ? -1 : b.code === 'ES' ? 1 : a.name.localeCompare(b.name, tag),
  )
}
