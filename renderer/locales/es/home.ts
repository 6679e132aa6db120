/** Words of Inicio. */
export const home = {
  home: {
    quarter: {
      title: 'Facturado este trimestre',
      more: '{percent} más que el {quarter}',
      less: '{percent} menos que el {quarter}',
      same: 'Igual que el {quarter}',
      first: '{quarter}, sin impuestos',
    },
    owed: { title: 'Por cobrar', count: 'Ninguna factura | 1 factura | {count} facturas' },
    overdue: {
      title: 'Vencido',
      count: 'Nada vencido | 1 factura, vencida {ago} | {count} facturas, una vencida {ago}',
      none: 'Nada vencido',
    },
    vat: { title: 'IVA de tus facturas, {quarter}', due: 'Se presenta hasta el {day}' },
    chart: {
      title: 'Facturado en doce meses',
      base: 'Base, sin IVA',
      month: 'Mes',
      thousands: '{count} k',
      decimalSign: ',',
      spoken: 'Barras de los últimos doce meses. El mayor, {month}: {amount}.',
      none: 'Barras de los últimos doce meses. Todavía no hay facturas emitidas.',
    },
    checklist: {
      title: 'Primeros pasos',
      progress: '{done} de {all} hechos',
      ticked: 'hecho',
      dismiss: 'Ocultar',
      gone: 'Primeros pasos ocultos',
      company: {
        title: 'Completa los datos de tu empresa',
        text: 'La factura tiene que llevar tu dirección.',
        verb: 'Completar',
      },
      series: {
        title: 'Elige la serie',
        text: 'De ella sale el número de cada factura.',
        verb: 'Ver series',
      },
      firstTestInvoice: {
        title: 'Emite una factura de prueba',
        text: 'En el libro de pruebas: la AEAT no recibe nada.',
        verb: 'Probar',
      },
      recovery: {
        title: 'Guarda el código de recuperación',
        text: 'Con él abres tus datos si este equipo se estropea.',
        verb: 'Guardar',
      },
      certificate: {
        title: 'Importa el certificado de la empresa',
        text: 'Para emitir en el libro real. Puede esperar.',
        verb: 'Importar',
      },
      apiKey: {
        title: 'Conecta un asistente o un programa',
        text: 'Que prepare borradores por ti. Tú decides.',
        verb: 'Conectar',
      },
    },
    attention: {
      title: 'Pide tu atención',
      none: 'Nada pendiente.',
      rejected: { title: 'La AEAT rechazó {number}', text: 'Mira qué dice y qué hacer.', verb: 'Ver' },
      proposal: {
        title: 'Una propuesta por decidir | 1 propuesta por decidir | {count} propuestas por decidir',
        text: 'Un asistente propone algo y espera tu respuesta.',
        verb: 'Revisar',
      },
      queue: {
        title: 'Un registro en cola | 1 registro en cola | {count} registros en cola',
        text: 'Se envían solos en cuanto se puede.',
        verb: 'Ver cola',
      },
      recurring_waiting: {
        title: 'Un borrador preparado | 1 borrador preparado | {count} borradores preparados',
        text: 'De tus facturas recurrentes. Revísalos y emítelos.',
        verb: 'Revisar',
      },
      recurring_troubled: {
        title:
          'Una recurrente necesita tu ayuda | 1 recurrente necesita tu ayuda | {count} recurrentes necesitan tu ayuda',
        text: 'No se pudo preparar su borrador.',
        verb: 'Ver',
      },
      recovery: {
        title: 'Guarda el código de recuperación',
        text: 'Sin él, si este equipo se estropea, pierdes tus datos.',
        verb: 'Guardar',
      },
      deadline: {
        title: 'Modelo {form} del {period}',
        text: 'Plazo hasta el {dueTo}. Sello no presenta modelos.',
        verb: 'Ver facturas',
      },
      issuer_address_missing: {
        title: 'Falta la dirección de tu empresa',
        text: 'Sin ella no se puede emitir.',
        verb: 'Completar',
      },
      certificate_missing: {
        title: 'Falta el certificado de la empresa',
        text: 'El libro real lo necesita para emitir.',
        verb: 'Importar',
      },
      producer_missing: {
        title: 'El libro real todavía no emite',
        text: 'A este programa le faltan los datos de su productor. El de pruebas funciona entero.',
        verb: 'Ir a pruebas',
      },
      broken: {
        title: 'La cadena de registros no cuadra',
        text: 'No se emite nada hasta resolverlo.',
        verb: 'Ver',
      },
      readiness: { title: 'Falta algo para emitir', text: 'Revísalo en Ajustes.', verb: 'Ver ajustes' },
    },
    collections: {
      title: 'Cobros',
      all: 'Ver todos',
      due: 'Por cobrar',
      none: 'Nadie te debe nada. Aquí verás las facturas por cobrar, primero las vencidas.',
    },
    registry: {
      open: 'Abrir',
      records: 'Sin registros | 1 registro encadenado | {count} registros encadenados',
      answered: 'Última respuesta {ago}',
      accepted: 'ninguna registrada | 1 registrada | {count} registradas',
      withWarnings: 'ninguna con avisos | 1 con avisos | {count} con avisos',
      rejected: 'ninguna rechazada | 1 rechazada | {count} rechazadas',
      queued: 'ninguna en cola | 1 en cola | {count} en cola',
      none: 'Cada factura que emitas deja aquí su registro.',
      noneTest: 'Cada factura que emitas en pruebas deja aquí su registro. Responde una autoridad simulada.',
    },
  },
}
