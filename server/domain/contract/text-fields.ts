/** Zod shapes of the text fields that a document declares in its table of fields (`domain/document-fields.ts`). */
import { z } from 'zod'
import type { NamesOf, TextSpec } from '../document-fields.ts'
import { line, paragraph } from './fields.ts'

type Text = 'text' | 'paragraph'

/** Shapes of an input: each may be left out, or null. */
type TextInputs<Table> = {
  [Name in NamesOf<Table, Text>]: z.ZodOptional<z.ZodNullable<z.ZodString>>
}

/** Shapes of an answer: null or absent when the field was not given. */
type TextAnswers<Table> = {
  [Name in NamesOf<Table, Text>]: Table[Name] extends { readonly answer: 'optional' }
    ? z.ZodOptional<z.ZodString>
    : z.ZodNullable<z.ZodString>
}

type Described = { readonly type: string }

function textFieldsOf(table: Readonly<Record<string, Described>>): [string, TextSpec<string, string>][] {
  const isText = (spec: Described): spec is TextSpec<string, string> =>
    spec.type === 'text' || spec.type === 'paragraph'
  return Object.entries(table).flatMap(([name, spec]) => (isText(spec) ? [[name, spec] as const] : []))
}

function described<Shape extends z.ZodType>(shape: Shape, description: string | undefined): Shape {
  return description === undefined ? shape : shape.meta({ description })
}

const hidden = new WeakSet<z.ZodType>()

/** Leaves a member of an input or an answer out of the tools of assistants, whose list has a limit of bytes. */
export function hideFromTools<Shape extends z.ZodType>(shape: Shape): Shape {
  hidden.add(shape)
  return shape
}

/** Returns the names of the members of an input or an answer that the tools of assistants leave out. */
export function hiddenFromTools(schema: z.ZodType): string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, shape]) =>
    shape instanceof z.ZodType && hidden.has(shape) ? [name] : [],
  )
}

/** Returns the shapes by which a draft takes the text fields of a table. */
export function textInputs<const Table extends Readonly<Record<string, Described>>>(
  table: Table,
): TextInputs<Table> {
  const shapes = textFieldsOf(table).map(([name, { type, max, description, hiddenFromTools }]) => {
    const text = type === 'text' ? line(max) : paragraph(max)
    const shape = described(text.nullable().optional(), description?.input)
    return [name, hiddenFromTools ? hideFromTools(shape) : shape]
  })
  return Object.fromEntries(shapes) as TextInputs<Table>
}

/** Returns the shapes in which a document answers the text fields of a table. */
export function textAnswers<const Table extends Readonly<Record<string, Described>>>(
  table: Table,
): TextAnswers<Table> {
  const shapes = textFieldsOf(table).map(([name, spec]) => {
    const text = spec.answer === 'optional' ? z.string().optional() : z.string().nullable()
    const shape = described<z.ZodType>(text, spec.description?.answer)
    if (spec.hiddenFromTools) hidden.add(shape)
    return [name, shape]
  })
  return Object.fromEntries(shapes) as TextAnswers<Table>
}
