/** Textos de lo que se recuerda de los documentos de un proveedor, y de los gastos sin justificante. */
export const supplierMemory = {
  supplierMemory: {
    title: 'Lo aprendido de sus documentos',
    learned: 'De {count} documentos anotados | De 1 documento anotado | De {count} documentos anotados',
    sure: 'confirmado',
    place: '{field}: junto a «{label}», como {shape}',
    placeBare: '{field}: junto a «{label}»',
    field: {
      supplierNumber: 'Número',
      issueDate: 'Fecha',
      dueDate: 'Vencimiento',
    },
    usual: {
      supplierName: 'Se anota como {value}',
      kind: 'Tipo: {value}',
      concept: 'Concepto: {value}',
      account: 'Cuenta {value}',
      deductiblePct: '[tax] deducible: {value}',
      paymentMethod: 'Se paga con: {value}',
      withholding: 'Retención: {value}',
      termDays: 'Vence a los {count} días | Vence al día siguiente | Vence a los {count} días',
      currency: 'Moneda: {value}',
    },
    rates: '[tax]: {rates}',
    iban: 'Cobra en {iban} ({count} documentos) | Cobra en {iban} (1 documento) | Cobra en {iban} ({count} documentos)',
    corrected:
      'Correcciones hechas: {count} de {shown} valores leídos | Correcciones hechas: 1 de {shown} valores leídos | Correcciones hechas: {count} de {shown} valores leídos',
    forget: 'Olvidar',
    forgetTitle: '¿Olvidar lo aprendido de {name}?',
    forgetText:
      'Sus próximos documentos se leerán como los de un proveedor nuevo. Lo anotado se queda como está.',
    keep: 'Conservarlo',
    forgotten: 'Olvidado lo aprendido de {name}',
  },
  missingReceipts: {
    open: 'Sin justificante',
    title: 'Gastos sin justificante',
    text: 'Pagos sin factura recibida y facturas recibidas sin documento. Nóminas, impuestos, comisiones y traspasos no lo necesitan.',
    none: 'No falta ningún justificante.',
    total:
      'Faltan {count} justificantes, {total} € | Falta 1 justificante, {total} € | Faltan {count} justificantes, {total} €',
    unknown: 'Proveedor desconocido',
    entry: 'Factura {number}, sin documento',
    waiting: 'Puede ser «{name}», por revisar',
    show: { movement: 'Ver el movimiento', received: 'Ver la factura' },
    ask: 'Pedirlo',
    mail: 'Correo para {name}',
    subject: 'Asunto: Factura del {date}, {amount} €',
    body: 'Hola:\n\nNos falta la factura de este pago:\n\n{date} · {amount} €\n{text}\n\n¿Podéis enviarnos una copia en PDF como respuesta a este correo?\n\nGracias.',
    close: 'Cerrar',
  },
}
