/** Texts of lists saved as a file, and of bulk actions on received invoices. */
export const listExports = {
  downloads: {
    label: 'Archivos en camino',
    csv: 'Exportar CSV',
    documents: 'Documentos recibidos',
    preparing: 'Preparando: {what}…',
    underWay: 'Descargando: {what} · {size} MB',
    failed: '{what}: no se ha podido descargar.',
  },
  receivedBulk: {
    pay: 'Marcar pagadas | Marcar 1 como pagada | Marcar {count} como pagadas',
    payTitle:
      '¿Marcar como pagadas? | ¿Marcar 1 factura como pagada? | ¿Marcar {count} facturas como pagadas?',
    payText: 'Cada una se paga entera. En total, {total}.',
    date: 'Día del pago',
    method: 'Forma de pago',
    files: 'Documentos | 1 con documento | {count} con documento',
    void: 'Anular | Anular 1 | Anular {count}',
    voidTitle: '¿Anular facturas? | ¿Anular 1 factura recibida? | ¿Anular {count} facturas recibidas?',
    voidText:
      'Salen de los libros y de los impuestos. Su número no se vuelve a usar y sus documentos se conservan.',
  },
  receivedFiles: {
    title: '¿Borrar {name}?',
    text: 'Es el justificante de este gasto: Hacienda puede pedirlo durante 4 años y el Código de Comercio manda guardarlo 6. Bórralo solo si no es el documento de esta factura. En un periodo cerrado se conserva siempre.',
    remove: 'Borrar el archivo',
    kept: 'Los documentos de una factura anulada se conservan: la ley manda guardarlos.',
  },
}
