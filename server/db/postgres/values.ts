/** Values as the driver passes them: the same types as the embedded engine gives, or an error. */
import pg from 'pg'

/** A number of the database that JavaScript cannot represent exactly. */
function exact(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`The database holds the number ${text}, which is too large to be exact.`)
  return value
}

const { builtins } = pg.types

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT2]: Number,
  [builtins.INT4]: Number,
  [builtins.INT8]: exact,
  // Sums of whole numbers are numeric.
  [builtins.NUMERIC]: exact,
  // Conditions are numbers in the embedded engine.
  [builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
  // Text that is JSON stays text.
  [builtins.JSON]: (text) => text,
  [builtins.JSONB]: (text) => text,
}

type Parser = (text: string) => unknown

/** Parsers by type: the driver asks for that of each column of each answer. */
const known = new Map<number, Parser>()

function parserOf(oid: number): Parser {
  let parser = known.get(oid)
  if (!parser) known.set(oid, (parser = PARSERS[oid] ?? (pg.types.getTypeParser(oid, 'text') as Parser)))
  return parser
}

/** Parsers of values for the driver. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    format === 'text' || format === undefined
      ? parserOf(oid)
      : (pg.types.getTypeParser(oid, format) as (value: unknown) => unknown),
}
