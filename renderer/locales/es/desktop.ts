/** Texts of the desktop: system notifications, dropped files, printing. */
export const desktop = {
  desktop: {
    notice: {
      private: 'Ábrelo en Sello para verlo.',
      approvals: 'Algo espera tu respuesta',
      registry: 'Un registro necesita tu ayuda',
      recurring: 'Hay un borrador recurrente listo',
      mail: 'No se ha podido enviar un correo',
    },
    settings: {
      title: 'Avisos del sistema',
      text: 'Salen solo cuando no estás mirando la ventana.',
      approvals: 'Aprobaciones y propuestas',
      approvalsHelp: 'Cuando un programa pide tu aprobación o un asistente propone algo.',
      registry: '[registryPage]',
      registryHelp: 'Cuando la [authority] rechaza un registro o se para el envío.',
      recurring: 'Recurrentes',
      recurringHelp: 'Cuando un borrador está listo para revisar.',
      mail: 'Correo',
      mailHelp: 'Cuando no se ha podido enviar un correo.',
      private: 'Sin nombres ni importes',
      privateHelp:
        'El aviso dice qué ha pasado, no a quién se refiere. Se ve también con la pantalla bloqueada.',
    },
    drop: {
      title: 'Suelta para añadir el documento',
      text: 'Un PDF, una factura electrónica o una foto se abre como factura recibida; si son varios, van a los documentos por revisar. De un extracto o una tabla te preguntamos adónde va.',
      where: '¿Adónde va este archivo?',
      to: { received: 'Factura recibida', bank: 'Extracto del banco', import: 'Importar una tabla' },
      toText: {
        received: 'Se lee y se guarda con la factura.',
        bank: 'Sus movimientos van a una cuenta.',
        import: 'Contactos, productos o facturas recibidas, fila a fila.',
      },
      unknown: '{name}: este tipo de archivo no se puede añadir',
      known: 'Vale un PDF, un XML, una imagen, un extracto (N43, CAMT, CSV) o un XLSX.',
      oneByOne: 'Los extractos y las tablas se sueltan de uno en uno',
    },
    print: {
      test: 'PRUEBAS',
      all: '{count} filas',
      some: '{shown} de {count} filas. Las demás no se imprimen: filtra la lista o expórtala.',
    },
  },
}
