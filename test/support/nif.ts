/** Tax numbers of people who do not exist: what is known of a customer with the same one is taken over, so tests need many. */
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The NIF of a person by its number, of at most eight digits. */
export const personalNif = (number: number): string =>
  `${String(number).padStart(8, '0')}${LETTERS[number % LETTERS.length]}`
