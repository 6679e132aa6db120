/** Texts of documents that an earlier program made. */
export const before = {
  before: {
    tag: 'Antes de Sello',
    meaning: 'La hizo un programa anterior: Sello ni la numeró ni la registró',
    title: 'Viene de un programa anterior',
    what: {
      invoice: 'Sello ni la numeró ni la registró: queda tal como la hizo el otro programa.',
      received: 'Sello no le dio número de recepción: queda tal como la anotó el otro programa.',
    },
    counts: 'Cuenta en las declaraciones, los libros de [tax] y los gráficos de su fecha.',
    owedOnly: 'Aquí solo cuenta lo que se debe: sus impuestos se declararon con el otro programa.',
    file: 'Archivo',
    fromList: 'De una lista de lo pendiente',
    rows: 'fila {rows} | fila {rows} | filas {rows}',
    reception: 'Su recepción',
    lastNumber: 'Último número',
    moved: 'Traslado',
    move: 'El del {date}',
    can: {
      invoice: {
        open: 'Puedes cobrarla, reclamarla y guardar su documento.',
        paid: 'Puedes guardar su documento.',
      },
      received: { open: 'Puedes pagarla y adjuntar su documento.', paid: 'Puedes adjuntar su documento.' },
    },
    cannot:
      'No se corrige, rectifica, anula ni envía desde Sello. Si está mal, deshaz el traslado, corrige el archivo y tráelo otra vez.',
    facts: 'Lo que dice su archivo',
    operationDate: 'Fecha de operación',
    settled: 'Saldado en el otro programa',
    paidBefore: 'Pagado en el otro programa',
    noPaper: 'Sello no tiene el documento',
    noPaperText: 'No lo dibuja, porque no lo hizo. Adjunta el PDF que guardaste.',
    attach: 'Adjuntar el PDF',
    attached: 'Documento adjuntado',
    ambiguous: 'Hay otro documento con ese número y ese nombre. Adjúntalo desde el traslado.',
    notAttached: 'Ese archivo no es un PDF que se pueda guardar.',
    included:
      'Incluye 1 documento de antes de Sello. | Incluye 1 documento de antes de Sello. | Incluye {count} documentos de antes de Sello.',
  },
}
