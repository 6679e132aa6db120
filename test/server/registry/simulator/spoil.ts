/** Ways to spoil a message's text for the tests of the simulated authority; each insists that it did. */

export type Spoil = (xml: string) => string

/** Replaces the first hit: a spoiled message must really be spoiled. */
export function swap(from: string | RegExp, to: string): Spoil {
  return (xml) => {
    const spoiled = xml.replace(from, () => to)
    if (spoiled === xml) throw new Error(`${String(from)} is not in the message.`)
    return spoiled
  }
}

/** Another text in the first element of a name. */
export const element = (name: string, value: string): Spoil =>
  swap(new RegExp(`<sf:${name}>[^<]*</sf:${name}>`), `<sf:${name}>${value}</sf:${name}>`)

/** The first element of a name taken out, with all it holds. */
export const without = (name: string): Spoil => swap(new RegExp(`<sf:${name}>.*?</sf:${name}>`, 's'), '')

/** Something put behind the first element of a name. */
export const after = (name: string, xml: string): Spoil => swap(`</sf:${name}>`, `</sf:${name}>${xml}`)

/** Another text in the record's own hash. */
export const ownHash = (value: string): Spoil =>
  swap(
    /<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:(RegistroAlta|RegistroAnulacion)>/,
    `<sf:Huella>${value}</sf:Huella></sf:RegistroAlta>`,
  )

export const all =
  (...spoils: Spoil[]): Spoil =>
  (xml) =>
    spoils.reduce((text, spoil) => spoil(text), xml)

export const leaf = (name: string, value: string): string => `<sf:${name}>${value}</sf:${name}>`
