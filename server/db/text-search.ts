/** The condition that a folded text contains the words of another: the search rule of every list. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { searchText } from '../domain/text.ts'

/** Characters that may precede a word. */
const BEFORE = [' ', '-', '.', '(', '/', '@', '«', '"', "'", '&', ','] as const
/** Shorter numbers are not searched inside others: "cliente 4" must not match every tax number with a 4. */
const END_OF_NUMBER = /^(?=.*\d).{3,}$/

/** Letters of the languages of Spain and its neighbours, with their result in `searchText`. */
const FOLDED = Object.entries({
  a: 'áàâäãåÁÀÂÄÃÅ',
  c: 'çÇ',
  e: 'éèêëÉÈÊË',
  i: 'íìîïÍÌÎÏ',
  n: 'ñÑ',
  o: 'óòôöõÓÒÔÖÕ',
  u: 'úùûüÚÙÛÜ',
}).flatMap(([plain, letters]) => Array.from(letters, (letter) => [letter, plain] as const))

/** Folds a column in SQL as `searchText` does, for lists with few rows per book whose column has no folded copy. */
export function folded(column: RawBuilder<unknown>): RawBuilder<string> {
  return FOLDED.reduce<RawBuilder<string>>(
    (text, [letter, plain]) => sql<string>`replace(${text}, ${sql.lit(letter)}, ${sql.lit(plain)})`,
    sql<string>`lower(${column})`,
  )
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Returns the condition that every word of `text` begins a word of `column`, which is folded as in `searchText`:
 * «ana» matches «Ana Ruiz» and «Anabel», but not «Quintana». Numbers of three or more characters match anywhere:
 * people often know only their end.
 */
export function matchesSearch(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const all = searchText(text).split(' ').filter(Boolean)
  // Words without letters or digits are searched only if there is nothing else.
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
