/** Texts of the help, the question marks at technical terms, the tour and the sample company. */
export const help = {
  help: {
    title: 'Ayuda',
    text: 'Todo sobre Sello, también sin conexión.',
    topics: 'Temas',
    search: 'Buscar en la ayuda',
    searchHint: '[tax] exento, certificado, rectificar…',
    results: 'Temas encontrados',
    found: 'Ningún tema | 1 tema | {count} temas',
    nothing: 'Nada con esas palabras. Prueba con una sola, o mira el glosario.',
    related: 'Relacionado',
    goTo: 'Ir a {place}',
    law: 'Dónde lo dice: {law}',
    openPage: 'Abrir como página',
    close: 'Cerrar la ayuda',
    all: 'Todos los temas',
    ofPage: 'La ayuda de esta página: {topic}',
    thisPage: 'Ayuda de esta página',
    first: 'Lo que más se pregunta',
    lost: 'Ese tema no existe',
    lostText: 'Puede haber cambiado de nombre.',
    learn: 'Ver cómo funciona',
    tip: 'Qué es: {word}',
    more: 'Saber más',
    groups: {
      start: 'Empezar',
      invoicing: 'Facturar',
      registry: '[registryPage]',
      taxes: 'Impuestos',
      money: 'Compras y dinero',
      safety: 'Tus datos y ayuda',
    },
  },
  tips: {
    base: {
      title: 'Base imponible',
      text: 'El precio sin [tax], con los descuentos ya quitados. Sobre ella se calcula el [tax] de cada tipo.',
    },
    withholding: {
      title: 'Retención de IRPF',
      text: 'Lo que tu cliente ingresa en Hacienda por ti, a cuenta de tu renta. Solo si es empresa o profesional.',
    },
    due: {
      title: 'Total a pagar',
      text: 'Lo que te ingresan: el total de la factura menos la retención. En la [authority] se registra el total.',
    },
    surcharge: {
      title: 'Recargo de equivalencia',
      text: 'Lo pagan con el [tax] los comerciantes minoristas que están en ese régimen. Tu cliente tiene que decírtelo.',
    },
    operationDate: {
      title: 'Fecha de operación',
      text: 'El día en que se entregó o se hizo el trabajo. Solo hace falta si no es el de la factura.',
    },
    series: {
      title: 'Serie',
      text: 'El comienzo del número. En cada serie los números van seguidos; las rectificativas tienen la suya.',
    },
    kind: {
      title: 'Tipo de factura',
      text: 'F1 es la completa. F2, el tique: sin datos del cliente y con un límite de importe. F3 sustituye tiques.',
    },
    gross: {
      title: 'Precios con [tax] incluido',
      text: 'El precio que escribes es el que paga el cliente; la base sale de él y cuadra al céntimo.',
    },
    art7273: {
      title: 'Simplificada con datos del cliente',
      text: 'Un tique al que se añaden el NIF, el domicilio y la cuota para que el cliente pueda deducir el [tax].',
    },
    hash: {
      title: 'Huella',
      text: 'Un código que resume este registro y el anterior. Si alguien cambiara algo, dejaría de cuadrar.',
    },
    regime: {
      title: 'Régimen de [tax]',
      text: 'Las reglas que sigue tu actividad. Casi todos están en el general; si dudas, mira tu alta en Hacienda.',
    },
    paymentDays: {
      title: 'Días para pagar',
      text: 'De ellos sale el vencimiento. Entre empresas son 30 si no pactáis otra cosa, y 60 como mucho.',
    },
    concept: {
      title: 'Concepto del gasto',
      text: 'La clase de gasto que pide el libro de facturas recibidas. Si dudas, elige el más parecido: se puede cambiar.',
    },
    deductible: {
      title: 'Cuota deducible',
      text: 'La parte del [tax] que puedes restar en tu declaración. Es menos de toda si lo usas también en privado.',
    },
  },
  tour: {
    label: 'Visita guiada',
    firstTime: '¿Primera vez por aquí?',
    done: 'Terminar',
    offer: 'Una visita de dos minutos',
    offerText: 'Ocho paradas por las páginas de verdad. Se puede dejar cuando quieras y repetir desde aquí.',
    begin: 'Empezar la visita',
    again: 'Repetir la visita',
    later: 'Ahora no',
    step: '{number} de {total}',
    next: 'Siguiente',
    back: 'Anterior',
    end: 'Dejar la visita',
    first: 'Tu primera factura',
    gone: 'Está en Ayuda cuando la quieras',
    steps: {
      live: {
        title: 'Estás en el libro real',
        text: 'Lo que emitas se registra en la [authority]. Para practicar, cambia al de pruebas en este menú.',
      },
      sample: {
        title: 'Esta es la empresa de ejemplo',
        text: 'Todo es inventado. En este menú cambias de empresa y de libro, y vuelves a la tuya.',
      },
      book: {
        title: 'Estás en el libro de pruebas',
        text: 'Aquí nada cuenta. El libro real está al lado: se cambia aquí.',
      },
      home: {
        title: 'Inicio: cómo va todo',
        text: 'Lo facturado, lo que te deben y el [tax] del trimestre. Debajo, lo que pide tu atención.',
      },
      invoices: {
        title: 'Tus facturas',
        text: 'Las marcas dicen dos cosas: si está registrada en la [authority] y si está cobrada.',
      },
      create: {
        title: 'Nueva factura',
        text: 'Este botón, o la tecla N desde cualquier página. Un borrador se guarda solo y no compromete a nada.',
      },
      received: {
        title: 'Lo que compras',
        text: 'Suelta aquí el PDF de una factura o un gasto: Sello lee lo que puede y lo guarda cifrado.',
      },
      taxes: {
        title: 'Tus impuestos, preparados',
        text: 'Cada modelo con su fecha y las facturas que hay detrás. Sello calcula; presentar, presentas tú.',
      },
      registry: {
        title: 'El registro, con palabras',
        text: 'Si la [authority] rechaza algo o no contesta, esta página dice qué pasa y qué hacer.',
      },
      help: {
        title: 'Y aquí, la ayuda',
        text: 'F1 abre la de cada página. Ya puedes hacer tu primera factura.',
      },
    },
  },
  samples: {
    offer: '¿Quieres ver Sello con datos?',
    offerText:
      'Creamos una empresa de ejemplo aparte, solo con libro de pruebas: clientes, facturas, cobros y compras inventados. La tuya no se toca.',
    see: 'Ver un ejemplo',
    open: 'Ir a la empresa de ejemplo',
    here: 'Estás en la empresa de ejemplo',
    hereText: 'Todo lo que ves es inventado. Toca lo que quieras.',
    filling: 'Preparando la empresa de ejemplo',
    part: {
      company: 'La empresa',
      customers: 'Clientes y facturas',
      items: 'Productos y cobros',
      purchases: 'Compras y presupuestos',
      done: 'Lista',
    },
    cancel: 'Cancelar',
    cancelled: 'Cancelado: la empresa de ejemplo queda apartada',
    filled: 'La empresa de ejemplo está lista',
    remove: 'Quitar el ejemplo',
    removed: 'La empresa de ejemplo ya no aparece',
    removeText:
      'Desaparece de Sello. Sus registros de prueba no se borran del archivo cifrado, porque van encadenados; no cuentan en nada.',
    back: 'Volver a mi empresa',
  },
}
