/** Addresses of the tax agency where a return is filed by hand. */

/** Its electronic office, from which every form can be reached. */
const OFFICE = 'https://sede.agenciatributaria.gob.es/'

/**
 * Pages of single forms. Only those that were checked: a wrong address would take the user to another procedure, and
 * the office leads to each.
 */
const FORMS: Readonly<Record<string, string>> = {
  '303': `${OFFICE}Sede/procedimientoini/G414.shtml`,
}

/** Forms of the tax office of the Canary Islands, none of whose addresses was checked. */
const OF_ANOTHER_OFFICE: readonly string[] = ['420', '425', '415']

/** Returns the address of a form, or of the agency's electronic office; null for a form of another office. */
export function agencyPage(model: string): string | null {
  if (OF_ANOTHER_OFFICE.includes(model)) return null
  return FORMS[model] ?? OFFICE
}
