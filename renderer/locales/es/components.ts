/** Texts of the shared components: states, fields, lists. */
export const components = {
  registryStatus: {
    not_issued: 'Sin emitir',
    not_registered: 'Antes de Sello',
    pending: 'En cola',
    sending: 'Enviando',
    accepted: 'Registrada',
    accepted_with_errors: 'Registrada con avisos',
    rejected: 'Rechazada',
    unknown: 'Sin confirmar',
    cancelled: 'Anulada',
  },
  paymentStatus: {
    draft: 'Borrador',
    open: 'Por cobrar',
    unpaid: 'Pendiente',
    partial: 'Cobro parcial',
    paid: 'Cobrada',
    overdue: 'Vencida',
    uncollectible: 'Incobrable',
    credit: 'A devolver',
    cancelled: 'Anulada',
  },
  seriesKind: {
    ordinary: 'Ordinaria',
    simplified: 'Simplificada',
    rectifying: 'Rectificativa',
    quote: 'Presupuestos',
  },
  vatRegime: {
    general: 'General',
    surcharge: 'Recargo de equivalencia',
    simplified: 'Simplificado',
    cash: 'Criterio de caja',
    exempt: 'Exento',
    used_goods: 'Bienes usados',
    travel: 'Agencias de viaje',
  },
  territory: {
    mainland: 'Península y Baleares (IVA)',
    canary: 'Canarias (IGIC)',
    ceuta_melilla: 'Ceuta y Melilla (IPSI)',
    basque: 'País Vasco',
    navarre: 'Navarra',
  },
  address: {
    street: 'Calle y número',
    postalCode: 'Código postal',
    city: 'Población',
    province: 'Provincia',
  },
  money: {
    read: 'Se lee {amount}',
    not_a_number: '«{text}» no es un importe. Escribe, por ejemplo, {example}',
    too_many_decimals: '«{text}» tiene demasiados decimales. Escribe, por ejemplo, {example}',
    too_large: '«{text}» es demasiado grande. Revisa los ceros',
    division_by_zero: '«{text}» divide entre cero. Escribe, por ejemplo, {example}',
  },
  dates: {
    placeholder: 'dd/mm/aaaa',
    openCalendar: 'Abrir el calendario',
    not_a_date: '«{text}» no es una fecha. Escribe, por ejemplo, 3/2 o hoy',
    no_such_day: 'El día {text} no existe. Primero va el día, luego el mes',
  },
  nif: {
    natural: 'NIF correcto',
    foreigner: 'NIE correcto',
    entity: 'NIF correcto',
    shape: 'No tiene forma de NIF. Son nueve letras y cifras, por ejemplo 12345678Z',
    control: 'El último carácter no cuadra: debería ser {expected}. Revisa las cifras',
  },
  filters: {
    active: 'Filtros puestos',
    remove: 'Quitar el filtro {name}',
    clear: 'Quitar filtros',
  },
  secret: {
    kept: 'Está en un lugar seguro',
  },
  grid: {
    partial: 'Una parte de la lista no ha llegado.',
  },
  recovery: {
    title: 'Código de recuperación',
    code: 'Código de recuperación, en siete grupos',
    once: 'Solo se muestra ahora. Sin él, si este equipo se estropea, nadie puede abrir tus datos; tampoco nosotros.',
    haveIt: 'Ya lo tengo guardado',
    retype: 'Comprobemos que lo has guardado. Escribe estos dos grupos.',
    group: 'Grupo {number}',
    seeAgain: 'Ver el código',
    check: 'Comprobar',
    done: 'Código de recuperación guardado',
    changeKey: 'Cambiar también la llave de tus datos',
    changeKeyText:
      'Se cifran de nuevo con otra llave, y el código anterior ya no abre nada de ellos. Tarda unos segundos, con muchas facturas hasta un minuto; mientras tanto puedes leer, y lo que guardes espera.',
    deleteBackups: 'Borrar las copias hechas con la llave de antes',
    deleteBackupsText:
      'Sin borrarlas, se abren con el código nuevo. Las copias portátiles y las carpetas copiadas fuera siguen abriéndose con el código que tenían: bórralas tú.',
    keyStep: {
      copying: 'Copiando tus datos…',
      encrypting: 'Cifrando la copia con la llave nueva y comprobándola…',
      swapping: 'Poniéndola en su sitio…',
      backing_up: 'Haciendo una copia de seguridad con la llave nueva…',
    },
    keyChanged: 'Código guardado y llave cambiada. Hay una copia con la llave nueva.',
    keyChangedNoBackup:
      'Código guardado y llave cambiada, pero la copia con la llave nueva no se ha podido hacer.',
    isKept:
      'Lo guardaste y lo comprobaste. Si ya no sabes dónde está, o puede tenerlo otra persona, crea otro.',
    isMissing: 'Todavía no lo has guardado. Con él abres tus datos en otro equipo o si este pierde la llave.',
    make: 'Ver el código',
    renew: 'Crear otro código',
    sheetTitle: 'Sello: código de recuperación',
    sheetText:
      'Guarda esta hoja en lugar seguro. Con este código se abren los datos de Sello en otro equipo o si este pierde la llave.',
  },
  pdf: {
    page: 'Página {number} de {count}',
    pageBroken: 'Esta página no se puede dibujar.',
    fault: {
      broken: { title: 'Este PDF no se puede abrir', text: 'El archivo está dañado o no es un PDF.' },
      locked: {
        title: 'Este PDF tiene contraseña',
        text: 'Ábrelo con el programa con el que lo recibiste, o pide una copia sin contraseña.',
      },
      failed: {
        title: 'No se ha podido mostrar',
        text: 'Vuelve a intentarlo; si sigue igual, descarga el archivo.',
      },
    },
  },
}
