/** Helpers that spoil a message's text for the tests of the simulated authority; each fails if it changed nothing. */

export type Spoil = (xml: string) => string

/** Replaces the first match: a spoiled message must really be spoiled. */
export function swap(from: string | RegExp, to: string): Spoil {
  return (xml) => {
    const spoiled = xml.replace(from, () => to)
    if (spoiled === xml) throw new Error(`${String(from)} is not in the message.`)
    return spoiled
  }
}

/** Replaces the text of the first element of a name. */
export const element = (name: string, value: string): Spoil =>
  swap(new RegExp(`<sf:${name}>[^<]*</sf:${name}>`), `<sf:${name}>${value}</sf:${name}>`)

/** Removes the first element of a name with its content. */
export const without = (name: string): Spoil => swap(new RegExp(`<sf:${name}>.*?</sf:${name}>`, 's'), '')

/** Inserts something after the first element of a name. */
export const after = (name: string, xml: string): Spoil => swap(`</sf:${name}>`, `</sf:${name}>${xml}`)

/** Replaces the text of the record's own hash. */
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
