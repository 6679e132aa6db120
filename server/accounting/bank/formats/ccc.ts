/**
 * Builds the IBAN of a Spanish account from the parts of its old account number (CCC), with both sets of check
 * digits.
 */

const WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]

function controlDigit(digits: string): string {
  let sum = 0
  for (const [index, weight] of WEIGHTS.entries()) sum += Number(digits[index]) * weight
  const rest = 11 - (sum % 11)
  return rest === 11 ? '0' : rest === 10 ? '1' : String(rest)
}

/** Returns the IBAN for entity (4 digits), office (4) and account (10). Source: CSB account code; ISO 13616. */
export function ibanOfCcc(entity: string, office: string, account: string): string {
  const control = controlDigit(`00${entity}${office}`) + controlDigit(account)
  const bban = `${entity}${office}${control}${account}`
  // ISO 13616: the letters ES become 1428, and the check digits are computed with 00 in their place.
  let remainder = 0
  for (const digit of `${bban}142800`) remainder = (remainder * 10 + Number(digit)) % 97
  return `ES${String(98 - remainder).padStart(2, '0')}${bban}`
}
