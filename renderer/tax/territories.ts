/** Names of the territories of the tax rules: countries, the Spanish territories outside VAT, and Northern Ireland. */
import { countryChoices } from '../catalog/contacts/countries.ts'

/** Returns the name; `word` gives the names that are not countries. */
export function territoryName(
  place: string,
  tag: string,
  word: (code: 'canary' | 'ceuta' | 'melilla' | 'northernIreland' | 'mainland') => string,
): string {
  if (place === 'ES') return word('mainland')
  if (place === 'ES-CN') return word('canary')
  if (place === 'ES-CE') return word('ceuta')
  if (place === 'ES-ML') return word('melilla')
  if (place === 'XI') return word('northernIreland')
  return new Intl.DisplayNames([tag], { type: 'region' }).of(place) ?? place
}

/** Returns the choices: Spain and its territories first, then the countries by name with Northern Ireland last. */
export function territoryChoices(
  tag: string,
  kept: string,
  word: Parameters<typeof territoryName>[2],
): { code: string; name: string }[] {
  const own = ['ES', 'ES-CN', 'ES-CE', 'ES-ML'].map((code) => ({
    code,
    name: territoryName(code, tag, word),
  }))
  const country = kept.length === 2 && kept !== 'XI' ? kept : 'ES'
  const others = countryChoices(tag, country).filter((each) => each.code !== 'ES')
  return [...own, ...others, { code: 'XI', name: territoryName('XI', tag, word) }]
}
