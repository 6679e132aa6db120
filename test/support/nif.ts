/**
 * Tax numbers of people who do not exist: data of a customer with the same number would be reused, so that tests need
 * many.
 */
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Returns the NIF of a person by a number of at most eight digits. */
export const personalNif = (number: number): string =>
  `${String(number).padStart(8, '0')}${LETTERS[number % LETTERS.length]}`
