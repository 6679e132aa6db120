/** The condition that a folded text holds the words of another: the one meaning of a search box in every list. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { searchText } from '../domain/text.ts'

/** What may stand before a word. */
const BEFORE = [' ', '-', '.', '(', '/', '@', '«', '"', "'", '&', ','] as const
/** A shorter number says too little to be looked for inside others: "cliente 4" is not every tax number with a 4. */
const END_OF_NUMBER = /^(?=.*\d).{3,}$/

/** Letters of the languages of Spain and its neighbours, with what `searchText` makes of them. */
const FOLDED = Object.entries({
  a: 'áàâäãåÁÀÂÄÃÅ',
  c: 'çÇ',
  e: 'éèêëÉÈÊË',
  i: 'íìîïÍÌÎÏ',
  n: 'ñÑ',
  o: 'óòôöõÓÒÔÖÕ',
  u: 'úùûüÚÙÛÜ',
}).flatMap(([plain, letters]) => Array.from(letters, (letter) => [letter, plain] as const))

/** A column without a folded copy of its own, folded as `searchText` folds, for lists that a book has few rows of. */
export function folded(column: RawBuilder<unknown>): RawBuilder<string> {
  return FOLDED.reduce<RawBuilder<string>>(
    (text, [letter, plain]) => sql<string>`replace(${text}, ${sql.lit(letter)}, ${sql.lit(plain)})`,
    sql<string>`lower(${column})`,
  )
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Every word of `text` begins a word of `column`, which is folded as `searchText` folds: «ana» finds «Ana Ruiz» and
 * «Anabel», and not «Quintana». Numbers of three signs and more are found anywhere: people know the end of them.
 */
export function wordsIn(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const all = searchText(text).split(' ').filter(Boolean)
  // Signs alone are looked for only where there is nothing else.
  const named = all.filter((word) => /[\p{L}\p{N}]/u.test(word))
  const words = named.length > 0 ? named : all
  const conditions = words.map((word) => {
    const wanted = escaped(word)
    if (END_OF_NUMBER.test(word)) return sql<SqlBool>`${column} like ${`%${wanted}%`} escape '\\'`
    const anywhere = BEFORE.map((sign) => sql<SqlBool>`${column} like ${`%${sign}${wanted}%`} escape '\\'`)
    return sql<SqlBool>`(${column} like ${`${wanted}%`} escape '\\' or ${sql.join(anywhere, sql` or `)})`
  })
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
